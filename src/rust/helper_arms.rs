//! What helpers of tests may lose: the arms of a `match` that nobody gets to.

use std::collections::HashSet;
use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, ExprMatch, ItemFn};

use super::Change;
use super::named::dense;
use crate::reduce::RangeExt;
use crate::source::asserts;

/// Whether a function is the one that was `before` but for arms of `match`, of which none asserts anything.
pub fn lacks_only_arms(before: &str, now: &str) -> bool {
    let parsed = (syn::parse_str::<ItemFn>(before), syn::parse_str::<ItemFn>(now));
    let (Ok(mut before), Ok(now)) = parsed else { return false };
    let mut left = Left::default();
    left.visit_item_fn(&now);
    left.visit_item_fn_mut(&mut before);
    dense(&before) == dense(&now)
}

/// Whether an arm asserts nothing.
fn is_free(arm: &Arm) -> bool {
    !asserts(&arm.to_token_stream().to_string())
}

/// The arms of a function, by their places in its text, that assert nothing; those around others come first.
#[derive(Debug, Clone, Default)]
pub struct FreeArms(Vec<Range<usize>>);

impl FreeArms {
    /// Those of a function of this text; none where it does not parse.
    pub fn of(function: &str) -> Self {
        let mut arms = FreeArms::default();
        if let Ok(function) = syn::parse_str::<ItemFn>(function) {
            arms.visit_item_fn(&function);
        }
        arms
    }

    /// Whether changes of the text of the function take out nothing but whole ones.
    pub fn are_all_of<'c>(
        &self,
        function: &str,
        mut changes: impl Iterator<Item = &'c Change>,
    ) -> bool {
        let is_layout = |text: &str| text.chars().all(|it| it.is_whitespace() || it == ',');
        changes.all(|change| {
            let mut start = change.range.start;
            for arm in self.0.iter().filter(|arm| change.range.covers(arm)) {
                if arm.start >= start && is_layout(&function[start..arm.start]) {
                    start = arm.end;
                }
            }
            is_layout(&function[start..change.range.end]) && is_layout(&change.text)
        })
    }
}

impl<'f> Visit<'f> for FreeArms {
    fn visit_arm(&mut self, arm: &'f Arm) {
        if is_free(arm) {
            self.0.push(arm.span().byte_range());
        }
        visit::visit_arm(self, arm);
    }
}

/// The arms that are left.
#[derive(Default)]
struct Left(HashSet<String>);

impl<'f> Visit<'f> for Left {
    fn visit_arm(&mut self, arm: &'f Arm) {
        self.0.insert(dense(arm));
        visit::visit_arm(self, arm);
    }
}

/// Takes out all others that assert nothing, first those within arms.
impl VisitMut for Left {
    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        visit_mut::visit_expr_match_mut(self, choice);
        choice.arms.retain(|arm| self.0.contains(&dense(arm)) || !is_free(arm));
    }
}

#[cfg(test)]
mod tests {
    use super::{FreeArms, lacks_only_arms};
    use crate::rust::testing::without;

    const BEFORE: &str = "pub fn f(t: T) -> U { match t { T::A { a, b } => U::A(a, b), T::B => match t.b { 1 => 2, _ => 3 }, \
                          T::C => { return assert!(t.c) } } }";

    fn lacks(parts: &[&str]) -> bool {
        let now = parts.iter().fold(BEFORE.to_owned(), |text, part| text.replacen(part, "", 1));
        assert_ne!(now, BEFORE);
        let lacks = lacks_only_arms(BEFORE, &now);
        let reduction = without(BEFORE, parts);
        assert_eq!(FreeArms::of(BEFORE).are_all_of(BEFORE, reduction.changes.iter()), lacks);
        lacks
    }

    #[test]
    fn arms_that_assert_nothing_may_go_wherever_they_stand() {
        assert!(lacks(&["T::A { a, b } => U::A(a, b), "]));
        assert!(lacks(&["T::A { a, b } => U::A(a, b), ", "1 => 2, "]));
        assert!(lacks(&["T::B => match t.b { 1 => 2, _ => 3 }, "]));
    }

    #[test]
    fn all_else_stays() {
        assert!(!lacks(&["T::C => { return assert!(t.c) } "]));
        assert!(!lacks(&["a, b"]));
        assert!(!lacks(&["2"]));
        assert!(!lacks(&["T::A { a, b } => U::A(a, b), ", "2"]));
        assert!(!lacks_only_arms(BEFORE, "fn f() {"));
    }
}
