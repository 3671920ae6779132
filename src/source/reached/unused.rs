//! Variables that nothing needs any more.

use std::ops::Range;

use proc_macro2::TokenTree;
use syn::parse::Parse;
use syn::visit::Visit;
use syn::{Expr, ItemFn};

use super::outline::{BlockKind, Function, Statement, What};
use crate::reduce::RangeExt;
use crate::source::exprs::exprs;
use crate::source::parse::{look_at, look_at_tokens};
use crate::source::patterns::variable;
use crate::source::tokens::{each_token, plain, signs_before};
use crate::source::{Edits, idents, removal};

/// Takes variables out of `function` that were needed before these edits: with their values where these call
/// nothing, else only their names.
pub(super) fn leave_out(text: &str, function: &Function, edits: &mut Edits) {
    let names = Names::of(text, function);
    while take_one(text, function, &names, edits) {}
    return_at_once(text, function, edits);
    let own = function.parameters.iter().filter(|_| !function.is_test);
    for name in own.chain(&names.of_closures) {
        let text = &text[name.clone()];
        if !text.starts_with('_') && names.is_unneeded(text, 0, edits) && !edits.covers(name) {
            edits.cover(name.clone(), format!("_{text}").as_str());
        }
    }
}

/// Lets a function return a value where it is computed, if what stood between is gone.
fn return_at_once(text: &str, function: &Function, edits: &mut Edits) {
    let BlockKind::Value = function.body.kind else { return };
    let mut left = function.body.statements.iter().rev().filter(|it| !edits.covers(&it.range));
    let (Some(tail), Some(bound)) = (left.next(), left.next()) else { return };
    let (What::Tail { .. }, What::Let { pattern, .. }) = (&tail.what, &bound.what) else { return };
    let between = bound.range.end..tail.range.start;
    let value = text[pattern.end..bound.range.end].trim_start();
    // Nothing changes it any more.
    let name = text[pattern.clone()].trim_start_matches("mut ");
    let is_returned = *name == text[tail.range.clone()];
    if !is_returned || !value.starts_with('=') || !edits.overlaps(&between) {
        return;
    }
    let start = bound.range.end - value.len() + 1;
    let end = bound.range.end - 1..tail.range.end;
    if !edits.overlaps(&(bound.range.start..start)) && edits.cover(end, "") {
        let blanks = value[1..].len() - value[1..].trim_start().len();
        edits.cover(bound.range.start..start + blanks, "");
    }
}

/// Takes out one variable, or one statement that sets it.
fn take_one(text: &str, function: &Function, names: &Names, edits: &mut Edits) -> bool {
    let mut is_changed = false;
    function.body.each(&mut |statement| {
        if !is_changed && !edits.covers(&statement.range) {
            is_changed = take(text, statement, names, edits);
        }
    });
    is_changed
}

fn take(text: &str, statement: &Statement, names: &Names, edits: &mut Edits) -> bool {
    if is_emptied(statement, edits) {
        return edits.cover(removal::with_lines(text, &statement.range), "");
    }
    // In `let page = page("a");`, only what follows reads the variable.
    let (pattern, calls, from) = match &statement.what {
        What::Let { pattern, calls } => (pattern, *calls, statement.range.end),
        What::Branch { pattern: Some(pattern), .. } => (pattern, true, 0),
        What::Assignment(name) => {
            return names.is_unneeded(name, 0, edits)
                && edits.cover(removal::with_lines(text, &statement.range), "");
        }
        _ => return false,
    };
    let bound: Vec<&Name> = names.bound_in(pattern).collect();
    let unneeded: Vec<&&Name> = bound
        .iter()
        .filter(|name| !name.text.starts_with('_') && names.is_unneeded(&name.text, from, edits))
        .collect();
    if unneeded.is_empty() || edits.covers(pattern) || text[pattern.clone()].contains('{') {
        return false;
    }
    if unneeded.len() == bound.len() {
        let (range, with) = if calls {
            (pattern.clone(), "_")
        } else {
            (removal::with_lines(text, &statement.range), "")
        };
        return edits.cover(range, with);
    }
    if let ([place], [first, other]) = (&unneeded[..], &bound[..])
        && place.range == first.range
        && let Some(counting) = counting_in(text, pattern, &statement.range)
    {
        let other = text[other.range.start..pattern.end - 1].to_owned();
        edits.cover(counting, "");
        return edits.cover(pattern.clone(), other.as_str());
    }
    let mut is_changed = false;
    for name in unneeded {
        if !edits.covers(&name.range) {
            is_changed |= edits.cover(name.range.clone(), "_");
        }
    }
    is_changed
}

/// Whether a statement is a loop in which nothing is left, and that took nothing from what it goes through.
fn is_emptied(statement: &Statement, edits: &Edits) -> bool {
    let What::Branch { pattern: Some(_), calls: false, .. } = &statement.what else { return false };
    let mut own = statement.blocks.iter().flat_map(|block| &block.statements).peekable();
    own.peek().is_some() && own.all(|it| edits.covers(&it.range))
}

