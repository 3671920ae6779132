//! Candidates run side by side, with an answer as if they had been run one by one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::exec::Interrupt;
use crate::reduce::{Answer, Outcome, Until};

/// How many candidates wait for each worker: while one runs long, the others go on.
const AHEAD: usize = 4;

/// One of several things done side by side has panicked: a bug of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a worker panicked")]
pub struct WorkerPanicked;

/// Does things on so many threads, each of which takes the next one when it is free; the answers are in the order of the
/// things.
pub fn side_by_side<T: Send, R: Send>(
    workers: usize,
    things: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<Result<R, WorkerPanicked>> {
    let work = |thing| catch_unwind(AssertUnwindSafe(|| work(thing))).map_err(|_| WorkerPanicked);
    let answers = up_to_the_last(workers, things, work, |_, _| false);
    answers.into_iter().map(|answer| answer.unwrap_or(Err(WorkerPanicked))).collect()
}

/// As [`side_by_side`], up to the first thing that `is_last` is true of, told its place and the answer: what comes behind it is
/// not begun any more, and its answers do not count.
fn up_to_the_last<T: Send, R: Send>(
    workers: usize,
    things: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
    is_last: impl Fn(usize, &R) -> bool + Sync,
) -> Vec<Option<R>> {
    let things: Vec<T> = things.into_iter().collect();
    let answers: Vec<Mutex<Option<R>>> = things.iter().map(|_| Mutex::new(None)).collect();
    let end = AtomicUsize::new(things.len());
    let queue = Mutex::new(things.into_iter().zip(&answers).enumerate());
    let next =
        || queue.lock().ok()?.next().filter(|(place, _)| *place < end.load(Ordering::SeqCst));
    let take_all = || {
        while let Some((place, (thing, slot))) = next() {
            let answer = work(thing);
            if is_last(place, &answer) {
                end.fetch_min(place + 1, Ordering::SeqCst);
            }
            if let Ok(mut slot) = slot.lock() {
                *slot = Some(answer);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.min(answers.len()) {
            // Where there is no room for another thread, there are fewer. It may parse sources as deep as any other.
            let thread = std::thread::Builder::new().stack_size(crate::source::STACK_BYTES);
            let _ = thread.spawn_scoped(scope, take_all);
        }
        take_all();
    });
    let end = end.load(Ordering::SeqCst);
    answers.into_iter().take(end).map(|answer| answer.into_inner().ok().flatten()).collect()
}

/// Does two things, at once where there are several workers: the second one on a thread of its own.
pub fn both<A, B: Send>(
    workers: usize,
    first: impl FnOnce() -> A,
    second: impl FnOnce() -> B + Send,
) -> (A, Result<B, WorkerPanicked>) {
    let second = Mutex::new(Some(second));
    let take = || second.lock().ok()?.take();
    let do_second = || take().map(|second| second());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(crate::source::STACK_BYTES);
        let other = if workers > 1 { thread.spawn_scoped(scope, do_second).ok() } else { None };
        let answer = first();
        let other = match other {
            Some(other) => other.join().ok().flatten(),
            None => catch_unwind(AssertUnwindSafe(do_second)).ok().flatten(),
        };
        (answer, other.ok_or(WorkerPanicked))
    })
}

/// Workers for one oracle.
#[derive(Debug, Clone)]
pub struct Pool {
    workers: usize,
    interrupt: Interrupt,
}

impl Pool {
    /// A pool of `workers` threads (at least one); `interrupt` stops all of them.
    pub fn new(workers: usize, interrupt: Interrupt) -> Pool {
        Pool { workers: workers.max(1), interrupt }
    }

    /// How many candidates it pays to hand over at once.
    pub fn batch(&self) -> usize {
        if self.workers == 1 { 1 } else { self.workers * AHEAD }
    }

