//! What a single argument can be.

use std::borrow::Borrow;
use std::hash::Hash;

use super::Argument;

/// A sequence that a test is called with: a `str` (its elements are the chars), a slice, an array or a
/// vector of anything that can be cloned and hashed (bytes too).
///
/// Elements that cannot be hashed (floats) are reduced by their indices: a `Vec<usize>` from which the
/// closure makes its real argument.
///
/// ```
/// let all = [1.5, -2.0, 3.0];
/// let places: Vec<usize> = (0..all.len()).collect();
/// let smallest = cargo_reduce::minimize(&places, |places: &[usize]| {
///     assert!(places.iter().all(|place| all[*place] > 0.0))
/// })?;
/// assert_eq!(smallest, [1]);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub trait Sequence {
    /// What the test gets a reference to.
    type View: ?Sized;
    /// What comes back.
    type Owned: Argument + Borrow<Self::View>;

    /// The sequence as a value of its own.
    fn to_argument(&self) -> Self::Owned;
}

impl Sequence for str {
    type View = str;
    type Owned = String;

    fn to_argument(&self) -> String {
        self.to_owned()
    }
}

impl Sequence for String {
    type View = str;
    type Owned = String;

    fn to_argument(&self) -> String {
        self.clone()
    }
}

impl<T: Clone + Hash> Sequence for [T] {
    type View = [T];
    type Owned = Vec<T>;

    fn to_argument(&self) -> Vec<T> {
        self.to_vec()
    }
}

impl<T: Clone + Hash, const N: usize> Sequence for [T; N] {
    type View = [T];
    type Owned = Vec<T>;

    fn to_argument(&self) -> Vec<T> {
        self.to_vec()
    }
}

impl<T: Clone + Hash> Sequence for Vec<T> {
    type View = [T];
    type Owned = Vec<T>;

    fn to_argument(&self) -> Vec<T> {
        self.clone()
    }
}