/// The parameters of closures in the function `text`, those that are only a name.
fn parameters_of_closures(text: &str) -> Vec<Range<usize>> {
    let look = |function: ItemFn| {
        let all = exprs(|it| it.visit_item_fn(&function)).into_iter();
        let patterns = all.flat_map(|expr| match expr {
            Expr::Closure(closure) => closure.inputs.iter().collect(),
            _ => Vec::new(),
        });
        patterns.filter_map(variable).map(|name| name.ident.span().byte_range()).collect()
    };
    // What does not parse as a function has none.
    look_at(text, ItemFn::parse, look).unwrap_or_default()
}

/// The bytes of `.enumerate()` in `for (n, it) in all.iter().enumerate() { … }`.
fn counting_in(
    text: &str,
    pattern: &Range<usize>,
    statement: &Range<usize>,
) -> Option<Range<usize>> {
    let header = text[pattern.end..statement.end].split('{').next()?.trim_end();
    let is_loop = header.trim_start().starts_with("in ") && text[pattern.clone()].ends_with(')');
    let rest = header.strip_suffix(".enumerate()").filter(|_| is_loop)?;
    Some(pattern.end + rest.len()..pattern.end + header.len())
}

/// Whether an edit takes the place of a mention of a name, and does not mention it itself: a format string may be shorter and
/// still capture it.
fn is_gone(edits: &Edits, mention: &Name) -> bool {
    let mut covering = edits.iter().filter(|edit| edit.range.covers(&mention.range));
    covering.any(|edit| !idents::of_text(&edit.text).contains(&mention.text))
}

pub(super) struct Name {
    text: String,
    range: Range<usize>,
}

/// What a function names.
pub(super) struct Names {
    /// All names that it mentions, those in the captures of format strings too.
    mentioned: Vec<Name>,
    /// The bytes of patterns, and of statements that only set a variable.
    sets: Vec<Range<usize>>,
    /// The parameters of closures.
    of_closures: Vec<Range<usize>>,
}

impl Names {
    pub(super) fn of(text: &str, function: &Function) -> Self {
        let mut mentioned = Vec::new();
        let start = function.span.start;
        look_at_tokens(&text[function.span.clone()], |tokens| {
            each_token(tokens, &mut |tokens, at| {
                let range = tokens[at].span().byte_range().offset_by(start);
                match &tokens[at] {
                    // Behind a dot stands no variable.
                    TokenTree::Ident(ident) if signs_before(tokens, at) != "." => {
                        mentioned.push(Name { text: plain(ident), range });
                    }
                    TokenTree::Literal(literal) => {
                        let captured = idents::captured(&literal.to_string()).into_iter();
                        mentioned.extend(captured.map(|text| Name { text, range: range.clone() }));
                    }
                    _ => {}
                }
            });
        });
        let mut sets = Vec::new();
        function.body.each(&mut |statement| match &statement.what {
            What::Let { pattern, .. } | What::Branch { pattern: Some(pattern), .. } => {
                sets.push(pattern.clone());
            }
            What::Assignment(_) => sets.push(statement.range.clone()),
            _ => {}
        });
        let of_closures = parameters_of_closures(&text[function.span.clone()]).into_iter();
        let of_closures: Vec<_> = of_closures.map(|range| range.offset_by(start)).collect();
        sets.extend(function.parameters.iter().chain(&of_closures).cloned());
        Names { mentioned, sets, of_closures }
    }

    /// The variables in a pattern.
    fn bound_in(&self, pattern: &Range<usize>) -> impl Iterator<Item = &Name> {
        let is_inside = |name: &&Name| pattern.covers(&name.range);
        let is_variable = |name: &&Name| {
            !matches!(name.text.as_str(), "mut" | "ref")
                && !name.text.starts_with(char::is_uppercase)
        };
        self.mentioned.iter().filter(is_inside).filter(is_variable)
    }

    /// Where a name is left after `edits`.
    pub(super) fn mentions(
        &self,
        name: &str,
        edits: &Edits,
    ) -> impl Iterator<Item = &Range<usize>> {
        let left = self.mentioned.iter().filter(move |it| it.text == name && !is_gone(edits, it));
        left.map(|mention| &mention.range)
    }

    /// Whether nothing reads a variable, from the byte `from` on, after `edits` that was read before.
    fn is_unneeded(&self, name: &str, from: usize, edits: &Edits) -> bool {
        let is_read = |mention: &&Name| {
            let mut sets = self.sets.iter();
            let is_set = sets.any(|set| set.covers(&mention.range));
            mention.text == name && mention.range.start >= from && !is_set
        };
        let mut reads = self.mentioned.iter().filter(is_read).peekable();
        reads.peek().is_some() && reads.all(|mention| is_gone(edits, mention))
    }
}
