//! What goes from a test that fails before its end.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Local, Pat, Stmt};

use super::marks::{self, Entered, Reached};
use super::outline::{BlockKind, Function, Outline, Statement, What, functions, looked_at};
use super::{arrays, comments, sums, turns, unused};
use crate::source::parse::{look_at, range};
use crate::source::position::blanks_before;
use crate::source::tokens::plain;
use crate::source::{Crate, Cut, Edits, FileIndex, Located, removal};

impl Crate {
    /// What a test that fails can do without: the statements behind the one that fails, and the assertions
    /// around and behind that.
    pub fn unreached(&self, located: &Located, reached: &Reached, failed: Failed) -> Vec<Cut> {
        let failure = failed.at;
        let functions = functions(self, located);
        // Where the test itself fails, helpers have returned.
        let test = functions.iter().find(|function| function.is_test);
        let fails_itself = test
            .zip(failure)
            .is_some_and(|(test, (file, offset))| test.file == file && test.span.contains(&offset));
        let is_entered = |function: &Function| {
            function.body.statements.is_empty() || reached.last_of(function).is_some()
        };
        let names = |are_entered: bool| -> BTreeSet<String> {
            let those = functions.iter().filter(|it| is_entered(it) == are_entered);
            those.map(|function| function.name.clone()).collect()
        };
        let unentered = &names(false) - &names(true);
        let mut cuts = Vec::new();
        for Entered { function, last, may_run } in marks::entered(&functions, reached) {
            let mut cutter = Cutter {
                text: &self.file(function.file).text,
                file: function.file,
                reached,
                failure: failure.filter(|(file, _)| *file == function.file),
                never_returned: failed.never_returned,
                last,
                may_run: function.is_test || may_run && !fails_itself,
                unentered: &unentered,
                cuts: Vec::new(),
            };
            if function.is_test {
                cutter.test(&function.body);
            } else {
                cutter.helper(&function.body);
            }
            cuts.append(&mut cutter.cuts);
        }
        cuts
    }

    /// Writes loops over lists of one element or none without their `for`, sums without what was reduced to nothing, lists
    /// that are only read as arrays, and leaves comments out that nothing stands behind any more; whether there were any.
    pub(crate) fn tidy(&self, located: &Located, edits: &mut BTreeMap<FileIndex, Edits>) -> bool {
        let mut is_changed = false;
        for function in functions(self, located) {
            let text = &self.file(function.file).text;
            // What the user wants to stay may be a variable that nothing reads any more.
            if text[function.span.clone()].contains("reduce: keep") {
                continue;
            }
            let edits = edits.entry(function.file).or_default();
            let before = edits.clone();
            sums::simplify(text, &function, edits);
            turns::unroll(text, &function, edits);
            unused::leave_out(text, &function, edits);
            arrays::unbox(text, &function, edits);
            comments::leave_out(text, &function, edits);
            is_changed |= *edits != before;
        }
        is_changed
    }

    /// Puts cuts into the edits of a test, and takes out what nobody needs then.
    pub(crate) fn leave_out(
        &self,
        located: &Located,
        cuts: &[Cut],
        edits: &mut BTreeMap<FileIndex, Edits>,
    ) {
        if cuts.is_empty() {
            return;
        }
        for cut in cuts {
            let edits = edits.entry(cut.file).or_default();
            edits.cover(cut.range.clone(), cut.text.as_str());
        }
        for function in functions(self, located) {
            let text = &self.file(function.file).text;
            unused::leave_out(text, &function, edits.entry(function.file).or_default());
        }
    }
}

/// How a test has failed.
#[derive(Debug, Clone, Copy)]
pub struct Failed {
    /// The place of the failure, if it is in these sources: the assertion that stands there has failed itself, and stays.
    pub at: Option<(FileIndex, usize)>,
    /// Whether it was by a panic whose place is known, or did not end at all: what stands around the call in which that was
    /// has not run.
    pub never_returned: bool,
}

struct Cutter<'c> {
    text: &'c str,
    file: FileIndex,
    reached: &'c Reached,
    /// Where the failure is told, if that is in this file.
    failure: Option<(FileIndex, usize)>,
    never_returned: bool,
    /// The statement that was reached last.
    last: usize,
    /// Whether the function may have been running when the test failed.
    may_run: bool,
    /// Functions of the test code that were never entered, by name: what calls them was not called either.
    unentered: &'c BTreeSet<String>,
    cuts: Vec<Cut>,
}

