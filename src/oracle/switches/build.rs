//! The build with switches: instrument, compiler, take back what the compiler rejects, until it
//! compiles.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use super::job::SwitchJob;
use super::taken_back::TakenBack;
use crate::compile::{Compiled, Compiler, Depth, use_library};
use crate::probe::switches::{LIBRARY, MOST_SWITCHES, SWITCH_RUNTIME};
use crate::project::{Diagnostic, DiagnosticSpan, TestBinary};
use crate::reduce::{Answer, RangeExt, until_it_compiles};
use crate::rust::runs::{DRIVER, TestFunction, functions};
use crate::rust::switches::{
    Instrumented, InstrumentedError, Mode, Reach, SwitchKind, SwitchPlace, SwitchPlaces, find,
    instrument,
};
use crate::rust::{Sameness, SourceFile, Sources, to_open};
use crate::source::{Crate, Located};

/// The name of the test that runs the test under reduction in a loop.
const PROBE: &str = "__cargo_reduce_probe";
/// The name of the test that runs it behind those that have to pass along.
const ALONG: &str = "__cargo_reduce_along";
/// The name of the test that runs these only.
const PASSING: &str = "__cargo_reduce_passing";
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
    /// The test that fails; where others have to pass along, it runs these before.
    pub test: String,
    /// The test that runs only what has to pass, if anything has to.
    pub passing: Option<String>,
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
        let more = entry.map_or(&[][..], |entry| &entry.insertions);
        self.instrumented = instrument(text, &self.places, &self.modes, self.first, more);
    }

    /// For each of its switches whether it is inside of what has to stay, or around what is held.
    fn kept(&self, job: &SwitchJob<'_>) -> impl Iterator<Item = bool> {
        let here =
            |(file, range): &(usize, Range<usize>)| (*file == self.file).then(|| range.clone());
        let kept: Vec<Range<usize>> = job.kept.iter().filter_map(here).collect();
        let held: Vec<Range<usize>> = job.held.iter().filter_map(here).collect();
        let stays = move |place: &SwitchPlace| {
            kept.iter().any(|around| around.covers(&place.range))
                || held.iter().any(|inside| inside.overlaps(place.affected()))
        };
        self.places.places.iter().map(stays)
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
    pub fn make(purpose: Purpose, job: &SwitchJob<'_>, compiler: &mut Compiler) -> Answer<Self> {
        compiler.add_library(LIBRARY, SWITCH_RUNTIME)?;
        let &SwitchJob { sources, roots, taken_back, .. } = job;
        let entry = Entry::find(job);
        let own = || job.run.test.to_owned();
        let files = find_all(purpose, sources, taken_back);
        let mut build = Build {
            binary: None,
            probe: entry.as_ref().map(|entry| entry.name_of(PROBE)),
            test: entry.as_ref().map_or_else(own, |entry| entry.name_of(&entry.function)),
            passing: entry.as_ref().and_then(|entry| Some(entry.name_of(entry.passing?))),
            files,
        };
        for file in &mut build.files {
            file.instrument(sources, entry.as_ref());
        }
        let built = until_it_compiles(
            &mut build,
            MAX_ROUNDS,
            // Errors are found before code is generated: nothing is gained by checking first.
            |build| -> Answer<_> {
                let compiled = compiler.compile(&build.sources(sources, roots), Depth::Link)?;
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
        if build.binary.is_some() {
            build.teach(purpose, sources, taken_back);
        }
        Ok(build)
    }

    /// Lets later builds know what could not be done in this one.
    fn teach(&self, purpose: Purpose, sources: &Sources, taken_back: &TakenBack) {
        for ((file, place), (_, mode)) in self.places_of_files().zip(self.modes()) {
            if let Some(at) = sources.original_range(file, &place.range) {
                taken_back.learn(purpose.mode(place), &place.kind, at, mode);
            }
        }
    }

    /// The number of switches.
    pub fn len(&self) -> usize {
        self.files.iter().map(|file| file.places.places.len()).sum()
    }

    /// The switches that have to stay as they are.
    pub fn kept(&self, job: &SwitchJob<'_>) -> Vec<bool> {
        self.files.iter().flat_map(|file| file.kept(job)).collect()
    }

    /// The number of places that can have a switch or a counter.
    pub fn places(&self) -> usize {
        let is_told_only = |place: &SwitchPlace| matches!(place.kind, SwitchKind::Variable(_));
        self.modes().filter(|(place, _)| !is_told_only(place)).count()
    }

    /// The number of places whose switch was rejected.
    pub fn taken_back(&self) -> usize {
        self.modes()
            .filter(|(place, mode)| place.kind.states() > 0 && *mode != Mode::Switch)
            .count()
    }

    /// All places with how they are instrumented, in the order of their switches.
    pub fn modes(&self) -> impl Iterator<Item = (&SwitchPlace, Mode)> {
        self.files.iter().flat_map(|file| file.places.places.iter().zip(file.modes.iter().copied()))
    }

    /// All places with their file, in the order of their switches.
    pub fn places_of_files(&self) -> impl Iterator<Item = (usize, &SwitchPlace)> {
        let files = self.files.iter();
        files.flat_map(|file| file.places.places.iter().map(|place| (file.file, place)))
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
                if compile_error.all.is_empty() {
                    continue;
                }
                let SwitchedFile { instrumented, places, modes, .. } = file;
                for place in instrumented.blame(places, modes, &compile_error, reach) {
                    let mode = &mut modes[place];
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

fn find_all(purpose: Purpose, sources: &Sources, taken_back: &TakenBack) -> Vec<SwitchedFile> {
    let mut files = Vec::new();
    let mut first = 0;
    for (index, source) in sources.files.iter().enumerate() {
        let Ok(places) = find(&source.text) else { continue };
        let count = places.places.len();
        if count == 0 || first + count > MOST_SWITCHES {
            continue;
        }
        let mode = |place: &SwitchPlace| {
            let wanted = purpose.mode(place);
            let at = sources.original_range(index, &place.range);
            at.map_or(wanted, |at| taken_back.known(wanted, &place.kind, at))
        };
        let modes = places.places.iter().map(mode).collect();
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
    let here = error.spans.iter().filter(|span| span.file == path);
    let primary = here.clone().filter(|span| span.primary);
    InstrumentedError {
        primary: primary.map(DiagnosticSpan::range).collect(),
        all: here.map(DiagnosticSpan::range).collect(),
    }
}

/// The ways into the test: for the loop, and behind those that have to pass along.
struct Entry {
    file: usize,
    /// What is put at bytes of the plain text.
    insertions: Vec<(usize, String)>,
    /// The module of the test, and what its function is called now.
    module: Vec<String>,
    function: String,
    /// What the function is called that runs only what has to pass.
    passing: Option<&'static str>,
}

impl Entry {
    fn find(job: &SwitchJob<'_>) -> Option<Self> {
        let SwitchJob { sources, roots, run, .. } = job;
        let (krate, located) = roots.iter().find_map(|root| locate(sources, *root, run.test))?;
        if !located.facts.is_callable() {
            return None;
        }
        let path = &krate.file(located.file).path;
        let file = sources.files.iter().position(|file| Path::new(&*file.path) == path)?;
        let text = &*sources.files[file].text;
        let name = &text[located.name_span.clone()];
        let is_driver = name == DRIVER;
        let mut entry = Entry {
            file,
            insertions: Vec::new(),
            function: name.to_owned(),
            module: located.module.clone(),
            passing: is_driver.then_some(DRIVER),
        };
        let mut made = String::new();
        if let Some((calls, insertions)) = calls(&krate, text, &located, run.also) {
            let is_it = |function: &TestFunction| function.name_range == located.name_span;
            let output = functions(text).into_iter().find(is_it)?.output;
            let driven = if is_driver { format!("let _ = {name}(); ") } else { String::new() };
            made = format!(
                " #[test] #[allow(warnings)] fn {PASSING}() {{ {calls}{driven}}} \
                 #[test] #[allow(warnings)] fn {ALONG}(){output} {{ {calls}{name}() }}"
            );
            ALONG.clone_into(&mut entry.function);
            entry.insertions = insertions;
            entry.passing = Some(PASSING);
        }
        let _ = write!(
            made,
            " #[test] #[allow(warnings)] fn {PROBE}() {{ \
             ::{LIBRARY}::drive(|| ::{LIBRARY}::Report::report({}())) }}",
            entry.function
        );
        entry.insertions.push((located.span.end, made));
        Some(entry)
    }

    /// The path of a function beside the test.
    fn name_of(&self, function: &str) -> String {
        let modules = self.module.iter().map(String::as_str);
        modules.chain([function.trim_start_matches("r#")]).collect::<Vec<_>>().join("::")
    }
}

/// The calls of tests that have to pass along with the one that is `located`, and what lets it call them; `None` if there
/// are none, or one of them cannot be called.
fn calls(
    krate: &Crate,
    text: &str,
    located: &Located,
    companions: &[String],
) -> Option<(String, Vec<(usize, String)>)> {
    let (mut calls, mut insertions) = (String::new(), BTreeSet::new());
    for test in companions {
        let other = krate.find_test(test).ok()?;
        let is_plain = other.facts.is_callable() && other.facts.should_panic.is_none();
        if !is_plain || other.file != located.file {
            return None;
        }
        let name = &text[other.name_span.clone()];
        let path = if other.module == located.module {
            name.to_owned()
        } else {
            // A path is one of the whole crate only where all is in one file.
            let path: Vec<&str> = other.module.iter().map(String::as_str).chain([name]).collect();
            let is_whole = krate.files().len() == 1;
            insertions.extend(to_open(text, &path).filter(|_| is_whole)?);
            format!("crate::{}", path.join("::"))
        };
        let _ = write!(calls, "::{LIBRARY}::passes(|| ::{LIBRARY}::Report::report({path}())); ");
    }
    let insertions = insertions.into_iter().map(|place| (place, "pub(crate) ".to_owned()));
    (!calls.is_empty()).then(|| (calls, insertions.collect()))
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
