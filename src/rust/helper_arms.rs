//! What helpers of tests may lose: the arms of a `match` that nobody gets to.

use std::collections::HashSet;

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, ExprMatch, ItemFn};

use super::named::dense;
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
        choice.arms.retain(|arm| {
            self.0.contains(&dense(arm)) || asserts(&arm.to_token_stream().to_string())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::lacks_only_arms;

    const BEFORE: &str = "pub fn f(t: T) -> U { match t { T::A { a, b } => U::A(a, b), T::B => match t.b { 1 => 2, _ => 3 }, \
                          T::C => { return assert!(t.c) } } }";

    fn lacks(parts: &[&str]) -> bool {
        let now = parts.iter().fold(BEFORE.to_owned(), |text, part| text.replacen(part, "", 1));
        assert_ne!(now, BEFORE);
        lacks_only_arms(BEFORE, &now)
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