impl Cutter<'_> {
    /// The body of the test: where it has a value, that says that all is well.
    fn test(&mut self, body: &Outline) {
        let place = self.reached.latest(&body.statements);
        let (Some(place), BlockKind::Value) = (place, body.kind) else { return self.block(body) };
        let [failing, between @ .., end] = &body.statements[place..] else {
            return self.statement(&body.statements[place]);
        };
        let What::Tail { calls } = end.what else { return self.block(body) };
        if let Some(last) = between.last() {
            self.cut(failing.range.end..last.range.end, "");
        }
        if calls {
            self.cut(end.range.clone(), "Ok(())");
        }
        self.demand_nothing(failing);
        self.statement(failing);
    }

    /// The body of a helper that the test has left by the way: where it returns no more than that all is well, it does so at
    /// once.
    fn helper(&mut self, body: &Outline) {
        let place = self.reached.latest(&body.statements);
        if let Some([failing, between @ .., end]) = place.map(|place| &body.statements[place..])
            && let Some(last) = between.last()
            && self.may_run
            && failing.mark == self.last
            && &self.text[end.range.clone()] == "Ok(())"
        {
            self.cut(failing.range.end..last.range.end, "");
            return self.statement(failing);
        }
        self.block(body);
    }

    fn block(&mut self, block: &Outline) {
        let Some(place) = self.reached.latest(&block.statements) else { return };
        let (reached, behind) = block.statements.split_at(place + 1);
        let failing = &reached[place];
        // Its value is that of the block.
        let is_value = block.kind == BlockKind::Value
            && behind.is_empty()
            && failing.mark == self.last
            && matches!(failing.what, What::Branch { .. })
            && !self.text[failing.range.clone()].ends_with(';');
        if is_value {
            return;
        }
        let is_new = |statement: &Statement| self.reached.at(statement.mark) == 0;
        if block.kind == BlockKind::Unit && behind.iter().all(is_new) {
            if let Some(last) = behind.last() {
                self.cut(failing.range.end..last.range.end, "");
            }
            self.unbind(failing);
            self.demand_nothing(failing);
        } else {
            for statement in behind {
                self.expectations(statement);
            }
        }
        self.statement(failing);
    }

    /// Lets the statement that fails bind nothing, as nothing is behind it: though it seems to call nothing (a method that is
    /// named as one of the standard library), it may not go.
    fn unbind(&mut self, failing: &Statement) {
        if let What::Let { pattern, calls: false } = &failing.what
            && failing.mark == self.last
            && self.may_run
        {
            self.cut(pattern.clone(), "_");
        }
    }

    /// Lets the statement that fails demand nothing of a value that it never got: with smaller inputs correct code may
    /// return an error.
    fn demand_nothing(&mut self, failing: &Statement) {
        let Range { start, end } = failing.range;
        if failing.mark != self.last || !self.may_run || !self.is_within(&failing.range) {
            return;
        }
        let text = &self.text[start..end];
        let at = |range: Range<usize>, text: String| self.demand(range, &text);
        let cuts = look_at(text, syn::Block::parse_within, |statements| match &statements[..] {
            [Stmt::Local(Local { pat, init: Some(init), .. })] if init.diverge.is_none() => {
                let demands = undemanded(&init.expr, start)?;
                let ty = match pat {
                    // As a rule it is a result of that. Where it is not, this does not compile, and the demand stays.
                    Pat::Type(it) => {
                        let ty = &self.text[range(it.ty.span(), start)];
                        let is_error = self.text[demands.clone()].contains("_err(");
                        let both = if is_error { ["_", ty] } else { [ty, "_"] };
                        format!(": Result<{}>", both.join(", "))
                    }
                    _ => String::new(),
                };
                Some([at(range(pat.span(), start), format!("_{ty}")), at(demands, String::new())])
            }
            [Stmt::Expr(expr, Some(_))] => {
                let demands = undemanded(expr, start)?;
                let first = text.chars().next()?;
                let bound = at(start..start + first.len_utf8(), format!("let _ = {first}"));
                Some([bound, at(demands, String::new())])
            }
            _ => None,
        });
        self.cuts.extend(cuts.ok().flatten().into_iter().flatten());
    }

    fn demand(&self, range: Range<usize>, text: &str) -> Cut {
        Cut { file: self.file, range, text: text.to_owned(), is_demand: true }
    }

    /// Whether the test failed in a call of `code`, and never came back.
    fn is_within(&self, code: &Range<usize>) -> bool {
        self.never_returned && self.failure.is_none_or(|(_, offset)| !code.contains(&offset))
    }

    /// Takes the assertions out of a statement behind the failing one.
    fn expectations(&mut self, statement: &Statement) {
        if let What::Assertion { .. } = statement.what {
            let lines = removal::with_lines(self.text, &statement.range);
            return self.cut(lines, "");
        }
        for inner in statement.blocks.iter().flat_map(|block| &block.statements) {
            self.expectations(inner);
        }
    }

    /// The statement that was reached last, or holds it.
    fn statement(&mut self, failing: &Statement) {
        if failing.mark != self.last {
            for block in &failing.blocks {
                self.block(block);
            }
            return;
        }
        let Range { start, end } = failing.range;
        let failed_at = self.failure.map(|(_, offset)| offset);
        match &failing.what {
            _ if !self.may_run => {}
            What::Assertion { start: at, operands, converted }
                if failed_at != Some(*at) && !(operands.is_empty() && converted.is_empty()) =>
            {
                let evaluated: Vec<_> =
                    operands.iter().flat_map(|operand| self.evaluated(operand)).collect();
                let all = [&evaluated, converted, operands];
                let first = all.into_iter().find(|some| !some.is_empty()).unwrap_or(operands);
                self.only(start..end, first);
            }
            What::Branch { decided: Some(decided), .. }
                if failed_at.is_none_or(|at| !(decided.end..end).contains(&at)) =>
            {
                self.only(start..end, std::slice::from_ref(decided));
            }
            _ => {}
        }
    }

    /// What is evaluated of an expression before it would enter a function that was not entered.
    fn evaluated(&self, operand: &Range<usize>) -> Vec<Range<usize>> {
        let text = &self.text[operand.clone()];
        let arguments = look_at(text, syn::Expr::parse, |expr| {
            let syn::Expr::Call(call) = &expr else { return None };
            let syn::Expr::Path(path) = &*call.func else { return None };
            let name = path.path.get_ident().map(plain)?;
            let mut found = Vec::new();
            call.args.iter().for_each(|argument| looked_at(argument, &mut found));
            let found = found.into_iter().map(|it| range(it.span(), operand.start));
            self.unentered.contains(&name).then(|| found.collect::<Vec<_>>())
        });
        match arguments {
            Ok(Some(inner)) => inner.iter().flat_map(|inner| self.evaluated(inner)).collect(),
            _ => vec![operand.clone()],
        }
    }

    /// Leaves of a statement only these expressions.
    fn only(&mut self, statement: Range<usize>, operands: &[Range<usize>]) {
        let indent = blanks_before(self.text, statement.start).unwrap_or(" ");
        let mut from = statement.start;
        for (number, operand) in operands.iter().enumerate() {
            let text = match number {
                0 => "let _ = ".to_owned(),
                _ => format!(";\n{indent}let _ = "),
            };
            self.cut(from..operand.start, &text);
            from = operand.end;
        }
        self.cut(from..statement.end, ";");
        let [operand] = operands else { return };
        let text = &self.text[operand.clone()];
        let undemanded = |expr: syn::Expr| undemanded(&expr, operand.start);
        if self.is_within(operand)
            && let Ok(Some(range)) = look_at(text, syn::Expr::parse, undemanded)
        {
            self.cuts.push(self.demand(range, ""));
        }
    }

    fn cut(&mut self, range: Range<usize>, text: &str) {
        self.cuts.push(Cut { file: self.file, range, text: text.to_owned(), is_demand: false });
    }
}

/// The bytes of what an expression demands of the value of a call, in a text that begins at `start`.
fn undemanded(expr: &syn::Expr, start: usize) -> Option<Range<usize>> {
    const DEMANDS: [&str; 4] = ["unwrap", "expect", "unwrap_err", "expect_err"];
    let inner = match expr {
        syn::Expr::Try(it) => &it.expr,
        syn::Expr::MethodCall(it) if DEMANDS.iter().any(|name| it.method == name) => &it.receiver,
        _ => return None,
    };
    let Range { end: from, .. } = range(inner.span(), start);
    let whole = from..range(expr.span(), start).end;
    // More than one of them: `f()?.unwrap()`.
    undemanded(inner, start).map_or(Some(whole.clone()), |inner| Some(inner.start..whole.end))
}
