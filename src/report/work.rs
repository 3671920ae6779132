//! What is being done, since when, and how far it is; in as many words as fit.

use std::time::{Duration, Instant};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::lines::duration;
use super::visible::visible;
use super::{Event, Step};

/// Between two lines, where none can move.
const BETWEEN_LINES: Duration = Duration::from_secs(10);
/// The column in which the words of a line begin, where there is room for it.
const COLUMN: usize = 13;
/// Terminals narrower than this have no column.
const NARROW: usize = 50;
/// Sizes that are remembered for the trend.
const MOST_SIZES: usize = 240;
/// How many characters the trend has at most.
const TREND: usize = 20;
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What is being done.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// The stage, and since when.
    stage: Option<Stage>,
    search: Option<Search>,
    /// When a line was printed last.
    printed: Option<Instant>,
}

#[derive(Debug)]
struct Stage {
    verb: String,
    what: String,
    since: Instant,
    /// How many of its parts are done, and how many there are.
    parts: Option<(usize, usize)>,
}

/// A search under way.
#[derive(Debug)]
struct Search {
    since: Instant,
    first: usize,
    elements: usize,
    /// Candidates when it began, and now.
    candidates: (u64, u64),
    /// When something was taken away last.
    success: Option<Instant>,
    sizes: Vec<usize>,
    best: String,
}

impl Work {
    /// Notes what an event says, which has come `now`.
    pub(super) fn note(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Stage { verb, what } => {
                self.search = None;
                let (verb, what) = (verb.clone(), what.clone());
                self.stage = Some(Stage { verb, what, since: now, parts: None });
            }
            Event::Done { parts, of } => {
                if let Some(stage) = &mut self.stage {
                    stage.parts = Some((*parts, *of));
                }
            }
            Event::Step(step) if step.is_first && !self.goes_on_with(step) => {
                self.search = Some(Search {
                    since: now,
                    first: step.elements,
                    elements: step.elements,
                    candidates: (step.candidates, step.candidates),
                    success: None,
                    sizes: vec![step.elements],
                    best: String::new(),
                });
            }
            Event::Step(step) => {
                if let Some(search) = &mut self.search {
                    if step.elements < search.elements {
                        search.success = Some(now);
                    }
                    search.go_on(step.candidates, step.elements);
                }
            }
            Event::Progress { candidates, elements, best, .. } => {
                if let Some(search) = &mut self.search {
                    search.go_on(*candidates, *elements);
                    search.best.clone_from(best);
                }
            }
            Event::Summary(_) => *self = Work { printed: self.printed, ..Work::default() },
            _ => {}
        }
    }

    /// Whether a search that begins with that step looks once more at what the last one has found.
    fn goes_on_with(&self, step: &Step) -> bool {
        self.search.as_ref().is_some_and(|search| search.elements == step.elements)
    }

    /// A line was printed `now`.
    pub(super) fn printed(&mut self, now: Instant) {
        self.printed = Some(now);
    }

    /// The line that is due `now`, where none can move.
    pub(super) fn due(&mut self, now: Instant) -> Option<String> {
        let last = self.printed?;
        let is_due = now.saturating_duration_since(last) >= BETWEEN_LINES;
        let line = match (&self.search, &self.stage) {
            _ if !is_due => None,
            (Some(search), _) => {
                let state = format!("{}, {}", search.left(), search.pace(now));
                Some(format!("{:>12} {state}\n", "Reducing"))
            }
            (None, Some(stage)) => {
                let so_far = stage.so_far(now);
                Some(format!("{:>12} {}: {so_far} so far\n", stage.verb, stage.what))
            }
            (None, None) => None,
        }?;
        self.printed = Some(now);
        Some(line)
    }

    /// The lines on a terminal of `width` columns; `heard` is what cargo has printed last.
    pub(super) fn lines(&self, width: usize, now: Instant, heard: Option<&str>) -> Vec<String> {
        let lines = match (&self.search, &self.stage) {
            (Some(search), _) => search.lines(width, now),
            (None, Some(stage)) => {
                let said = heard.map(|line| format!("  {}", visible(line.trim())));
                vec![(String::new(), format!("{}{}", stage.so_far(now), said.unwrap_or_default()))]
            }
            (None, None) => Vec::new(),
        };
        let line = |(verb, text): (String, String)| {
            let whole = match width {
                0..NARROW if verb.is_empty() => text,
                0..NARROW => format!("{verb} {text}"),
                _ => format!("{verb:>0$} {text}", COLUMN - 1),
            };
            fitting(&whole, width.saturating_sub(1))
        };
        lines.into_iter().map(line).collect()
    }
}

