//! How far the search is: a line that moves on a terminal, and elsewhere a new line now and then.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often it is drawn, a second.
const DRAWS: u8 = 10;

/// Between two lines, where none can move.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Says how far the search is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    most: usize,
    /// How long the search had run at the last line, where none can move.
    line_at: Option<Duration>,
}

impl Progress {
    /// On standard error; nothing where `CARGO_TERM_PROGRESS_WHEN` is `never`.
    pub fn on_stderr() -> Progress {
        let never = std::env::var("CARGO_TERM_PROGRESS_WHEN").is_ok_and(|when| when == "never");
        match std::io::stderr().is_terminal() {
            _ if never => Progress::hidden(),
            true => Progress::on(ProgressDrawTarget::stderr_with_hz(DRAWS)),
            false => Progress::in_lines(),
        }
    }

    /// A new line now and then, for logs.
    pub fn in_lines() -> Progress {
        Progress { line_at: Some(Duration::ZERO), ..Progress::hidden() }
    }

    /// Nothing.
    pub fn hidden() -> Progress {
        Progress::on(ProgressDrawTarget::hidden())
    }

    fn on(target: ProgressDrawTarget) -> Progress {
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{prefix:>12} [{bar:24}] {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix("Reducing");
        Progress { bar, most: 0, line_at: None }
    }

    /// Shows a state of a search that has run for so long; the line to be written, if it is time for one.
    pub fn show(&mut self, candidates: u64, elements: usize, elapsed: Duration) -> Option<String> {
        let state = state(candidates, elements, elapsed);
        if let Some(last) = &mut self.line_at {
            // The next search begins at zero.
            *last = (*last).min(elapsed);
            let is_due = elapsed.saturating_sub(*last) >= BETWEEN_LINES;
            if is_due {
                *last = elapsed;
            }
            return is_due.then_some(state);
        }
        self.most = self.most.max(elements);
        self.bar.set_length(self.most as u64);
        self.bar.set_position((self.most - elements) as u64);
        self.bar.set_message(state);
        None
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
            let line = progress.show(1, elements, Duration::from_secs(1));
            assert_eq!(line, None);
        }
        assert_eq!(progress.bar.position(), 19);
        assert_eq!(progress.bar.length(), Some(20));
    }

    #[test]
    fn off_a_terminal_there_is_a_line_every_ten_seconds_of_each_search() {
        let mut progress = Progress::in_lines();
        let seconds = [1, 9, 10, 11, 19, 21, 30, 31, 3, 12, 13, 14];
        let written: Vec<u64> = seconds
            .into_iter()
            .filter(|at| progress.show(1, 1, Duration::from_secs(*at)).is_some())
            .collect();
        assert_eq!(written, [10, 21, 31, 13]);
    }
}
