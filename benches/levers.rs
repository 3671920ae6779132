//! What each lever of `--code` brings: the static passes alone; what a build with switches says of
//! coverage, the search over its switches, the static passes after that, and with functions of several
//! bodies for them.
//!
//! `cargo bench --features bench --bench levers` takes a fixture. Another package is taken with these variables:
//!
//! - `LEVERS_PROJECT`: its folder, which is copied; `LEVERS_PACKAGE`: its name
//! - `LEVERS_TARGET`: `lib`, or the name of an integration test; `LEVERS_TEST`: the test
//! - `LEVERS_SECONDS`: how long each row may take (60); a row that was stopped says so

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark may panic and prints figures"
)]

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use cargo_reduce::internals::Pool;
use cargo_reduce::internals::TestRunner;
use cargo_reduce::internals::Verdict;
use cargo_reduce::internals::{Access, Interrupt, Job, Limits, Policy, Sandbox, run_tool};
use cargo_reduce::internals::{
    CargoOptions, CargoTest, CrateKind, Invocation, TargetChoice, TargetKind, TestBinary,
};
use cargo_reduce::internals::{
    Checker, CodeMatcher, CodeOracle, CompileCounts, Compiler, Crates, Shortcuts, SubjectCrate,
    TestName, TestRun, Together,
};
use cargo_reduce::internals::{
    CrateRoot, Sameness, Settings, SourceFile, Sources, StandIn, flatten, make_edits,
    reduce_checked,
};
use cargo_reduce::internals::{Match, Signature};
use cargo_reduce::internals::{
    SwitchJob, SwitchMode, Switched, TakenBack, Values, build_switches, switch,
};
use cargo_reduce::{
    Stop,
    internals::{Memory, Problem},
};

const WORKERS: usize = 2;
/// How long a candidate may take, and may compute, as in a job whose test fails at once.
const CANDIDATE: Duration = Duration::from_millis(300);
const COMPUTING: Duration = Duration::from_millis(60);
/// The share of a row's time after which there are no more candidates with switches.
const SWITCHES: f64 = 0.5;

/// Which test is reduced.
struct Wanted {
    project: PathBuf,
    package: String,
    target: TargetChoice,
    test: String,
    limit: Duration,
}

impl Wanted {
    fn read() -> Self {
        let said =
            |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let project = env::var_os("LEVERS_PROJECT").map(PathBuf::from);
        let (kind, name) = match said("LEVERS_TARGET", "notes").as_str() {
            "lib" => (TargetKind::Lib, None),
            name => (TargetKind::Test, Some(name.to_owned())),
        };
        let seconds = said("LEVERS_SECONDS", "60").parse().expect("seconds");
        Wanted {
            project: project.unwrap_or_else(|| fixtures.join("release-notes")),
            package: said("LEVERS_PACKAGE", "release-notes"),
            target: TargetChoice { kind, name },
            test: said("LEVERS_TEST", "keeps_every_version"),
            limit: Duration::from_secs_f64(seconds),
        }
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Utf8Path::from_path(folder.path()).expect("UTF-8");
    let wanted = Wanted::read();
    let Wanted { test, package, .. } = &wanted;
    let title = format!("{test} of {package}");
    let case = Case::prepare(root.join("project"), wanted);
    println!("{title}: {} tokens\n", case.sources.tokens());
    println!(
        "{:28} {:>6} {:>6} {:>10} {:>8} {:>7}",
        "", "builds", "checks", "candidates", "seconds", "tokens"
    );
    case.measure("probe off", None, Passes::Rebuilt);
    case.measure("coverage", Some(SwitchMode::Coverage), Passes::Off);
    case.measure("coverage, switches", Some(SwitchMode::Switches), Passes::Off);
    case.measure("coverage, switches, passes", Some(SwitchMode::Switches), Passes::Rebuilt);
    case.measure("the same, several bodies", Some(SwitchMode::Switches), Passes::WithBodies);
}

/// Which static passes follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passes {
    /// None.
    Off,
    /// Each function of a build has one body.
    Rebuilt,
    /// Functions have the bodies of many candidates.
    WithBodies,
}

