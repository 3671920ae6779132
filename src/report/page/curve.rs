//! The size of the best over candidates and time, as lines.

use std::fmt::Write;

use serde::Serialize;

use crate::report::Step;
use crate::report::phrases::grouped;

/// The box that the lines are drawn in.
const WIDTH: u64 = 1_000;
const HEIGHT: f64 = 240.0;
/// Where the first size is so many times the last, each tenth of the height is a factor.
const LOGARITHMIC: usize = 20;
/// Steps that are drawn.
const MOST_DRAWN: usize = 600;

/// The lines and what stands at their ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Curve {
    /// The path over candidates.
    by_candidates: String,
    /// The path over time.
    by_time: String,
    most: String,
    least: String,
    /// How many there were, in words.
    candidates: String,
    time: String,
    is_logarithmic: bool,
    /// How many steps there were.
    steps: String,
}

/// How many candidates there were in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) all: u64,
    /// Whether some of them were known and not run again.
    pub(super) with_repeats: bool,
}

impl Curve {
    /// That of `steps`, up to the state `last`, after the candidates `asked`; `None` if there is nothing to see.
    ///
    /// A search may get below the size of the `result`, if that is known: what it has found then was not taken.
    pub(super) fn new(
        steps: &[Step],
        last: Option<&Step>,
        asked: Asked,
        result: Option<usize>,
    ) -> Option<Curve> {
        let least = result.unwrap_or_default();
        let mut all = joined(&steady(steps.iter().chain(last)));
        for step in &mut all {
            step.elements = step.elements.max(least);
        }
        let count = all.windows(2).filter(|two| two[0].elements > two[1].elements).count();
        let most = all.iter().map(|step| step.elements).max()?;
        let least = all.iter().map(|step| step.elements).min()?;
        if count == 0 {
            return None;
        }
        let each = all.len().div_ceil(MOST_DRAWN);
        let end = all.last()?;
        let end = Step { candidates: end.candidates.max(asked.all), ..end.clone() };
        let is_drawn = |(place, step): &(usize, Step)| step.is_first || place.is_multiple_of(each);
        all = all.into_iter().enumerate().filter(is_drawn).map(|(_, step)| step).collect();
        all.push(Step { is_first: false, ..end.clone() });
        let is_logarithmic = most / least.max(1) >= LOGARITHMIC;
        let height = |elements: usize| {
            let scale = |elements: usize| {
                let elements = f64::from(u32::try_from(elements).unwrap_or(u32::MAX));
                if is_logarithmic { elements.max(1.0).ln() } else { elements }
            };
            let span = scale(most) - scale(least);
            HEIGHT * (1.0 - (scale(elements) - scale(least)) / span)
        };
        let line = |place: &dyn Fn(&Step) -> u64| {
            let whole = place(&end).max(1);
            let mut path = String::new();
            for step in &all {
                let (x, y) = (place(step) * WIDTH / whole, height(step.elements));
                // The size stays until the next step.
                let _ = if step.is_first {
                    write!(path, "M{x},{y:.1}")
                } else {
                    write!(path, "H{x}V{y:.1}")
                };
            }
            path
        };
        Some(Curve {
            by_candidates: line(&|step| step.candidates),
            by_time: line(&|step| step.elapsed_ms),
            most: grouped(most as u64),
            least: grouped(least as u64),
            candidates: grouped(end.candidates)
                + if asked.with_repeats { " candidates with repeats" } else { " candidates" },
            time: crate::report::lines::duration(end.elapsed_ms),
            is_logarithmic,
            steps: grouped(count as u64),
        })
    }
}

/// The searches as one line: from when something went first, each goes on where the one before ended. One that counts
/// more elements than were left and gets below them, since it counts in another way, begins a line of its own.
fn joined(all: &[Step]) -> Vec<Step> {
    let mut line: Vec<Step> = Vec::new();
    for search in all.chunk_by(|_, next| !next.is_first) {
        let [first, .., last] = search else {
            // What has begun and told no more only says how long nothing went.
            line.extend(line.last().map(|left| stays(left, &search[0])));
            continue;
        };
        let least = search.iter().map(|step| step.elements).min().unwrap_or_default();
        match line.last() {
            None if least == first.elements => {}
            None => line.extend_from_slice(search),
            Some(left) if least >= left.elements => line.push(stays(left, last)),
            Some(left) => {
                let is_first = first.elements > left.elements;
                line.push(stays(left, first));
                line.push(Step { is_first, ..first.clone() });
                line.extend_from_slice(&search[1..]);
            }
        }
    }
    line
}

