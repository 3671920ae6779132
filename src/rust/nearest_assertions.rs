//! Tests with fewer assertions: those that say most about another test.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::{Expr, Local, Pat, Stmt};

use super::free_functions::{FreeFunction, free_functions, functions_named};
use super::named::{asserting_helpers, is_plain_assertion};
use super::scan::has_word;
use super::{Reduction, Sources, StandIn, Tree};
use crate::reduce::RangeExt;

/// The sources in which the functions of these names keep only so many of the assertions, and calls of helpers that assert
/// something, that are statements of theirs: those that read most like a statement of the function with the text `like`, and
/// with `state` all that may change what they look at. The same sources where there are no more.
pub fn with_nearest_assertions(
    sources: &Sources,
    names: &[&str],
    like: &str,
    most: usize,
    state: State,
) -> Sources {
    let texts = statements(like, |_| true).into_iter().map(|statement| statement.text);
    let texts: Vec<String> = texts.collect();
    let mut edits: Vec<(usize, Reduction)> = Vec::new();
    for (file, source) in sources.files.iter().enumerate() {
        let helpers = asserting_helpers(&source.text, names);
        for function in free_functions(&source.text, |name| names.contains(&name)) {
            let asserting = statements(&source.text[function.range.clone()], |statement| {
                is_plain_assertion(statement) || calls_one_of(statement, &helpers)
            });
            let far = Far { assertions: &asserting, like: &texts, most, state };
            let edit = far.removal(&source.text, &function);
            edits.extend(edit.map(|edit| (file, edit)));
        }
    }
    sources.edit_all(&edits)
}

/// What stays of a test of which some assertions stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// All but other assertions, and variables that only these use.
    Free,
    /// What introduces or may change a variable that they look at, though it asserts something by itself: an iterator that goes
    /// on.
    Kept,
}

/// The function of this name; nothing if there is none.
pub fn function_text(sources: &Sources, name: &str) -> String {
    functions_named(sources, name).map(|(_, file, it)| &file.text[it.range]).collect()
}

/// A statement of a function, and where it stands in it.
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) range: Range<usize>,
    /// The variable that it introduces, if it does nothing else by its form.
    binds: Option<String>,
    /// Whether that may change.
    is_mut: bool,
}

/// Those of the outermost function of a text that are wanted.
pub(super) fn statements(function: &str, is_wanted: impl Fn(&Stmt) -> bool) -> Vec<Statement> {
    let look = |tree: &Tree<'_>| {
        let all = tree.outermost_statements().iter();
        let wanted = all.filter(|statement| is_wanted(statement)).map(|statement| {
            let range = tree.range(statement);
            let (binds, is_mut) = bound(statement).unzip();
            let is_mut = is_mut.unwrap_or_default();
            Statement { text: function[range.clone()].to_owned(), range, binds, is_mut }
        });
        wanted.collect()
    };
    Tree::with(function, StandIn::Panic, look).unwrap_or_default()
}

/// The name of a variable, and whether it may change.
fn bound(statement: &Stmt) -> Option<(String, bool)> {
    let Stmt::Local(Local { pat: Pat::Ident(name), .. }) = statement else { return None };
    Some((name.ident.to_string(), name.mutability.is_some()))
        .filter(|(name, _)| !name.starts_with('_'))
}

/// These statements of a function, and those that introduce variables which only they use, unless they may change another one.
pub(super) fn with_variables(function: &str, mut gone: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut left = statements(function, |_| true);
    left.retain(|statement| !gone.contains(&statement.range));
    while let Some(unused) = left.iter().enumerate().position(|(place, statement)| {
        let Some(name) = &statement.binds else { return false };
        let changes = |other: &Statement| {
            let changed = other.binds.as_deref().filter(|_| other.is_mut);
            changed
                .is_some_and(|it| has_word(&statement.text, it) && is_used(it, &left[place + 1..]))
        };
        gone.iter().any(|range| has_word(&function[range.clone()], name))
            && !is_used(name, &left[place + 1..])
            && !left[..place].iter().any(changes)
    }) {
        gone.push(left.remove(unused).range);
    }
    gone
}

