//! Candidates run side by side, with an answer as if they had been run one by one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::exec::Interrupt;
use crate::reduce::{OracleError, Outcome, Until};

/// How many candidates wait for each worker: while one runs long, the others go on.
const AHEAD: usize = 4;

/// One of several things done side by side has panicked: a bug of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a worker panicked")]
pub struct WorkerPanicked;

/// A thread that may parse sources as deep as any other.
fn deep_thread() -> std::thread::Builder {
    std::thread::Builder::new().stack_size(crate::source::STACK_BYTES)
}

/// Does things on so many threads, each of which takes the next one when it is free; the answers are in the order of the
/// things.
pub fn side_by_side<T: Send, R: Send>(
    workers: usize,
    things: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<Result<R, WorkerPanicked>> {
    let things: Vec<T> = things.into_iter().collect();
    let answers: Vec<Mutex<Result<R, WorkerPanicked>>> =
        things.iter().map(|_| Mutex::new(Err(WorkerPanicked))).collect();
    let (count, queue) = (things.len(), Mutex::new(things.into_iter().zip(&answers)));
    let next = || queue.lock().ok()?.next();
    let take_all = || {
        while let Some((thing, answer)) = next() {
            let done = catch_unwind(AssertUnwindSafe(|| work(thing)));
            if let Ok(mut answer) = answer.lock() {
                *answer = done.map_err(|_| WorkerPanicked);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.min(count) {
            // Where there is no room for another thread, there are fewer.
            let _ = deep_thread().spawn_scoped(scope, take_all);
        }
        take_all();
    });
    let answers = answers.into_iter().map(Mutex::into_inner);
    answers.map(|answer| answer.unwrap_or(Err(WorkerPanicked))).collect()
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
        judge: impl Fn(&C, &Interrupt) -> Result<Outcome, OracleError> + Sync,
    ) -> Result<Vec<Outcome>, OracleError> {
        let is_last = |answer: &Result<Outcome, OracleError>| match answer {
            Ok(outcome) => until == Until::Failure && outcome.is_fail(),
            Err(_) => true,
        };
        let flags: Vec<Interrupt> = candidates.iter().map(|_| self.interrupt.child()).collect();
        let answers: Vec<Mutex<Option<Result<Outcome, OracleError>>>> =
            candidates.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let end = AtomicUsize::new(candidates.len());
        let work = || {
            loop {
                let place = next.fetch_add(1, Ordering::SeqCst);
                if place >= end.load(Ordering::SeqCst) {
                    return;
                }
                let answer = judge(&candidates[place], &flags[place]);
                let is_last = is_last(&answer);
                if let Ok(mut slot) = answers[place].lock() {
                    *slot = Some(answer);
                }
                if is_last && end.fetch_min(place + 1, Ordering::SeqCst) > place {
                    flags[place + 1..].iter().for_each(Interrupt::set);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.workers.min(candidates.len()) {
                // Where there is no room for another thread, there are fewer.
                let _ = deep_thread().spawn_scoped(scope, work);
            }
            work();
        });
        let counted = answers.into_iter().take(end.load(Ordering::SeqCst));
        counted.filter_map(|answer| answer.into_inner().ok().flatten()).collect()
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
