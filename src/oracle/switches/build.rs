//! The build with switches: instrument, compile, take back what the compiler rejects, until it
//! compiles.

use std::ops::Range;
use std::path::Path;

use crate::compile::{Compile, Compiled, Depth, use_library};
use crate::probe::switches::{LIBRARY, MOST_SWITCHES, SWITCH_RUNTIME};
use crate::project::{Diagnostic, TestBinary};
use crate::reduce::{OracleError, until_it_compiles};
use crate::rust::switches::{
    Instrumented, InstrumentedError, Mode, Reach, SwitchKind, SwitchPlace, SwitchPlaces, find,
    instrument,
};
use crate::rust::{Sameness, SourceFile, Sources};
use crate::source::{Crate, Located};

/// The name of the test that runs the test under reduction in a loop.
const PROBE: &str = "__cargo_reduce_probe";
/// After so many rounds whole functions are taken back where an error is.
const NEAR_ROUNDS: usize = 3;
/// After so many rounds nothing is left that could be taken back.
const MAX_ROUNDS: usize = 24;

/// What a build is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Every place gets its switch.
    Switch,
    /// Values are told, nothing is switched.
    Tell,
}

impl Purpose {
    fn mode(self, place: &SwitchPlace) -> Mode {
        match (self, &place.kind) {
            (Purpose::Tell, SwitchKind::Value | SwitchKind::Variable(_)) => Mode::Tell,
            (Purpose::Tell, _) | (Purpose::Switch, SwitchKind::Variable(_)) => Mode::Plain,
            (Purpose::Switch, _) => Mode::Switch,
        }
    }
}

/// Sources with switches, compiled.
#[derive(Debug)]
pub struct Build {
    /// The files that have places.
    pub files: Vec<SwitchedFile>,
    /// The linked test; `None` if the sources cannot be compiled with switches.
    pub binary: Option<TestBinary>,
    /// The test that runs the test in a loop, where there is a way to call it.
    pub probe: Option<String>,
    count: usize,
}

/// A file with switches.
#[derive(Debug)]
pub struct SwitchedFile {
    /// Its place in the sources.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// Its places.
    pub places: SwitchPlaces,
    /// How each of them is instrumented.
    pub modes: Vec<Mode>,
    /// The number of the first switch.
    pub first: usize,
    /// The text with switches.
    pub instrumented: Instrumented,
}

impl SwitchedFile {
    fn instrument(&mut self, sources: &Sources, entry: Option<&Entry>) {
        let text = &sources.files[self.file].text;
        let entry = entry.filter(|entry| entry.file == self.file);
        let more = entry.map(|entry| (entry.offset, entry.call.as_str()));
        self.instrumented = instrument(text, &self.places, &self.modes, self.first, more);
    }

    /// The numbers of its switches.
    pub fn switches(&self) -> Range<usize> {
        self.first..self.first + self.places.places.len()
    }
}

impl Build {
    /// Makes the build.
    ///
    /// # Errors
    /// When the compiler cannot be run.
    pub fn make(
        purpose: Purpose,
        sources: &Sources,
        (roots, test): (&[usize], &str),
        compile: &mut dyn Compile,
    ) -> Result<Self, OracleError> {
        compile.add_library(LIBRARY, SWITCH_RUNTIME)?;
        let entry = entry(sources, roots, test);
        let mut build = Build {
            files: find_all(purpose, sources),
            binary: None,
            probe: entry.as_ref().map(|entry| entry.probe.clone()),
            count: 0,
        };
        for file in &mut build.files {
            file.instrument(sources, entry.as_ref());
        }
        build.count = build.files.last().map_or(0, |file| file.switches().end);
        let built = until_it_compiles(
            &mut build,
            MAX_ROUNDS,
            // Errors are found before code is generated: nothing is gained by checking first.
            |build| -> Result<_, OracleError> {
                let compiled = compile.compile(&build.sources(sources, roots), Depth::Link)?;
                Ok(if compiled.success { Ok(compiled.binary) } else { Err(compiled) })
            },
            |build, compiled, round| {
                let is_near = round < NEAR_ROUNDS && build.take_back(compiled, Reach::Near);
                let is_changed = is_near || build.take_back(compiled, Reach::Function);
                for file in &mut build.files {
                    file.instrument(sources, entry.as_ref());
                }
                Ok(is_changed)
            },
        )?;
        build.binary = built.ok().flatten();
        Ok(build)
    }