/// The statements of a function that the `targets` among them do not depend on, by the variables that these name: what
/// introduces them, and what may change them, stays. Of what names no variable, only these `assertions` go.
pub(super) fn not_needed(
    function: &str,
    targets: &[Range<usize>],
    assertions: &[Range<usize>],
) -> Vec<Range<usize>> {
    let all = statements(function, |it| !matches!(it, Stmt::Item(_)));
    let bound: BTreeSet<&str> = all.iter().filter_map(|it| it.binds.as_deref()).collect();
    let names = |text: &str| -> BTreeSet<&str> {
        bound.iter().copied().filter(|name| has_word(text, name)).collect()
    };
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    let mut gone = Vec::new();
    for statement in all.iter().rev() {
        let Statement { text, range, binds, .. } = statement;
        let value = match binds {
            Some(_) => text.split_once('=').map_or("", |(_, value)| value),
            None => text,
        };
        let named = names(value);
        // What the function returns has to stay.
        let is_value = !text.ends_with([';', '}']);
        let binds_needed = binds.as_deref().is_some_and(|name| needed.remove(name));
        let names_none = binds.is_none() && named.is_empty() && !assertions.contains(range);
        if is_value
            || targets.contains(range)
            || binds_needed
            || names_none
            || !named.is_disjoint(&needed)
        {
            needed.extend(named);
        } else {
            gone.push(range.clone());
        }
    }
    gone
}

/// Whether one of these statements uses the variable of this name that stands before them: not one that is introduced among
/// them.
fn is_used(name: &str, behind: &[Statement]) -> bool {
    let again = behind.iter().position(|other| other.binds.as_deref() == Some(name));
    let (before, from) = behind.split_at(again.unwrap_or(behind.len()));
    let value = from.first().and_then(|again| again.text.split_once('='));
    before.iter().any(|other| has_word(&other.text, name))
        || value.is_some_and(|(_, value)| has_word(value, name))
}

fn calls_one_of(statement: &Stmt, helpers: &[String]) -> bool {
    matches!(statement, Stmt::Expr(Expr::Call(call), _)
        if matches!(&*call.func, Expr::Path(path)
            if path.path.get_ident().is_some_and(|name| helpers.iter().any(|helper| name == helper))))
}

/// The assertions of a test.
struct Far<'a> {
    assertions: &'a [Statement],
    /// What those are like that stay, and how many these are.
    like: &'a [String],
    most: usize,
    state: State,
}