impl Stage {
    fn so_far(&self, now: Instant) -> String {
        let since = duration_since(self.since, now);
        match self.parts {
            Some((parts, of)) => format!("{parts} of {of}, {since}"),
            None => since,
        }
    }
}

impl Search {
    fn go_on(&mut self, candidates: u64, elements: usize) {
        self.candidates.1 = candidates;
        self.elements = elements;
        self.sizes.push(elements);
        if self.sizes.len() > MOST_SIZES {
            self.sizes = self.sizes.iter().copied().step_by(2).collect();
        }
    }

    fn left(&self) -> String {
        format!("{} of {} elements left", self.elements, self.first)
    }

    fn asked(&self) -> u64 {
        self.candidates.1.saturating_sub(self.candidates.0)
    }

    fn rate(&self, now: Instant) -> u128 {
        let milliseconds = now.saturating_duration_since(self.since).as_millis().max(1);
        u128::from(self.asked()) * 1000 / milliseconds
    }

    fn pace(&self, now: Instant) -> String {
        let elapsed = duration_since(self.since, now);
        let success = self.success.map_or_else(
            || "nothing removed yet".to_owned(),
            |success| format!("last removal {} ago", duration_since(success, now)),
        );
        let (asked, rate) = (self.candidates.1, self.rate(now));
        format!("{asked} candidates, {rate}/s, {elapsed}, {success}")
    }

    fn lines(&self, width: usize, now: Instant) -> Vec<(String, String)> {
        let line = |text: String| (String::new(), text);
        if width < NARROW {
            let left = format!("{}/{} {}", self.elements, self.first, self.trend(width / 4));
            let elapsed = duration_since(self.since, now);
            let pace = format!("{}/s, {elapsed}", self.rate(now));
            return vec![line(left), line(pace), line("Ctrl-C: keep best".to_owned())];
        }
        let trend = self.trend(TREND.min(width / 4));
        let mut lines = vec![
            ("Reducing".to_owned(), format!("{}  {trend}", self.left())),
            line(self.pace(now)),
        ];
        if !self.best.is_empty() {
            lines.push(line(self.best.clone()));
        }
        lines.push(line("Ctrl-C stops the search and keeps the best result so far".to_owned()));
        lines
    }

    /// The sizes so far as a line of up to `most` blocks.
    fn trend(&self, most: usize) -> String {
        let count = self.sizes.len().min(most);
        let top = self.sizes.iter().max().copied().unwrap_or_default().max(1);
        let size = |place: usize| self.sizes[(place + 1) * self.sizes.len() / count - 1];
        (0..count).map(|place| BLOCKS[size(place) * (BLOCKS.len() - 1) / top]).collect()
    }
}

fn duration_since(begin: Instant, now: Instant) -> String {
    let elapsed = now.saturating_duration_since(begin);
    // Tenths would only flicker.
    duration(elapsed.as_secs() * 1000).replace(".0 s", " s").replace("0 ms", "0 s")
}

