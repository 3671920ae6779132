//! What the page keeps of the events of a job.

use crate::report::{Event, Step};

/// Steps that are kept; of more each second one is forgotten.
const MOST_STEPS: usize = 4_000;

/// What the page is about.
#[derive(Debug, Default)]
pub(super) struct Collected {
    /// The events of the job, but for progress.
    pub(super) events: Vec<Event>,
    pub(super) steps: Vec<Step>,
    /// How far the search was when that was told last, if that was after the last step.
    pub(super) last: Option<Step>,
}

impl Collected {
    pub(super) fn add(&mut self, event: &Event) {
        match event {
            Event::Step(step) => {
                self.steps.push(step.clone());
                // What was told before says nothing new.
                self.last = None;
                if self.steps.len() > MOST_STEPS {
                    let mut is_kept = false;
                    self.steps.retain(|_| {
                        is_kept = !is_kept;
                        is_kept
                    });
                }
            }
            Event::Progress { candidates, elements, elapsed_ms, .. } => {
                let (candidates, elements, elapsed_ms) = (*candidates, *elements, *elapsed_ms);
                self.last = Some(Step { candidates, elements, elapsed_ms, ..Step::default() });
            }
            Event::Stage { .. }
            | Event::Done { .. }
            | Event::Test { .. }
            | Event::Tried { .. }
            | Event::Detail(_)
            | Event::Document(_) => {}
            Event::Failure { .. } => {
                // The next of several tests; how candidates are confined is told once for all.
                let is_of_all = |event: &Event| matches!(event, Event::Sandbox { .. });
                let events = std::mem::take(&mut self.events).into_iter().filter(is_of_all);
                *self = Collected { events: events.collect(), ..Collected::default() };
                self.events.push(event.clone());
            }
            _ => self.events.push(event.clone()),
        }
    }
}