impl Far<'_> {
    /// What takes the far ones out of the `function` in `text`, if there are any.
    fn removal(&self, text: &str, function: &FreeFunction<'_>) -> Option<Reduction> {
        let Far { assertions, like, most, state } = *self;
        if assertions.len() <= most {
            return None;
        }
        let likeness = |statement: &Statement| {
            let all = like.iter().map(|other| strsim::sorensen_dice(other, &statement.text));
            all.fold(0.0, f64::max)
        };
        let mut ranked: Vec<(f64, &Statement)> =
            assertions.iter().map(|statement| (likeness(statement), statement)).collect();
        ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let ranges = |of: &[(f64, &Statement)]| -> Vec<Range<usize>> {
            of.iter().map(|(_, statement)| statement.range.clone()).collect()
        };
        let (near, far) = (ranges(&ranked[..most]), ranges(&ranked[most..]));
        let last = near.iter().map(|range| range.end).max()?;
        let test = &text[function.range.clone()];
        // Nobody looks at what is done behind the last one that stays.
        let behind = statements(test, |_| true).into_iter().map(|statement| statement.range);
        let is_behind =
            |range: &Range<usize>| range.start >= last && test[range.clone()].ends_with([';', '}']);
        let mut gone: Vec<Range<usize>> = behind.filter(is_behind).collect();
        gone.extend(far.iter().filter(|range| state == State::Free && range.start < last).cloned());
        let gone = match state {
            State::Free => with_variables(test, gone),
            State::Kept => {
                let others = not_needed(test, &near, &far).into_iter();
                others.filter(|range| range.start < last).chain(gone).collect()
            }
        };
        let start = function.range.start;
        let removals = gone.into_iter().map(|range| range.offset_by(start));
        Some(removals.fold(Reduction::default(), Reduction::and_remove))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{on_one_line, sources_of};

    /// With so many of the assertions of `passes`, which have to be like what `fails` says.
    fn trimmed(text: &str, most: usize) -> String {
        let sources = sources_of(text);
        let like = function_text(&sources, "fails");
        let left = with_nearest_assertions(&sources, &["passes"], &like, most, State::Free);
        left.files[0].text.to_string()
    }

    #[test]
    fn what_the_assertions_look_at_comes_to_where_it_was() {
        let text = "#[test] fn fails() { all.next(); } #[test] fn passes() { let all = f(1); assert_eq!(all.next(), None); \
                    let mut all = f(2); let b = 1; assert_eq!(all.next(), Some(b)); setup(); assert!(far(b)); assert!(c()); \
                    let all = f(3); let mut it = all.iter(); assert_eq!(it.x(), 1); assert_eq!(all.next(), it.y()); it.z(); }";
        let sources = sources_of(text);
        let left = with_nearest_assertions(
            &sources,
            &["passes"],
            "fn a() { assert_eq!(all.next(), it.y()); }",
            1,
            State::Kept,
        );
        let left = on_one_line(&left.files[0].text);
        let end = "{ setup(); let all = f(3); let mut it = all.iter(); assert_eq!(it.x(), 1); assert_eq!(all.next(), it.y()); }";
        assert!(left.ends_with(end), "{left}");
    }

    #[test]
    fn the_assertions_that_read_most_alike_stay() {
        let text = "#[test] fn fails() { assert_eq!(show(\"%.1f\", 9.99), \"10.0\"); } \
                    #[test] fn passes() { let a = 1; assert_eq!(show(\"%e\", 1e9), \"1e9\"); \
                    assert_eq!(show(\"%.1f\", 9.44), \"9.4\"); b(a); assert!(c()); } fn other() { assert!(c()); d(); }";
        let end =
            "{ assert_eq!(show(\"%.1f\", 9.44), \"9.4\"); } fn other() { assert!(c()); d(); }";
        assert!(on_one_line(&trimmed(text, 1)).contains(end));
        assert_eq!(trimmed(text, 3), text);
    }

    #[test]
    fn calls_of_helpers_that_assert_are_assertions_too() {
        let text = "fn check(a: u8) { assert!(a > 0) } fn make() {} #[test] fn fails() { check(7) } \
                    #[test] fn passes() { make(); check(1); check(70); make(); }";
        let left = on_one_line(&trimmed(text, 1));
        assert!(left.ends_with("{ make(); check(70); }"), "{left}");
    }

    #[test]
    fn what_changes_a_variable_stays_and_what_stands_behind_the_last_assertion_goes() {
        let text = "#[test] fn fails() { check(7) } #[test] fn passes() { let mut a = f(); let b = a.read(1); \
                    assert!(far(b)); assert_eq!(check(7), a.g()); a.clear(); let c = a.h(); assert!(far(c)); Ok(()) }";
        let left = on_one_line(&trimmed(text, 1));
        let end = "{ let mut a = f(); let b = a.read(1); assert_eq!(check(7), a.g()); Ok(()) }";
        assert!(left.ends_with(end), "{left}");
    }

    #[test]
    fn variables_that_only_far_assertions_use_go_with_them() {
        let text = "#[test] fn fails() { check(7) } #[test] fn passes() { let a = f(); let b = a; let _c = a; let d = 1; \
                    assert!(far(b)); assert_eq!(check(7), 7); }";
        let left = on_one_line(&trimmed(text, 1));
        let end = "{ let a = f(); let _c = a; let d = 1; assert_eq!(check(7), 7); }";
        assert!(left.ends_with(end), "{left}");
    }
}
