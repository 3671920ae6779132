//! Events as text for people.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use anstream::AutoStream;
use camino::Utf8PathBuf;
use console::Term;

use super::gathered::{Gathered, TestResult};
use super::lines;
use super::phrases::InputLine;
use super::summary::{doubt, overview, seen_from, summary};
use super::wrap::wrapped;
use super::{Detail, Event, LastLine, Progress, Reporter, Summary};

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verbosity {
    /// Results and warnings.
    Quiet,
    /// The story.
    #[default]
    Normal,
    /// The story, and also what was left alone and what each step has taken away.
    Verbose,
    /// All that, and what became of each candidate.
    Candidates,
    /// The story, and the inputs are the result.
    Listing,
    /// The story, and the document that was asked for is the result.
    Document,
}

/// Writes a line of progress.
type WriteLine = Box<dyn Fn(&str) + Send>;

/// How wide the terminals are on which a text is shown, as long as they tell it.
#[derive(Default)]
struct Widths {
    out: Option<Term>,
    log: Option<Term>,
}

/// Writes results to one stream and the story to another, and shows how the search goes.
pub struct Text {
    out: Box<dyn Write + Send>,
    /// Lines of progress come from another thread.
    log: Arc<Mutex<Box<dyn Write + Send>>>,
    progress: Progress,
    verbosity: Verbosity,
    places: HashMap<usize, InputLine>,
    /// The widths of the terminals on which results and the story are shown.
    widths: Widths,
    /// Where the user is.
    folder: Utf8PathBuf,
    gathered: Gathered,
    /// Whether the present job has found a passing and a failing input.
    has_difference: bool,
    /// What became of the tests so far.
    results: Vec<TestResult>,
}

impl Text {
    /// Results on standard output, the rest on standard error; `heard` is what cargo has printed last.
    pub fn on_terminal(verbosity: Verbosity, heard: LastLine) -> Text {
        let out = AutoStream::auto(std::io::stdout());
        let log = AutoStream::auto(std::io::stderr());
        let text = Text::showing(out, log, verbosity, |write| Progress::on_stderr(heard, write));
        let widths = Widths { out: Some(Term::stdout()), log: Some(Term::stderr()) };
        Text { widths, ..text }
    }

    /// All on standard error, for a log: standard output is for something else.
    pub fn to_log(verbosity: Verbosity) -> Text {
        let stream = || AutoStream::auto(std::io::stderr());
        Text::showing(stream(), stream(), verbosity, |write| Progress::in_lines(write))
    }

