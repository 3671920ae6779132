//! Events as text for people.

use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use anstream::AutoStream;
use camino::Utf8PathBuf;

use super::gathered::{Gathered, TestResult};
use super::lines::{self, InputLine};
use super::snippet::snippet;
use super::summary::{doubt, overview, summary};
use super::{Color, Event, Input, Progress, Reporter, Summary};

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verbosity {
    /// Results and warnings.
    Quiet,
    /// The story.
    #[default]
    Normal,
    /// The story, and also what was left alone.
    Verbose,
    /// The story, and the inputs are the result.
    Listing,
    /// The story, and the document that was asked for is the result.
    Document,
}

/// Writes results to one stream and the story to another, and shows how the search goes.
pub struct Text {
    out: Box<dyn Write + Send>,
    log: Box<dyn Write + Send>,
    progress: Progress,
    verbosity: Verbosity,
    places: HashMap<usize, InputLine>,
    /// Where the user is.
    folder: Utf8PathBuf,
    gathered: Gathered,
    /// What became of the tests so far.
    results: Vec<TestResult>,
}

impl Text {
    /// Results on standard output, the rest on standard error.
    pub fn on_terminal(color: Color, verbosity: Verbosity) -> Text {
        let progress = match verbosity {
            Verbosity::Quiet | Verbosity::Listing => Progress::hidden(),
            Verbosity::Normal | Verbosity::Verbose | Verbosity::Document => Progress::on_stderr(),
        };
        Text {
            progress,
            folder: current_folder(),
            ..Text::new(
                AutoStream::new(std::io::stdout(), color.into()),
                AutoStream::new(std::io::stderr(), color.into()),
                verbosity,
            )
        }
    }

    /// All on standard error, for a log: standard output is for something else.
    pub fn to_log(color: Color, verbosity: Verbosity) -> Text {
        let stream = || AutoStream::new(std::io::stderr(), color.into());
        Text { folder: current_folder(), ..Text::new(stream(), stream(), verbosity) }
    }

    /// Any two streams, and no moving line. The text is coloured; wrap a stream in
    /// [`anstream::StripStream`] where it should not be.
    pub fn new(
        out: impl Write + Send + 'static,
        log: impl Write + Send + 'static,
        verbosity: Verbosity,
    ) -> Text {
        Text {
            out: Box::new(out),
            log: Box::new(log),
            progress: Progress::hidden(),
            verbosity,
            places: HashMap::new(),
            folder: Utf8PathBuf::new(),
            gathered: Gathered::default(),
            results: Vec::new(),
        }
    }

    /// What of an event goes to the result and to the story.
    fn texts(&self, event: &Event) -> (String, String) {
        match event {
            Event::Stage { verb, what } => (String::new(), lines::status(verb, what)),
            Event::Test { number, of, name } => {
                (String::new(), lines::status("Test", &format!("{number} of {of}: {name}")))
            }
            Event::Warning(warning) => (String::new(), lines::warning(warning)),
            Event::Detail(text) => (String::new(), text.clone()),
            Event::Sandbox { described, gaps, .. } => match gaps {
                Some(gaps) => (String::new(), lines::warning(gaps)),
                None if self.verbosity == Verbosity::Verbose => {
                    let what = format!("candidates by {described}");
                    (String::new(), lines::status("Confining", &what))
                }
                None => (String::new(), String::new()),
            },
            Event::Failure { test, signature, .. } => {
                (String::new(), lines::failure(test, signature))
            }
            Event::Input(input) => self.input_texts(input),
            Event::Progress { .. } | Event::Step(_) => (String::new(), String::new()),
            Event::Reduced { id, elements_before, elements_after, text, original, .. } => {
                let place = self.place(*id);
                let counts = (*elements_before as u64, *elements_after as u64);
                let shown = match counts {
                    _ if text == original => lines::unchanged(place, text),
                    _ if text.is_empty() => lines::removed(place),
                    // Numbers and the like are too small to be counted.
                    (0, 0) => snippet(place, None, text, &lines::was(original)),
                    (before, after) => {
                        let note = lines::change(before, after, "element");
                        snippet(place, Some(original), text, &note)
                    }
                };
                (shown, String::new())
            }
            Event::SourceDiff { text, .. } => (text.clone(), String::new()),
            Event::File(file) => (lines::file(file), String::new()),
            Event::Contrast(it) => (String::new(), lines::status("Contrast", &it.statement)),
            Event::Difference(it) => (lines::difference(self.place(it.id), it), String::new()),
            Event::Pattern(it) => {
                let in_full = self.verbosity == Verbosity::Verbose;
                (lines::pattern(self.place(it.id), it, in_full), String::new())
            }
            Event::Instance { text, outcome, .. } => {
                (lines::instance(text, *outcome), String::new())
            }
            Event::Skipped { id, why } => (String::new(), lines::skipped(self.place(*id), why)),
            Event::OtherFailure { signature, path } => {
                (String::new(), lines::other_failure(signature, path))
            }
            Event::Document(text) => (text.clone(), String::new()),
            Event::Summary(it) => (String::new(), summary(it, &self.folder)),
            Event::End => (String::new(), overview(&self.results)),
        }
    }

    fn input_texts(&self, input: &Input) -> (String, String) {
        let line = lines::input(input);
        match self.verbosity {
            Verbosity::Listing => (line, String::new()),
            _ => (String::new(), line),
        }
    }

    fn place(&self, id: usize) -> Option<&InputLine> {
        self.places.get(&id)
    }

    /// Whether this part of the story is told.
    fn is_told(&self, event: &Event) -> bool {
        match self.verbosity {
            Verbosity::Quiet => matches!(event, Event::Warning(_)),
            Verbosity::Verbose => true,
            Verbosity::Normal | Verbosity::Listing | Verbosity::Document => {
                !matches!(event, Event::Skipped { .. } | Event::Detail(_))
            }
        }
    }
}

fn current_folder() -> Utf8PathBuf {
    let folder = std::env::current_dir().ok();
    folder.and_then(|folder| Utf8PathBuf::from_path_buf(folder).ok()).unwrap_or_default()
}

/// What is told of the end all the same where the story is not: that the result is in doubt.
fn doubt_in(event: &Event) -> String {
    let Event::Summary(Summary { doubt: Some(why), .. }) = event else {
        return String::new();
    };
    doubt(why)
}

impl Reporter for Text {
    fn report(&mut self, event: &Event) {
        let mut line = None;
        self.results.extend(self.gathered.take(event));
        match event {
            Event::Input(input) => {
                self.places.insert(input.id, InputLine::of(input));
            }
            Event::Progress { candidates, elements, elapsed_ms } => {
                let elapsed = Duration::from_millis(*elapsed_ms);
                line = self.progress.show(*candidates, *elements, elapsed);
            }
            Event::Summary(_) => self.progress.clear(),
            _ => {}
        }
        let (mut result, mut story) = self.texts(event);
        if let Some(state) = line {
            story = lines::status("Reducing", &state);
        }
        if self.verbosity == Verbosity::Document && !matches!(event, Event::Document(_)) {
            story.insert_str(0, &std::mem::take(&mut result));
        }
        if !self.is_told(event) {
            story = doubt_in(event);
        }
        if result.is_empty() && story.is_empty() {
            return;
        }
        let (out, log) = (&mut self.out, &mut self.log);
        self.progress.above(|| {
            let _ = log.write_all(story.as_bytes()).and_then(|()| log.flush());
            let _ = out.write_all(result.as_bytes()).and_then(|()| out.flush());
        });
    }
}

#[cfg(test)]
mod tests;
