//! Minimizing, maximizing and isolating.

use std::borrow::Borrow;

use super::panics::panic_of;
use super::{Args, Sequence};
use crate::reduce::dd::{self, DdError, Kept, Mode};
use crate::reduce::{Candidate, FromFn, Memory, Outcome, Problem, Stop};

/// What [`isolate`] and [`dd()`] end with.
///
/// ```
/// let found = cargo_reduce::isolate("1+(2)", |text: &str| assert!(!text.contains('(')))?;
/// assert!(!found.passing.contains('('));
/// assert!(found.failing.contains('('));
/// assert_eq!(found.difference, "(");
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolated<T> {
    /// Passes; part of `failing`.
    pub passing: T,
    /// Fails.
    pub failing: T,
    /// The elements that are in `failing` only.
    pub difference: T,
}

/// Minimizes the argument of a call that panics: removes elements until the removal of any one more
/// ends the panic or changes its message.
///
/// # Errors
/// [`DdError::NotFailing`] if the call does not panic, [`DdError::NotReproducible`] if it does not
/// panic again in the same way.
///
/// ```
/// // Which part of this text is it that cannot be parsed?
/// let numbers = |text: &str| {
///     text.split(',').map(|number| number.trim().parse::<u8>().unwrap()).sum::<u8>()
/// };
/// let smallest = cargo_reduce::minimize("1, 20, 3, 256, 5", |text: &str| numbers(text))?;
/// assert_eq!(smallest, "256");
///
/// // Bytes, arrays, slices and vectors are sequences too.
/// let smallest = cargo_reduce::minimize(&[3, 1, 4, 1, 5, 9], |list: &[i32]| assert!(list.is_sorted()))?;
/// assert_eq!(smallest, [3, 1]);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn minimize<S: Sequence + ?Sized, R>(
    input: &S,
    mut call: impl FnMut(&S::View) -> R,
) -> Result<S::Owned, DdError> {
    minimize_args((input.to_argument(),), |(input,)| call(input.borrow())).map(|(input,)| input)
}

/// As [`minimize`], with several arguments, which are minimized in turn until none changes.
///
/// # Errors
/// As [`minimize`].
///
/// ```
/// use cargo_reduce::{Fixed, minimize_args};
///
/// let call = |(list, limit): &(Vec<u32>, Fixed<usize>)| assert!(list.len() < limit.0, "too long");
/// let (list, _) = minimize_args(((0..10).collect(), Fixed(3)), call)?;
/// assert_eq!(list.len(), 3);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn minimize_args<A: Args, R>(args: A, call: impl FnMut(&A) -> R) -> Result<A, DdError> {
    with_problem(args, call, |problem| {
        let count = problem.best().0.elements().len();
        dd::in_turn(count, |argument| {
            let elements = |call: &Call<A>| call.0.elements()[argument];
            dd::shrink_list(problem, elements, |call, removed| {
                let mut kept: Vec<Kept> = call.0.elements().into_iter().map(Kept::all).collect();
                kept[argument] = Kept::all_but(kept[argument].total(), removed);
                Call(call.0.keep(&kept))
            })
        })?;
        Ok(problem.best().0.clone())
    })
}

/// Maximizes the argument of a call that panics: finds a part of it with which the call returns, and
/// to which no other single element can be added.
///
/// # Errors
/// As [`minimize`], and [`DdError::NotPassing`] if the call panics without all elements too.
///
/// ```
/// let divide = |text: &str| assert!(!text.contains("/ 0"), "division by zero");
/// assert_eq!(cargo_reduce::maximize("1 + 2 * 3 / 0", divide)?, "1 + 2 * 3  0");
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn maximize<S: Sequence + ?Sized, R>(
    input: &S,
    mut call: impl FnMut(&S::View) -> R,
) -> Result<S::Owned, DdError> {
    maximize_args((input.to_argument(),), |(input,)| call(input.borrow())).map(|(input,)| input)
}

/// As [`maximize`], with several arguments; no single element of any of them can be added.
///
/// # Errors
/// As [`maximize`].
///
/// ```
/// let too_many = |(a, b): &(Vec<u8>, Vec<u8>)| assert!(a.len() + b.len() < 5, "too many");
/// let (a, b) = cargo_reduce::maximize_args((vec![1, 2, 3], vec![4, 5, 6]), too_many)?;
/// assert_eq!(a.len() + b.len(), 4);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn maximize_args<A: Args, R>(args: A, call: impl FnMut(&A) -> R) -> Result<A, DdError> {
    debug_args(args, Mode::Maximize, call).map(|isolated| isolated.passing)
}

/// Isolates what makes the difference between a call that panics and one that returns: both are parts
/// of the argument, and their difference is as small as dd can make it.
///
/// # Errors
/// As [`maximize`].
///
/// ```
/// let isolated = cargo_reduce::isolate(b"ab(cd)ef", |bytes: &[u8]| {
///     let place = |wanted| bytes.iter().position(|byte| *byte == wanted);
///     assert!(place(b'(').is_none() || place(b')').is_none(), "parentheses");
/// })?;
/// assert_eq!(isolated.difference.len(), 1);
/// assert_eq!(isolated.failing.len(), isolated.passing.len() + 1);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn isolate<S: Sequence + ?Sized, R>(
    input: &S,
    mut call: impl FnMut(&S::View) -> R,
) -> Result<Isolated<S::Owned>, DdError> {
    let isolated = isolate_args((input.to_argument(),), |(input,)| call(input.borrow()))?;
    Ok(isolated.map(|(input,)| input))
}