    /// The number of switches.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The number of places that can have a switch or a counter.
    pub fn places(&self) -> usize {
        let is_told_only = |place: &SwitchPlace| matches!(place.kind, SwitchKind::Variable(_));
        self.modes().filter(|(place, _)| !is_told_only(place)).count()
    }

    /// All places with how they are instrumented, in the order of their switches.
    pub fn modes(&self) -> impl Iterator<Item = (&SwitchPlace, Mode)> {
        self.files.iter().flat_map(|file| file.places.places.iter().zip(file.modes.iter().copied()))
    }

    /// The sources with switches.
    fn sources(&self, sources: &Sources, roots: &[usize]) -> Sources {
        let mut files = sources.files.clone();
        for file in &self.files {
            files[file.file].text = file.instrumented.text.as_str().into();
        }
        use_library(&mut files, roots, LIBRARY);
        Sources::new(files, Sameness::Text)
    }

    /// Takes back what the errors blame; whether that was anything.
    fn take_back(&mut self, compiled: &Compiled, reach: Reach) -> bool {
        let mut changed = false;
        for error in &compiled.errors {
            for file in &mut self.files {
                let compile_error = compile_error(error, &file.path);
                if compile_error.primary.is_empty() && compile_error.all.is_empty() {
                    continue;
                }
                let blamed =
                    file.instrumented.blame(&file.places, &file.modes, &compile_error, reach);
                for place in blamed {
                    let mode = &mut file.modes[place];
                    changed |= *mode != Mode::Plain;
                    *mode = match (*mode, reach) {
                        (Mode::Switch, Reach::Near) => Mode::Count,
                        _ => Mode::Plain,
                    };
                }
            }
        }
        changed
    }
}

fn find_all(purpose: Purpose, sources: &Sources) -> Vec<SwitchedFile> {
    let mut files = Vec::new();
    let mut first = 0;
    for (index, source) in sources.files.iter().enumerate() {
        let Ok(places) = find(&source.text) else {
            continue;
        };
        let count = places.places.len();
        if count == 0 || first + count > MOST_SWITCHES {
            continue;
        }
        let modes = places.places.iter().map(|place| purpose.mode(place)).collect();
        files.push(SwitchedFile {
            file: index,
            path: source.path.to_string(),
            places,
            modes,
            first,
            instrumented: Instrumented::default(),
        });
        first += count;
    }
    files
}

fn compile_error(error: &Diagnostic, path: &str) -> InstrumentedError {
    let mut compile_error = InstrumentedError::default();
    for span in error.spans.iter().filter(|span| span.file == path) {
        let range = span.start..span.end;
        if span.primary {
            compile_error.primary.push(range.clone());
        }
        compile_error.all.push(range);
    }
    compile_error
}

/// The way into the test for the loop.
struct Entry {
    file: usize,
    /// The byte of the plain text behind the test.
    offset: usize,
    call: String,
    probe: String,
}

fn entry(sources: &Sources, roots: &[usize], test: &str) -> Option<Entry> {
    let (krate, located) = roots.iter().find_map(|root| locate(sources, *root, test))?;
    if !located.facts.is_callable() {
        return None;
    }
    let path = &krate.file(located.file).path;
    let file = sources.files.iter().position(|file| Path::new(&*file.path) == path)?;
    let function = &sources.files[file].text[located.name_span.clone()];
    let call = format!(
        " #[test] #[allow(warnings)] fn {PROBE}() {{ \
         ::{LIBRARY}::drive(|| ::{LIBRARY}::Report::report({function}())) }}"
    );
    let mut probe = located.module.clone();
    probe.push(PROBE.to_owned());
    Some(Entry { file, offset: located.span.end, call, probe: probe.join("::") })
}

fn locate(sources: &Sources, root: usize, test: &str) -> Option<(Crate, Located)> {
    let read = |path: &Path| {
        let is_it = |file: &&SourceFile| Path::new(&*file.path) == path;
        let file = sources.files.iter().find(is_it);
        file.map(|file| file.text.to_string()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    };
    let root = Path::new(&*sources.files[root].path);
    let krate = Crate::load(root, Path::new(""), read).ok()?;
    let located = krate.find_test(test).ok()?;
    Some((krate, located))
}