    /// To these streams, with progress that `show` makes of what writes a line.
    fn showing(
        out: impl Write + Send + 'static,
        log: impl Write + Send + 'static,
        verbosity: Verbosity,
        show: impl FnOnce(WriteLine) -> Progress,
    ) -> Text {
        let text = Text::new(out, log, verbosity);
        let log = Arc::clone(&text.log);
        let progress = match verbosity {
            Verbosity::Quiet | Verbosity::Listing => Progress::hidden(),
            _ => show(Box::new(move |line| put(&log, line))),
        };
        let folder = std::env::current_dir().ok();
        let folder = folder.and_then(|folder| Utf8PathBuf::from_path_buf(folder).ok());
        Text { progress, folder: folder.unwrap_or_default(), ..text }
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
            log: Arc::new(Mutex::new(Box::new(log))),
            progress: Progress::hidden(),
            verbosity,
            places: HashMap::new(),
            widths: Widths::default(),
            folder: Utf8PathBuf::new(),
            gathered: Gathered::default(),
            has_difference: false,
            results: Vec::new(),
        }
    }

    /// What an event adds to the results, if it tells of one.
    fn result(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Input(input) if self.verbosity == Verbosity::Listing => lines::input(input),
            Event::Reduced(reduced) => lines::reduced(self.place(reduced.id), reduced),
            Event::SourceDiff { text, .. } | Event::Document(text) => text.clone(),
            Event::File(file) => lines::file(file, &seen_from(&self.folder, &file.path)),
            Event::Difference(it) => lines::difference(self.place(it.id), it),
            Event::Pattern(it) => lines::pattern(self.place(it.id), it, self.is_verbose()),
            Event::Instance { text, outcome, .. } => lines::instance(text, *outcome),
            _ => return None,
        })
    }

    /// What an event that tells of no result adds to the story.
    fn story(&self, event: &Event) -> String {
        match event {
            Event::Stage { verb, what } => lines::status(verb, what),
            Event::Test { number, of, name } => {
                lines::status("Test", &format!("{number} of {of}: {name}"))
            }
            Event::Warning(warning) => lines::warning(warning),
            Event::Detail(text) => text.clone(),
            Event::Sandbox { described, gaps, .. } => match gaps {
                Some(gaps) => lines::warning(gaps),
                None if self.is_verbose() => lines::status("Sandbox", described),
                None => String::new(),
            },
            Event::Failure { test, signature, .. } => lines::failure(test, signature),
            Event::Input(input) => lines::input(input),
            Event::Step(step) => lines::step(step),
            Event::Tried { outcome, what } => lines::tried(*outcome, what),
            Event::Contrast(it) => lines::status("Contrast", &it.statement),
            Event::Skipped { id, why } => lines::skipped(self.place(*id), why),
            Event::OtherFailure { signature, path } => {
                lines::other_failure(signature, &seen_from(&self.folder, path))
            }
            Event::Summary(it) => summary(it, &self.folder, self.has_difference),
            Event::End => overview(&self.results),
            // Progress is shown on its own, and all others tell of results.
            _ => String::new(),
        }
    }

    fn place(&self, id: usize) -> Option<&InputLine> {
        self.places.get(&id)
    }

    fn is_verbose(&self) -> bool {
        matches!(self.verbosity, Verbosity::Verbose | Verbosity::Candidates)
    }

    /// Whether this part of the story is told.
    fn is_told(&self, event: &Event) -> bool {
        match self.verbosity {
            Verbosity::Quiet => matches!(event, Event::Warning(_)),
            Verbosity::Verbose | Verbosity::Candidates => true,
            Verbosity::Normal | Verbosity::Listing | Verbosity::Document => {
                !matches!(event, Event::Skipped { .. } | Event::Detail(_))
            }
        }
    }
}

/// The text as it fits the terminal on which it is shown, if it is.
fn fitting(text: String, terminal: Option<&Term>) -> String {
    match terminal.and_then(Term::size_checked) {
        Some((_, columns)) => wrapped(&text, columns.into()),
        None => text,
    }
}

/// Writes to a stream; whether its other end is closed makes no difference.
fn put(log: &Mutex<Box<dyn Write + Send>>, text: &str) {
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = log.write_all(text.as_bytes()).and_then(|()| log.flush());
}

impl Reporter for Text {
    fn detail(&self) -> Detail {
        match self.verbosity {
            Verbosity::Candidates => Detail::Candidates,
            Verbosity::Verbose => Detail::Steps,
            _ => Detail::Results,
        }
    }

    fn report(&mut self, event: &Event) {
        self.results.extend(self.gathered.take(event));
        self.progress.note(event);
        if let Event::Input(input) = event {
            self.places.insert(input.id, InputLine::of(input));
        }
        let result = self.result(event);
        let mut story = if result.is_none() { self.story(event) } else { String::new() };
        let mut result = result.unwrap_or_default();
        match event {
            Event::Difference(_) => self.has_difference = true,
            Event::Summary(_) => self.has_difference = false,
            _ => {}
        }
        if self.verbosity == Verbosity::Document && !matches!(event, Event::Document(_)) {
            story.insert_str(0, &std::mem::take(&mut result));
        }
        if !self.is_told(event) {
            // That the result is in doubt is told all the same.
            story = match event {
                Event::Summary(Summary { doubt: Some(why), .. }) => doubt(why),
                _ => String::new(),
            };
        }
        if result.is_empty() && story.is_empty() {
            return;
        }
        story = fitting(story, self.widths.log.as_ref());
        if let Event::File(_) = event {
            result = fitting(result, self.widths.out.as_ref());
        }
        let (out, log) = (&mut self.out, &self.log);
        self.progress.above(|| {
            put(log, &story);
            let _ = out.write_all(result.as_bytes()).and_then(|()| out.flush());
        });
    }
}

#[cfg(test)]
mod tests;
