//! A module with a test of its own and the functions that ask for inputs on the way of that: what is asked for in a helper
//! is another input in each run, so that each run needs helpers of its own.

use std::collections::BTreeSet;
use std::ops::Range;

use super::asked::Call;
use super::driver::{DRIVER, TestFunction};
use crate::rust::free_functions::{FreeFunction, free_functions};
use crate::source::scan;

/// The functions that are between a test and the inputs that it asks for.
#[derive(Default)]
pub(super) struct Helpers<'t>(Vec<FreeFunction<'t>>);

impl<'t> Helpers<'t> {
    /// Those of a test among the functions beside it in a `text`; `None` if something is asked for elsewhere.
    pub(super) fn of(text: &'t str, test: &TestFunction, calls: &[Call]) -> Option<Self> {
        let all = free_functions(text, |_| true);
        let own = all.iter().find(|it| it.range.contains(&test.name_range.start))?;
        let is_beside = |it: &&FreeFunction<'t>| {
            it.within == own.within && it.name != own.name && it.name != DRIVER
        };
        let beside: Vec<FreeFunction<'t>> = all.iter().filter(is_beside).cloned().collect();
        let holds = |it: &FreeFunction<'t>, call: &Call| it.body.contains(&call.range.start);
        let is_copied = |call: &Call| holds(own, call) || beside.iter().any(|it| holds(it, call));
        if !calls.iter().all(is_copied) {
            return None;
        }
        let names = |is_one: &dyn Fn(&FreeFunction<'t>) -> bool| -> BTreeSet<&'t str> {
            beside.iter().filter(|it| is_one(it)).map(|it| it.name).collect()
        };
        let words = |it: &FreeFunction<'t>| scan::words(&text[it.body.clone()]);
        let asking = names(&|it| calls.iter().any(|call| holds(it, call)));
        let asking = grown(asking, |known| names(&|it| words(it).any(|word| known.contains(word))));
        // Other tests may ask for the same.
        let in_test: BTreeSet<&str> = words(own).collect();
        let used = grown(names(&|it| in_test.contains(it.name)), |known| {
            let users = beside.iter().filter(|it| known.contains(it.name));
            let used: BTreeSet<&str> = users.flat_map(words).collect();
            names(&|it| used.contains(it.name))
        });
        let is_needed = |it: &FreeFunction<'t>| asking.contains(it.name) && used.contains(it.name);
        Some(Helpers(beside.iter().filter(|it| is_needed(it)).cloned().collect()))
    }

    /// Whether the test itself asks for all of them.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A module of that name with copies of them, and with the `test`, all as `written` writes a part of the text.
    pub(super) fn module(
        &self,
        name: &str,
        test: &str,
        written: impl Fn(Range<usize>) -> String,
    ) -> String {
        let helpers = self.0.iter().map(|it| written(it.range.clone()));
        let items = helpers.chain([test.to_owned()]).map(|item| one_module_deeper(&item));
        let items: Vec<String> = items.collect();
        format!("mod {name} {{\nuse super::*;\n{}\n}}", items.join("\n\n"))
    }
}

/// What is known, and all that follows from it.
fn grown<'t>(
    mut known: BTreeSet<&'t str>,
    following: impl Fn(&BTreeSet<&'t str>) -> BTreeSet<&'t str>,
) -> BTreeSet<&'t str> {
    loop {
        let before = known.len();
        known.extend(following(&known));
        if known.len() == before {
            return known;
        }
    }
}

/// The text with its paths to the module around it as they are one module deeper.
fn one_module_deeper(text: &str) -> String {
    let mut moved = String::new();
    let mut done = 0;
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    for (place, token) in tokens.iter().enumerate() {
        let next = |at: usize| tokens.get(at).map(|token| token.text);
        let is_first = place.checked_sub(1).and_then(next) != Some(":");
        let leads = next(place + 1) == Some(":") && next(place + 2) == Some(":");
        let new = match token.text {
            "super" if is_first && leads => "super::super",
            "self" if is_first && leads => "super",
            _ => continue,
        };
        moved += &text[done..token.start];
        moved += new;
        done = token.start + token.text.len();
    }
    moved + &text[done..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_one_module_deeper() {
        assert_eq!(
            one_module_deeper(
                "super::f(self::g(), crate::super_x, a::h(self.b)) + super::super::i"
            ),
            "super::super::f(super::g(), crate::super_x, a::h(self.b)) + super::super::super::i"
        );
    }
}
