//! The line that moves.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often it is drawn, a second.
const DRAWS: u8 = 10;

/// A line at the bottom of the terminal that says how far the search is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    most: usize,
}

impl Progress {
    /// A line on standard error; not drawn where that is no terminal, or where
    /// `CARGO_TERM_PROGRESS_WHEN` is `never`.
    #[must_use]
    pub fn on_terminal() -> Progress {
        let never = std::env::var("CARGO_TERM_PROGRESS_WHEN").is_ok_and(|when| when == "never");
        if never {
            return Progress::hidden();
        }
        Progress::on(ProgressDrawTarget::stderr_with_hz(DRAWS))
    }

    /// No line.
    #[must_use]
    pub fn hidden() -> Progress {
        Progress::on(ProgressDrawTarget::hidden())
    }

    fn on(target: ProgressDrawTarget) -> Progress {
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{prefix:>12} [{bar:24}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix("Reducing");
        Progress { bar, most: 0 }
    }

    /// Shows a state of the search.
    pub fn show(&mut self, candidates: u64, elements: usize, elapsed: Duration) {
        self.most = self.most.max(elements);
        self.bar.set_length(self.most as u64);
        self.bar.set_position((self.most - elements) as u64);
        self.bar.set_message(state(candidates, elements, elapsed));
    }

    /// Prints something above the line.
    pub fn above(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        self.bar.finish_and_clear();
        self.most = 0;
        self.bar.reset();
    }
}

fn state(candidates: u64, elements: usize, elapsed: Duration) -> String {
    let milliseconds = elapsed.as_millis().max(1);
    let rate = u128::from(candidates) * 1000 / milliseconds;
    format!("{elements} elements left, {candidates} candidates, {rate}/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_tells_the_rate() {
        let text = state(500, 310, Duration::from_secs(2));
        assert_eq!(text, "310 elements left, 500 candidates, 250/s");
        assert!(state(5, 1, Duration::ZERO).ends_with("5000/s"));
    }

    #[test]
    fn a_search_may_grow_again() {
        let mut progress = Progress::hidden();
        for elements in [10, 4, 20, 1] {
            progress.show(1, elements, Duration::from_secs(1));
        }
        assert_eq!(progress.bar.position(), 19);
        assert_eq!(progress.bar.length(), Some(20));
    }
}
