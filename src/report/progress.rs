//! How far the work is: on a terminal some lines that move, elsewhere a new line now and then.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::Event;
use super::work::Work;

/// How often it is drawn, a second.
const DRAWS: u8 = 10;

/// How often it is looked whether a new line is due, where none can move.
const LOOKS: Duration = Duration::from_millis(500);

/// The width of a terminal that does not tell it.
const WIDTH: u16 = 80;

/// What cargo has printed last, if it is running.
pub type LastLine = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// Says how far the work is.
pub struct Progress {
    work: Arc<Mutex<Work>>,
    shown: Shown,
}

/// How it is shown.
enum Shown {
    Not,
    /// By lines that move.
    Moving(ProgressBar),
    /// By a new line now and then, as long as the other end is there.
    Lines {
        _ends: Sender<()>,
    },
}

impl Progress {
    /// On standard error, in lines that move if that is a terminal, else in lines that `write` gets; nothing where
    /// `CARGO_TERM_PROGRESS_WHEN` is `never`.
    pub fn on_stderr(heard: LastLine, write: impl Fn(&str) + Send + 'static) -> Progress {
        let never = std::env::var("CARGO_TERM_PROGRESS_WHEN").is_ok_and(|when| when == "never");
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if never {
            Progress::hidden()
        } else if std::io::stderr().is_terminal() && !is_dumb {
            Progress::moving(heard)
        } else {
            Progress::in_lines(write)
        }
    }

    /// Nothing.
    pub fn hidden() -> Progress {
        Progress { work: Arc::default(), shown: Shown::Not }
    }

    fn moving(heard: LastLine) -> Progress {
        let work = Arc::<Mutex<Work>>::default();
        let drawn = Arc::clone(&work);
        let draw = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            let width = Term::stderr().size_checked().map_or(WIDTH, |(_, columns)| columns);
            let work = drawn.lock().unwrap_or_else(PoisonError::into_inner);
            let lines = work.lines(width.into(), Instant::now(), heard().as_deref());
            // Nobody hears that a bar cannot be drawn.
            let _ = out.write_str(&lines.join("\n"));
        };
        let target = ProgressDrawTarget::stderr_with_hz(DRAWS);
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{work}") {
            bar.set_style(style.with_key("work", draw));
        }
        bar.enable_steady_tick(Duration::from_secs(1) / u32::from(DRAWS));
        Progress { work, shown: Shown::Moving(bar) }
    }

    /// A new line now and then, for logs.
    pub fn in_lines(write: impl Fn(&str) + Send + 'static) -> Progress {
        let work = Arc::<Mutex<Work>>::default();
        let shared = Arc::clone(&work);
        let (ends, end) = channel();
        std::thread::spawn(move || {
            while end.recv_timeout(LOOKS) == Err(RecvTimeoutError::Timeout) {
                let due = shared.lock().unwrap_or_else(PoisonError::into_inner).due(Instant::now());
                if let Some(line) = due {
                    write(&line);
                }
            }
        });
        Progress { work, shown: Shown::Lines { _ends: ends } }
    }

    /// Notes what an event says of the work.
    pub fn note(&mut self, event: &Event) {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        work.note(event, Instant::now());
        if let (Shown::Moving(bar), Event::Summary(_)) = (&self.shown, event) {
            drop(work);
            bar.finish_and_clear();
            bar.reset();
        }
    }

    /// Prints something above the lines.
    pub fn above(&self, print: impl FnOnce()) {
        self.work.lock().unwrap_or_else(PoisonError::into_inner).printed(Instant::now());
        match &self.shown {
            Shown::Moving(bar) => bar.suspend(print),
            Shown::Not | Shown::Lines { .. } => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Shown::Moving(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