/// As many elements as were `left`, when the search was `there`.
fn stays(left: &Step, there: &Step) -> Step {
    Step { is_first: false, elements: left.elements, ..there.clone() }
}

/// The steps of one search after the other, as those of one.
fn steady<'s>(steps: impl Iterator<Item = &'s Step>) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    let (mut before, mut last_ms) = (0, 0);
    for step in steps {
        if step.elapsed_ms < last_ms {
            before += last_ms;
        }
        last_ms = step.elapsed_ms;
        let candidates = all.last().map_or(0, |last| last.candidates).max(step.candidates);
        all.push(Step { candidates, elapsed_ms: before + step.elapsed_ms, ..step.clone() });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(all: u64) -> Asked {
        Asked { all, with_repeats: false }
    }

    fn step(candidates: u64, elements: usize, elapsed_ms: u64) -> Step {
        Step { is_first: candidates == 0, candidates, elements, elapsed_ms, what: None }
    }

    #[test]
    fn the_line_goes_from_the_first_size_to_the_last() {
        let steps = [step(0, 10, 0), step(10, 5, 100), step(20, 2, 400)];
        let curve = Curve::new(&steps, Some(&step(40, 2, 1000)), all(40), None).unwrap();
        assert_eq!(curve.by_candidates, "M0,0.0H250V150.0H500V240.0H1000V240.0H1000V240.0");
        assert_eq!(curve.by_time, "M0,0.0H100V150.0H400V240.0H1000V240.0H1000V240.0");
        assert_eq!((&*curve.steps, &*curve.time), ("2", "1.0 s"));
        assert!(!curve.is_logarithmic);
    }

    #[test]
    fn the_line_ends_at_the_size_of_the_result() {
        let steps = [step(0, 10, 0), step(10, 5, 100), step(20, 4, 400)];
        let curve = Curve::new(&steps, None, all(40), Some(5)).unwrap();
        assert_eq!((&*curve.most, &*curve.least, &*curve.steps), ("10", "5", "1"));
    }

    #[test]
    fn there_is_no_line_where_nothing_went() {
        assert_eq!(Curve::new(&[], None, all(0), None), None);
        assert_eq!(Curve::new(&[step(0, 3, 0)], Some(&step(9, 3, 9)), all(9), None), None);
    }

    #[test]
    fn the_line_begins_where_something_went() {
        let steps = [step(0, 1, 0), step(0, 10, 10), step(5, 4, 20)];
        let curve = Curve::new(&steps, None, all(0), None).unwrap();
        assert_eq!((&*curve.most, &*curve.least), ("10", "4"));
        assert_eq!(curve.by_candidates, "M0,0.0H1000V240.0H1000V240.0");
    }

    #[test]
    fn the_line_has_no_gap_and_does_not_rise_where_nothing_more_went() {
        let first = |candidates, elements| Step { is_first: true, ..step(candidates, elements, 0) };
        let steps = [step(0, 10, 0), step(10, 5, 0), first(20, 6), step(30, 6, 0), first(40, 5)];
        let drawn = Curve::new(&steps, None, all(80), None).unwrap();
        assert_eq!(drawn.by_candidates, "M0,0.0H125V240.0H375V240.0H500V240.0H1000V240.0");
        assert_eq!((&*drawn.steps, &*drawn.candidates), ("1", "80 candidates"));
    }

    #[test]
    fn a_search_that_counts_in_another_way_has_a_line_of_its_own() {
        let first = |candidates, elements| Step { is_first: true, ..step(candidates, elements, 0) };
        let steps = [step(0, 10, 0), step(10, 5, 0), first(20, 8), step(40, 0, 0)];
        let drawn = Curve::new(&steps, None, all(0), None).unwrap();
        assert_eq!(
            drawn.by_candidates,
            "M0,0.0H250V120.0H500V120.0M500,48.0H1000V240.0H1000V240.0"
        );
    }

    #[test]
    fn searches_follow_one_another() {
        let all = steady([step(5, 9, 500), step(3, 4, 0), step(9, 4, 100)].iter());
        let times: Vec<u64> = all.iter().map(|step| step.elapsed_ms).collect();
        let candidates: Vec<u64> = all.iter().map(|step| step.candidates).collect();
        assert_eq!((times, candidates), (vec![500, 500, 600], vec![5, 5, 9]));
    }

    #[test]
    fn many_steps_are_drawn_as_few() {
        let steps: Vec<Step> =
            (0..5_000_u32).map(|at| step(at.into(), 5_000 - at as usize, at.into())).collect();
        let curve = Curve::new(&steps, None, all(0), None).unwrap();
        assert!(curve.by_time.len() < 20_000 && curve.is_logarithmic);
    }
}
