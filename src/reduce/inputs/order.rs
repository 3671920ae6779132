//! What "smaller" means: fewer elements first, then simpler values (shortlex, as in Hypothesis).
//!
//! Two candidates of one size are compared leaf by leaf in source order; the first difference
//! decides. Shared subtrees are equal and are skipped, so that comparing a candidate with the one it
//! was made from costs no more than the difference.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Body, Float, Inputs, Int, Node, Value};
use crate::reduce::Candidate;

/// The sort key of [`Inputs`]: a shared handle, compared lazily.
#[derive(Debug, Clone)]
pub struct Rank(Inputs);

impl Candidate for Inputs {
    type Key = Rank;

    fn key(&self) -> Rank {
        Rank(self.clone())
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let mut difference = Difference::default();
        difference.add_lists(&self.0.0, &other.0.0, 0);
        difference.size.cmp(&0).then(difference.simplicity)
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rank {}

/// What was found so far on a walk through two forests side by side.
struct Difference {
    /// How many elements the left has more than the right.
    size: isize,
    /// How the first values that differ compare.
    simplicity: Ordering,
}

impl Default for Difference {
    fn default() -> Self {
        Difference { size: 0, simplicity: Ordering::Equal }
    }
}

impl Difference {
    /// Walks two lists of siblings; ids ascend in both. `each` is what an element itself counts.
    fn add_lists(&mut self, mut left: &[Arc<Node>], mut right: &[Arc<Node>], each: usize) {
        loop {
            let side = match (left.first(), right.first()) {
                (None, None) => return,
                (Some(l), Some(r)) => l.id.cmp(&r.id),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
            };
            if side == Ordering::Equal {
                self.add_nodes(&left[0], &right[0]);
            } else if side == Ordering::Less {
                self.size += (each + left[0].size()).cast_signed();
                self.decide(|| Ordering::Greater);
            } else {
                self.size -= (each + right[0].size()).cast_signed();
                self.decide(|| Ordering::Less);
            }
            left = if side == Ordering::Greater { left } else { &left[1..] };
            right = if side == Ordering::Less { right } else { &right[1..] };
        }
    }

    fn add_nodes(&mut self, left: &Arc<Node>, right: &Arc<Node>) {
        if Arc::ptr_eq(left, right) {
            return;
        }
        match (&left.body, &right.body) {
            (Body::Leaf(l), Body::Leaf(r)) => {
                self.size += l.size().cast_signed() - r.size().cast_signed();
                self.decide(|| simplicity(l, r));
            }
            (Body::Seq(l), Body::Seq(r)) => self.add_lists(l, r, 1),
            (Body::Group(l), Body::Group(r)) => self.add_lists(l, r, 0),
            _ => self.size += left.size().cast_signed() - right.size().cast_signed(),
        }
    }

    fn decide(&mut self, ordering: impl FnOnce() -> Ordering) {
        self.simplicity = self.simplicity.then_with(ordering);
    }
}

/// Compares two values: the simpler one is less.
pub(super) fn simplicity(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Text(l), Value::Text(r)) => {
            let (l_ranks, r_ranks) = (l.chars().map(char_rank), r.chars().map(char_rank));
            l.chars().count().cmp(&r.chars().count()).then_with(|| l_ranks.cmp(r_ranks))
        }
        (Value::Bytes(l), Value::Bytes(r)) => {
            let l_ranks = l.iter().map(|&byte| byte_rank(byte));
            let r_ranks = r.iter().map(|&byte| byte_rank(byte));
            l.len().cmp(&r.len()).then_with(|| l_ranks.cmp(r_ranks))
        }
        (Value::Char(l), Value::Char(r)) => char_rank(*l).cmp(&char_rank(*r)),
        (Value::Int(l), Value::Int(r)) => int_rank(*l).cmp(&int_rank(*r)),
        (Value::Float(l), Value::Float(r)) => float_rank(*l).cmp(&float_rank(*r)),
        (Value::Bool(l), Value::Bool(r)) => l.cmp(r),
        _ => Ordering::Equal,
    }
}

