//! What the arguments of a call can be.

use std::hash::{Hash, Hasher};

use crate::reduce::dd::Kept;

/// One argument of a call.
///
/// Types of your own are arguments if they say what their elements are:
///
/// ```
/// use cargo_reduce::{Argument, Kept, minimize_args};
///
/// #[derive(Debug, Clone, PartialEq, Hash)]
/// struct Route(Vec<&'static str>);
///
/// impl Argument for Route {
///     fn elements(&self) -> usize {
///         self.0.len()
///     }
///
///     fn keep(&self, kept: &Kept) -> Self {
///         Route(kept.of(&self.0))
///     }
/// }
///
/// let route = Route(vec!["Ulm", "Rome", "Oslo"]);
/// let (smallest,) = minimize_args((route,), |(route,)| assert!(!route.0.contains(&"Rome")))?;
/// assert_eq!(smallest, Route(vec!["Rome"]));
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub trait Argument: Clone + Hash {
    /// How many elements can be removed from it.
    fn elements(&self) -> usize;

    /// The argument with only the elements that are `kept`.
    #[must_use]
    fn keep(&self, kept: &Kept) -> Self;
}

impl Argument for String {
    fn elements(&self) -> usize {
        self.chars().count()
    }

    fn keep(&self, kept: &Kept) -> Self {
        let mut text = String::with_capacity(self.len());
        let mut chars = self.chars();
        let mut place = 0;
        for range in kept.ranges() {
            text.extend(chars.by_ref().skip(range.start - place).take(range.len()));
            place = range.end;
        }
        text
    }
}

impl<T: Clone + Hash> Argument for Vec<T> {
    fn elements(&self) -> usize {
        self.len()
    }

    fn keep(&self, kept: &Kept) -> Self {
        kept.of(self)
    }
}

/// An argument that is left as it is.
///
/// ```
/// use cargo_reduce::{Fixed, minimize_args};
///
/// let call = |(text, separator): &(String, Fixed<char>)| assert!(!text.contains(separator.0));
/// let (text, _) = minimize_args((String::from("a,b"), Fixed(',')), call)?;
/// assert_eq!(text, ",");
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fixed<T>(pub T);

impl<T> Hash for Fixed<T> {
    /// Nothing: the argument is the same in every call.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<T: Clone> Argument for Fixed<T> {
    fn elements(&self) -> usize {
        0
    }

    fn keep(&self, _: &Kept) -> Self {
        self.clone()
    }
}

/// The arguments of a call: a tuple of up to eight [`Argument`]s.
///
/// ```
/// let call = |(words, text): &(Vec<&str>, String)| assert!(!words.contains(&text.as_str()));
/// let smallest = cargo_reduce::minimize_args((vec!["a", "b"], String::from("b")), call)?;
/// assert_eq!(smallest, (vec!["b"], String::from("b")));
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub trait Args: Clone + Hash {
    /// The number of elements of each argument.
    fn elements(&self) -> Vec<usize>;

    /// The arguments with only the elements that are kept of each; one subset for each argument.
    #[must_use]
    fn keep(&self, kept: &[Kept]) -> Self;
}

macro_rules! args_of_a_tuple {
    ($($argument:ident $place:tt),+) => {
        impl<$($argument: Argument),+> Args for ($($argument,)+) {
            fn elements(&self) -> Vec<usize> {
                vec![$(self.$place.elements()),+]
            }

            fn keep(&self, kept: &[Kept]) -> Self {
                ($(self.$place.keep(&kept[$place]),)+)
            }
        }
    };
}

args_of_a_tuple!(A 0);
args_of_a_tuple!(A 0, B 1);
args_of_a_tuple!(A 0, B 1, C 2);
args_of_a_tuple!(A 0, B 1, C 2, D 3);
args_of_a_tuple!(A 0, B 1, C 2, D 3, E 4);
args_of_a_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
args_of_a_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
args_of_a_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

#[cfg(test)]
mod tests {
    use super::{Args, Argument, Fixed};
    use crate::reduce::dd::Kept;

    #[test]
    fn chars_are_the_elements_of_a_string() {
        let text = String::from("aäß😀z");
        assert_eq!(text.elements(), 5);
        assert_eq!(text.keep(&Kept::all_but(5, &[0..1, 3..4])), "äßz");
        assert_eq!(text.keep(&Kept::none(5)), "");
    }

    #[test]
    fn each_argument_of_a_tuple_keeps_its_own() {
        let args = (String::from("ab"), vec![1, 2, 3], Fixed(0.5));
        assert_eq!(args.elements(), [2, 3, 0]);
        let kept = args.keep(&[Kept::none(2), Kept::all_but(3, &[0..1, 1..2]), Kept::none(0)]);
        assert_eq!(kept, (String::new(), vec![3], Fixed(0.5)));
    }
}