    /// How many threads there are.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// What stops everything.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The outcomes of all candidates that count. Those after the last of them are not started any more, or stopped by the
    /// flag that `judge` is given.
    ///
    /// # Errors
    /// The first error of `judge` before the last candidate that counts.
    pub fn run<C: Sync>(
        &self,
        candidates: &[C],
        until: Until,
        judge: impl Fn(&C, &Interrupt) -> Answer<Outcome> + Sync,
    ) -> Answer<Vec<Outcome>> {
        let flags: Vec<Interrupt> = candidates.iter().map(|_| self.interrupt.child()).collect();
        let is_last = |place: usize, answer: &Answer<Outcome>| {
            let is_last = match answer {
                Ok(outcome) => until == Until::Failure && outcome.is_fail(),
                Err(_) => true,
            };
            if is_last {
                flags[place + 1..].iter().for_each(Interrupt::set);
            }
            is_last
        };
        let asked = candidates.iter().zip(&flags);
        let work = |(candidate, flag): (&C, &Interrupt)| judge(candidate, flag);
        up_to_the_last(self.workers, asked, work, is_last).into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn outcomes(workers: usize, failing: &[usize], count: usize) -> Vec<Outcome> {
        let pool = Pool::new(workers, Interrupt::new());
        let candidates: Vec<usize> = (0..count).collect();
        pool.run(&candidates, Until::Failure, |candidate, _| {
            // Later ones are faster: the answer must not depend on it.
            std::thread::sleep(Duration::from_millis((count - candidate) as u64));
            Ok(Outcome::fail_if(failing.contains(candidate)))
        })
        .unwrap()
    }

    #[test]
    fn what_is_done_side_by_side_is_answered_in_order_also_beside_a_panic() {
        let answers = side_by_side(2, [1, 2, 3], |number| {
            assert_ne!(number, 2, "this one panics");
            number * 10
        });
        assert_eq!(answers, [Ok(10), Err(WorkerPanicked), Ok(30)]);
    }

    #[test]
    fn two_things_are_done_at_once_where_there_is_a_worker_for_each() {
        let flag = Interrupt::new();
        let wait = || {
            while !flag.is_set() {
                std::thread::yield_now();
            }
            2
        };
        let raise = || {
            flag.set();
            1
        };
        assert_eq!(both(2, wait, raise), (2, Ok(1)));
        assert_eq!(both(1, raise, wait), (1, Ok(2)));
        let panics = || -> u8 { panic!("this one panics") };
        for workers in [1, 2] {
            assert_eq!(both(workers, || 1, panics), (1, Err(WorkerPanicked)));
        }
    }

    #[test]
    fn the_answer_is_as_if_candidates_had_been_run_one_by_one() {
        for workers in [1, 2, 4] {
            assert_eq!(outcomes(workers, &[], 6), [Outcome::Pass; 6]);
            assert_eq!(
                outcomes(workers, &[2, 3], 6),
                [Outcome::Pass, Outcome::Pass, Outcome::Fail]
            );
        }
    }

    #[test]
    fn candidates_after_the_first_that_fails_are_stopped() {
        let pool = Pool::new(2, Interrupt::new());
        let stopped = pool.run(&[0, 1], Until::Failure, |candidate, interrupt| {
            while *candidate == 1 && !interrupt.is_set() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(if *candidate == 0 { Outcome::Fail } else { Outcome::Unresolved })
        });
        assert_eq!(stopped.unwrap(), [Outcome::Fail]);
    }

    #[test]
    fn all_are_answered_when_all_are_asked() {
        let pool = Pool::new(2, Interrupt::new());
        let odd = |number: &u8| [Outcome::Pass, Outcome::Fail][usize::from(number % 2)];
        let answer = pool.run(&[1, 2, 3], Until::End, |number, _| Ok(odd(number)));
        assert_eq!(answer.unwrap(), [Outcome::Fail, Outcome::Pass, Outcome::Fail]);
    }

    #[test]
    fn an_error_is_handed_on() {
        let pool = Pool::new(2, Interrupt::new());
        let answer = pool.run(&[0], Until::Failure, |_, _| Err("the disk is full".into()));
        assert_eq!(answer.unwrap_err().to_string(), "the disk is full");
    }
}