/// As [`isolate`], with several arguments, whose elements are taken as one sequence: the difference is
/// small over all arguments together.
///
/// # Errors
/// As [`maximize`].
///
/// ```
/// let together = |(a, b): &(Vec<u8>, Vec<u8>)| assert!(a.len() + b.len() < 5, "too many");
/// let isolated = cargo_reduce::isolate_args((vec![1, 2, 3, 4], vec![5, 6, 7, 8]), together)?;
/// assert_eq!(isolated.difference.0.len() + isolated.difference.1.len(), 1);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn isolate_args<A: Args, R>(
    args: A,
    call: impl FnMut(&A) -> R,
) -> Result<Isolated<A>, DdError> {
    debug_args(args, Mode::Both, call)
}

/// Runs the general delta debugging algorithm on a sequence, with a test that says itself what the
/// outcome is.
///
/// Makes the calls of the reference implementation, one by one; equal candidates are asked once. See
/// [`reduce::dd::dd`](crate::reduce::dd::dd()) for what the modes end with, and for subsets in place of
/// sequences.
///
/// # Errors
/// See [`reduce::dd::dd`](crate::reduce::dd::dd()).
///
/// ```
/// use cargo_reduce::{Mode, Outcome, dd};
///
/// let input: Vec<char> = "a(b)c".chars().collect();
/// let outcome = |chars: &[char]| match (chars.contains(&'('), chars.contains(&')')) {
///     (true, true) => Outcome::Fail,
///     _ => Outcome::Pass,
/// };
/// let diff = dd(&input, Mode::Both, |c: &[char]| outcome(c))?;
/// assert_eq!(diff.difference.len(), 1);
/// assert_eq!(dd(&input, Mode::Minimize, outcome)?.failing, ['(', ')']);
/// assert_eq!(dd(&input, Mode::Maximize, outcome)?.passing.len(), 4);
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
pub fn dd<S: Sequence + ?Sized>(
    input: &S,
    mode: Mode,
    mut test: impl FnMut(&S::View) -> Outcome,
) -> Result<Isolated<S::Owned>, DdError> {
    let mut oracle = FromFn(|args: &Call<(S::Owned,)>| test(args.0.0.borrow()));
    let call = Call((input.to_argument(),));
    let isolated = run_dd(&mut Problem::new(call, &mut oracle, Memory::Remember), mode)?;
    Ok(isolated.map(|(input,)| input))
}

/// The arguments of a call as a candidate.
#[derive(Clone, Hash)]
struct Call<A>(A);

impl<A: Args> Candidate for Call<A> {
    type Key = usize;

    fn key(&self) -> usize {
        self.0.elements().into_iter().sum()
    }
}

impl<T> Isolated<T> {
    fn map<U>(self, unwrap: impl Fn(T) -> U) -> Isolated<U> {
        Isolated {
            passing: unwrap(self.passing),
            failing: unwrap(self.failing),
            difference: unwrap(self.difference),
        }
    }
}

/// Runs dd on all elements of the arguments.
fn debug_args<A: Args, R>(
    args: A,
    mode: Mode,
    call: impl FnMut(&A) -> R,
) -> Result<Isolated<A>, DdError> {
    with_problem(args, call, |problem| run_dd(problem, mode))
}

/// Finds the panic of the unchanged arguments, sees it come back, and lets `search` look for smaller ones.
fn with_problem<A: Args, R, T>(
    args: A,
    mut call: impl FnMut(&A) -> R,
    search: impl FnOnce(&mut Problem<'_, Call<A>>) -> Result<T, DdError>,
) -> Result<T, DdError> {
    let original = panic_of(|| call(&args)).ok_or(DdError::NotFailing)?;
    let judge = |args: &Call<A>| original.judge(panic_of(|| call(&args.0)).as_ref());
    let unchanged = Call(args);
    let mut oracle = FromFn(judge);
    let mut problem = Problem::new(unchanged.clone(), &mut oracle, Memory::Remember);
    if !problem.ask(&unchanged)?.is_fail() {
        return Err(DdError::NotReproducible);
    }
    search(&mut problem)
}

/// Runs dd on the elements of all arguments as one sequence.
fn run_dd<A: Args>(problem: &mut Problem<'_, Call<A>>, mode: Mode) -> Result<Isolated<A>, DdError> {
    let original = problem.best().0.clone();
    let elements = original.elements();
    let keep = |kept: &Kept| {
        let mut start = 0;
        let each = elements.iter().map(|count| {
            start += count;
            kept.slice(start - count..start)
        });
        original.keep(&each.collect::<Vec<_>>())
    };
    let ask = |kept: &Kept| -> Result<Outcome, Stop> { problem.ask(&Call(keep(kept))) };
    let found = dd::dd(elements.iter().sum(), mode, ask)?;
    Ok(Isolated {
        passing: keep(&found.passing),
        failing: keep(&found.failing),
        difference: keep(&found.difference()),
    })
}