/// How simple a character is to read: letters, digits, space and line end, punctuation, then the
/// rest by code point.
pub(super) fn char_rank(c: char) -> u32 {
    let code = u32::from(c);
    match c {
        'a'..='z' => code - u32::from('a'),
        '0'..='9' => 30 + code - u32::from('0'),
        'A'..='Z' => 50 + code - u32::from('A'),
        ' ' => 80,
        '\n' => 81,
        c if c.is_ascii_punctuation() => 100 + code,
        _ => 300 + code,
    }
}

/// As [`char_rank`], with the zero byte before all.
pub(super) fn byte_rank(byte: u8) -> u32 {
    if byte == 0 { 0 } else { 1 + char_rank(char::from(byte)) }
}

/// From here on a number is read digit by digit, and zeros at its end make it simpler.
pub(super) const LARGE: u128 = 10_000_000;

/// By magnitude; large numbers by how many digits they have, then by how many of these come before
/// the zeros at the end: `79_000_000_000` is simpler than `12_345_678_901`.
fn int_rank(int: Int) -> (u32, u32, u128, bool) {
    let (digits, significant) = if int.magnitude < LARGE {
        (0, 0)
    } else {
        let digits = int.magnitude.ilog10() + 1;
        (digits, digits - zeros_at_the_end(int.magnitude))
    };
    (digits, significant, int.magnitude, int.negative)
}

fn zeros_at_the_end(mut magnitude: u128) -> u32 {
    let mut zeros = 0;
    while magnitude != 0 && magnitude.is_multiple_of(10) {
        magnitude /= 10;
        zeros += 1;
    }
    zeros
}

/// Whole numbers before fractions, fractions by the number of their digits, then what is not finite.
fn float_rank(Float(value): Float) -> (u8, usize, u64, bool) {
    let magnitude = value.abs();
    let sign = value.is_sign_negative();
    if !magnitude.is_finite() {
        return (2, 0, magnitude.to_bits(), sign);
    }
    if magnitude.fract() == 0.0 {
        return (0, 0, magnitude.to_bits(), sign);
    }
    (1, format!("{magnitude:e}").len(), magnitude.to_bits(), sign)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{bytes, float, group, inputs, int, seq, text};
    use super::*;

    fn smaller(left: super::super::testing::Plan, right: super::super::testing::Plan) -> bool {
        inputs([left]).key() < inputs([right]).key()
    }

    #[test]
    fn fewer_elements_come_before_simpler_values() {
        assert!(smaller(text("zz"), text("aaa")));
        assert!(smaller(text("aa"), text("ab")));
        assert!(smaller(text("a"), text("0")));
        assert!(smaller(text(" "), text("-")));
        assert!(smaller(text("~"), text("é")));
        assert!(smaller(bytes(b"\0"), bytes(b"a")));
    }

    #[test]
    fn numbers_are_ordered_by_magnitude() {
        assert!(smaller(int(0), int(1)));
        assert!(smaller(int(5), int(-5)));
        assert!(smaller(int(-5), int(6)));
        assert!(smaller(int(9_999_999), int(10_000_000)));
        assert!(smaller(int(79_000_000_000), int(12_345_678_901)));
        assert!(smaller(int(1_234_567_890), int(10_000_000_000)));
        assert!(smaller(float(1000.0), float(0.5)));
        assert!(smaller(float(0.5), float(0.25)));
        assert!(smaller(float(0.25), float(f64::INFINITY)));
        assert!(smaller(float(0.0), float(-0.0)));
    }

    #[test]
    fn a_removed_element_makes_any_candidate_smaller() {
        let all = inputs([seq([group([int(1), text("ab")]), int(2)]), int(3)]);
        let Body::Seq(children) = &all.0[0].body else { panic!("a sequence") };
        let fewer = all.replace(all.0[0].id, Body::Seq(children[..1].to_vec()));
        assert!(fewer.key() < all.key());
        assert!(all.key() > fewer.key());
        assert!(all.key() == all.key());
    }

    #[test]
    fn the_first_difference_in_source_order_decides() {
        let left = inputs([int(1), int(9)]);
        let right = inputs([int(2), int(0)]);
        assert!(left.key() < right.key());
    }
}