/// A failing test and how it is compiled.
struct Case {
    test: String,
    limit: Duration,
    crates: Crates,
    binary: TestBinary,
    sources: Sources,
    place: CodeMatcher,
    interrupt: Interrupt,
    sandbox: Sandbox,
    /// Where candidates leave what they ran through.
    open: tempfile::TempDir,
}

impl Case {
    /// Builds a copy of the project, sees the test fail, and brings the code into one file.
    fn prepare(root: Utf8PathBuf, wanted: Wanted) -> Self {
        let copied = Command::new("cp").arg("-r").arg(&wanted.project).arg(&root).status();
        assert!(copied.expect("cp runs").success());
        // What is fresh would not be built again, and its call not be told.
        let _ = std::fs::remove_dir_all(root.join("target"));
        let interrupt = Interrupt::new();
        let cargo_test = CargoTest {
            manifest: &root.join("Cargo.toml"),
            target_dir: Some(&root.join("target")),
            options: &CargoOptions::default(),
            packages: std::slice::from_ref(&wanted.package),
        };
        let told = cargo_test.build_and_tell(&wanted.target, &interrupt);
        let (built, calls) = told.expect("cargo runs");
        let binary = built.binaries.into_iter().next().expect("the test builds");
        let expected = failure(&binary, &wanted.test, &interrupt);
        let crates = crates(calls, root);
        let original = read(&crates);
        let sources = flat(&crates, &original);
        Case {
            test: wanted.test,
            limit: wanted.limit,
            crates: crates.merged().expect("one crate"),
            binary,
            sources,
            place: CodeMatcher::new(Match::Template, expected, &original),
            interrupt,
            sandbox: Sandbox::new(Policy::default()).expect("a sandbox"),
            open: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    fn compiler(&self, folder: &str, interrupt: &Interrupt) -> Compiler {
        let folder = self.crates.root.join("target/levers").join(folder);
        let (crates, binary) = (self.crates.clone(), self.binary.clone());
        Compiler::new(
            crates,
            binary,
            Shortcuts::All,
            Limits::default(),
            &self.sandbox,
            &folder,
            interrupt,
        )
    }

    fn measure(&self, name: &str, mode: Option<SwitchMode>, passes: Passes) {
        let root = self.crates.root.as_std_path();
        let access = Access::keeping([root, self.open.path()]);
        let confine = |job: Job| self.sandbox.confine(job.time(CANDIDATE), access.clone());
        let run = TestRun {
            test: &self.test,
            runner: TestRunner::Libtest,
            args: &[],
            also: &[],
            confine: &confine,
        };
        let started = Instant::now();
        let interrupt = self.interrupt.until(started + self.limit);
        let compiler = self.compiler(&format!("{name}/plain"), &interrupt);
        let mut candidates = 0;
        let mut work = CompileCounts::default();
        let mut edits = Vec::new();
        if let Some(mode) = mode {
            let until = self.interrupt.until(started + self.limit.mul_f64(SWITCHES));
            let mut switching = self.compiler(&format!("{name}/switches"), &interrupt);
            let switched = self.switched(mode, run.clone(), &mut switching, &until);
            work = switching.counts();
            if let Some(switched) = switched {
                candidates += switched.counts.candidates;
                edits = switched.reductions;
            }
        }
        let pool = Pool::new(WORKERS, interrupt.clone());
        let test = TestName::fixed(run.test);
        let place = self.place.clone();
        let mut judge =
            CodeOracle::new(&compiler, run, test, place, pool, &self.sources, &BTreeSet::new());
        judge.limit.cpu = Some(COMPUTING);
        let mut oracle = Together::new(judge, &self.sources);
        if passes != Passes::WithBodies {
            oracle = oracle.with_plain_functions();
        }
        let mut problem = Problem::new(self.sources.clone(), &mut oracle, Memory::Remember)
            .stop_when(|_| interrupt.is_set().then_some(Stop::TimeUp));
        let mut ended = make_edits(&mut problem, &edits);
        if passes != Passes::Off {
            let settings = Settings { stand_in: StandIn::Panic, is_switched: mode.is_some() };
            let mut hear = |_| ();
            let mut checker = Checker::new(&compiler, &interrupt, &mut hear);
            ended = ended.and_then(|()| reduce_checked(&mut problem, settings, &mut checker));
        }
        candidates += problem.counts().candidates;
        let best = problem.into_best();
        let more = compiler.counts();
        println!(
            "{name:28} {:>6} {:>6} {candidates:>10} {:>8.1} {:>7}{}",
            work.builds + more.builds,
            work.checks + more.checks,
            started.elapsed().as_secs_f64(),
            best.tokens(),
            if ended.is_ok() { "" } else { "  (stopped)" },
        );
    }

    fn switched(
        &self,
        mode: SwitchMode,
        run: TestRun<'_>,
        compiler: &mut Compiler,
        until: &Interrupt,
    ) -> Option<Switched> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let job = SwitchJob {
            sources: &self.sources,
            roots: &[0],
            run,
            matcher: &self.place,
            kept: &[],
            held: &[],
            above_suspicion: &[],
            taken_back: &TakenBack::default(),
            limit: CANDIDATE,
            workers: WORKERS,
            folder: folder.path(),
            open: self.open.path(),
            interrupt: &self.interrupt,
            stop: &|_| until.is_set().then_some(Stop::TimeUp),
            mode,
            is_looped: true,
            values: Values::All,
        };
        let switched =
            build_switches(&job, compiler).and_then(|build| switch(&job, build, compiler));
        assert!(switched.is_ok() || until.is_set(), "there is a build with switches");
        switched.ok()
    }
}

fn failure(binary: &TestBinary, test: &str, interrupt: &Interrupt) -> Signature {
    let job = TestRunner::Libtest.job(binary, test, &[]);
    let finished = run_tool(&job.time(Duration::from_secs(10)), interrupt).expect("it runs");
    match TestRunner::Libtest.interpret(&finished, test) {
        Verdict::Failed(shown) => shown,
        other => panic!("the test does not fail: {other:?}"),
    }
}

/// The library and the test.
fn crates(calls: Vec<Invocation>, root: Utf8PathBuf) -> Crates {
    let mut data = Vec::new();
    let mut all: Vec<SubjectCrate> = Vec::new();
    let is_own =
        |call: &Invocation| call.root_file().is_some_and(|file| root.join(file).starts_with(&root));
    for call in calls.into_iter().filter(is_own) {
        let sources = call.sources().expect("cargo tells them");
        let own = sources.into_iter().filter(|path| path.is_relative());
        let (files, others) = own.partition(|path| path.extension() == Some("rs"));
        data.extend::<Vec<Utf8PathBuf>>(others);
        all.push(SubjectCrate { call, files });
    }
    all.sort_by_key(|krate| krate.call.kind() == CrateKind::Test);
    Crates { all, root, data }
}

/// The sources, the root of the test first.
fn read(crates: &Crates) -> Sources {
    let paths = crates.all.iter().rev().flat_map(|krate| &krate.files);
    let files = paths.map(|path| {
        SourceFile::new(
            path.as_str(),
            std::fs::read_to_string(crates.root.join(path)).expect("it is there"),
        )
    });
    Sources::new(files.collect(), Sameness::Tokens)
}

fn flat(crates: &Crates, sources: &Sources) -> Sources {
    let roots: Vec<CrateRoot> = crates
        .all
        .iter()
        .map(|krate| CrateRoot {
            name: krate.call.crate_name().expect("it has a name").to_owned(),
            file: krate.call.root_file().expect("it has a root").to_string(),
            is_2015: false,
            has_tests: false,
            features: krate.call.features().map(str::to_owned).collect(),
        })
        .collect();
    let (tested, libraries) = roots.split_last().expect("there are crates");
    flatten(sources, tested, libraries).expect("the sources are made of tokens")
}
