//! The page that shows a whole job: `report.html`.
//!
//! [`Page`] is a reporter: it hands each event on to another one, keeps those that the page is about, and writes the
//! page when the summary comes. What it shows is put together as plain data (`view`): source as spans (`code`), long
//! texts without their middle (`cut`), the sizes as lines (`curve`), trees as nested nodes (`tree`). The template turns
//! that into HTML, and escapes all of it.

mod code;
mod curve;
mod cut;
mod subject;
mod tree;
mod view;

use camino::{Utf8Path, Utf8PathBuf};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};

use super::{Detail, Event, Reporter, Step, Summary};
use crate::disk::{clear_way, write_atomic};
use view::View;

/// Steps that are kept; of more each second one is forgotten.
const MOST_STEPS: usize = 4_000;

/// The files that the page is made of; scripts and styles stand in the page, so that it needs no other file.
const PARTS: [(&str, &str); 6] = [
    ("page.html", include_str!("page/page.html")),
    ("code.html", include_str!("page/code.html")),
    ("subject.html", include_str!("page/subject.html")),
    ("pattern.html", include_str!("page/pattern.html")),
    ("page.css", include_str!("page/page.css")),
    ("page.js", include_str!("page/page.js")),
];

/// Writes a page about the events that it hands on to another reporter.
pub struct Page {
    inner: Box<dyn Reporter>,
    on_written: Box<dyn FnMut(&Utf8Path)>,
    told: Told,
}

/// What the page is about.
#[derive(Debug, Default)]
struct Told {
    /// The events of the job, but for progress.
    events: Vec<Event>,
    steps: Vec<Step>,
    /// How far the search was when that was told last.
    last: Option<Step>,
}

impl Page {
    /// Tells `inner` all that it hears, and `on_written` where a page is.
    pub fn new(inner: Box<dyn Reporter>, on_written: impl FnMut(&Utf8Path) + 'static) -> Page {
        Page { inner, on_written: Box::new(on_written), told: Told::default() }
    }

    /// Writes the page to the place that `summary` names.
    fn write(&mut self, summary: &Summary) -> Option<Result<Utf8PathBuf, String>> {
        let path = Utf8PathBuf::from(summary.artifacts.page.as_ref()?);
        let told = std::mem::take(&mut self.told);
        let written = render(&View::new(&told, summary)).map_err(|error| error.to_string());
        let written = written.and_then(|html| {
            let folder = path.parent().unwrap_or(Utf8Path::new("."));
            clear_way(folder.as_std_path(), path.as_std_path())
                .map_err(|error| error.to_string())?;
            write_atomic(path.as_std_path(), html.as_bytes()).map_err(|error| error.to_string())
        });
        Some(written.map(|()| path))
    }
}

impl Reporter for Page {
    fn detail(&self) -> Detail {
        self.inner.detail()
    }

    fn report(&mut self, event: &Event) {
        let Event::Summary(summary) = event else {
            self.told.add(event);
            return self.inner.report(event);
        };
        match self.write(summary) {
            None => self.inner.report(event),
            Some(Ok(path)) => {
                self.inner.report(event);
                (self.on_written)(&path);
            }
            Some(Err(why)) => {
                let mut summary = summary.clone();
                summary.artifacts.page = None;
                self.inner.report(&Event::Warning(format!("there is no page to look at: {why}")));
                self.inner.report(&Event::Summary(summary));
            }
        }
    }
}

impl Told {
    fn add(&mut self, event: &Event) {
        match event {
            Event::Step(step) => {
                self.steps.push(step.clone());
                if self.steps.len() > MOST_STEPS {
                    let mut is_kept = false;
                    self.steps.retain(|_| {
                        is_kept = !is_kept;
                        is_kept
                    });
                }
            }
            Event::Progress { candidates, elements, elapsed_ms, .. } => {
                self.last = Some(Step {
                    is_first: false,
                    candidates: *candidates,
                    elements: *elements,
                    elapsed_ms: *elapsed_ms,
                    what: None,
                });
            }
            Event::Stage { .. }
            | Event::Test { .. }
            | Event::Tried { .. }
            | Event::Detail(_)
            | Event::Document(_) => {}
            Event::Failure { .. } => {
                // The next of several tests; how candidates are confined is told once for all.
                let is_of_all = |event: &Event| matches!(event, Event::Sandbox { .. });
                let events = std::mem::take(&mut self.events).into_iter().filter(is_of_all);
                *self = Told { events: events.collect(), ..Told::default() };
                self.events.push(event.clone());
            }
            _ => self.events.push(event.clone()),
        }
    }
}

/// The page as HTML.
fn render(view: &View) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    for (name, text) in PARTS {
        environment.add_template(name, text)?;
    }
    environment.get_template("page.html")?.render(Serde(view))
}

#[cfg(test)]
mod tests;