/// As much of a line as fits into so many columns.
fn fitting(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut fitting = String::new();
    let mut left = columns.saturating_sub(1);
    for c in line.chars() {
        let width = c.width().unwrap_or(0);
        if width > left {
            break;
        }
        left -= width;
        fitting.push(c);
    }
    fitting.push('…');
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(is_first: bool, candidates: u64, elements: usize) -> Event {
        Event::Step(Step { is_first, candidates, elements, elapsed_ms: 0, what: None })
    }

    fn stage() -> Event {
        Event::Stage { verb: "Building".into(), what: "the probe".into() }
    }

    fn progress(candidates: u64, elements: usize, best: &str) -> Event {
        Event::Progress { candidates, elements, elapsed_ms: 0, best: best.into() }
    }

    /// A search, two minutes and three seconds after it has begun.
    fn searching() -> (Work, Instant) {
        let (mut work, begin) = (Work::default(), Instant::now());
        let at = |seconds| begin + Duration::from_secs(seconds);
        work.note(&stage(), begin);
        work.note(&step(true, 0, 11_222), begin);
        work.note(&step(false, 100, 5_000), at(60));
        work.note(&step(false, 900, 310), at(120));
        work.note(&progress(1_230, 310, "\"## \\n- [日本](\\\")\""), at(123));
        (work, at(123))
    }

    #[test]
    fn a_search_is_shown_in_the_columns_that_there_are() {
        let (work, now) = searching();
        assert_eq!(
            work.lines(80, now, None),
            [
                "    Reducing 310 of 11222 elements left  █▄▁▁",
                "             1230 candidates, 10/s, 2 min 3 s, last removal 3 s ago",
                "             \"## \\n- [日本](\\\")\"",
                "             Ctrl-C stops the search and keeps the best result so far",
            ]
        );
        assert_eq!(
            work.lines(20, now, None),
            ["310/11222 █▄▁▁", "10/s, 2 min 3 s", "Ctrl-C: keep best"]
        );
        for width in [1, 5, 20, 49, 50, 60, 80, 120] {
            let lines = work.lines(width, now, None);
            assert!(lines.iter().all(|line| line.width() < width.max(2)), "{width}: {lines:?}");
        }
    }

    #[test]
    fn a_stage_tells_what_cargo_says() {
        let (mut work, begin) = (Work::default(), Instant::now());
        work.note(&stage(), begin);
        let now = begin + Duration::from_secs(4);
        let lines = work.lines(80, now, Some("   Compiling notes v0.1.0"));
        assert_eq!(lines, ["             4 s  Compiling notes v0.1.0"]);
        assert_eq!(work.lines(20, now, Some("   Compiling notes v0.1.0")), ["4 s  Compiling not…"]);
        assert_eq!(work.lines(80, now, None), ["             4 s"]);
        work.note(&Event::Done { parts: 3, of: 17 }, now);
        assert_eq!(work.lines(80, now, None), ["             3 of 17, 4 s"]);
        work.printed(begin);
        let line = work.due(begin + Duration::from_secs(12)).unwrap();
        assert_eq!(line, "    Building the probe: 3 of 17, 12 s so far\n");
    }

    #[test]
    fn off_a_terminal_a_line_is_due_ten_seconds_after_the_last() {
        let (mut work, begin) = (Work::default(), Instant::now());
        let at = |seconds| begin + Duration::from_secs(seconds);
        work.note(&stage(), begin);
        assert_eq!(work.due(at(60)), None, "before anything was printed");
        work.printed(begin);
        let due: Vec<u64> = (1..40).filter(|second| work.due(at(*second)).is_some()).collect();
        assert_eq!(due, [10, 20, 30]);
        work.printed(at(45));
        assert_eq!(work.due(at(54)), None);
        let line = work.due(at(55)).unwrap();
        assert_eq!(line, "    Building the probe: 55.0 s so far\n".replace("55.0", "55"));
        work.note(&step(true, 0, 10), at(56));
        work.note(&step(false, 40, 4), at(64));
        work.note(&step(true, 41, 4), at(65));
        let line = work.due(at(66)).unwrap();
        let expected = "4 of 10 elements left, 41 candidates, 4/s, 10 s, last removal 2 s ago";
        assert_eq!(line, format!("    Reducing {expected}\n"));
    }

    #[test]
    fn many_sizes_are_remembered_as_few() {
        let (mut work, now) = (Work::default(), Instant::now());
        work.note(&step(true, 0, 5_000), now);
        for elements in (0..5_000).rev() {
            work.note(&step(false, 1, elements), now);
        }
        let search = work.search.unwrap();
        assert!(search.sizes.len() <= MOST_SIZES);
        assert_eq!(search.trend(8).chars().count(), 8);
    }
}
