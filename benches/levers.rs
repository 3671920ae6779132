//! What each lever of `--code` brings, on a fixture: without the build with switches, with what it says
//! of coverage, with the search over its switches, and with the static passes after that.
//!
//! `cargo bench --bench levers`

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark may panic and prints figures"
)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use cargo_reduce::exec::{Interrupt, Job, Limits, run};
use cargo_reduce::oracle::code::{
    Checker, CodeOracle, Compiler, Crates, LaneCounts, Place, Shortcuts, SubjectCrate, TestName,
    TestRun, Together,
};
use cargo_reduce::oracle::libtest::Verdict;
use cargo_reduce::oracle::pool::Pool;
use cargo_reduce::oracle::runner::TestRunner;
use cargo_reduce::oracle::signature::{Kind, Match, Signature};
use cargo_reduce::oracle::switches::{Levers, SwitchJob, Switched, switch};
use cargo_reduce::passes::{
    CrateRoot, Sameness, Settings, SourceFile, Sources, StandIn, flatten, reduce_checked,
};
use cargo_reduce::project::{
    CargoOptions, CrateKind, Invocation, TargetChoice, TargetKind, TestBinary, build_and_tell,
};
use cargo_reduce::reduce::{Memory, Oracle, Problem};

const FIXTURE: &str = "release-notes";
const TARGET: &str = "notes";
const TEST: &str = "keeps_every_version";
const WORKERS: usize = 2;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = Utf8Path::from_path(folder.path())
        .expect("UTF-8")
        .join(FIXTURE);
    let case = Case::prepare(root);
    println!("{TEST} of {FIXTURE}: {} tokens\n", case.sources.tokens());
    println!(
        "{:28} {:>6} {:>6} {:>10} {:>8} {:>7}",
        "", "builds", "checks", "candidates", "seconds", "tokens"
    );
    case.measure("probe off", None, Passes::On);
    case.measure("coverage", Some(Levers::Coverage), Passes::Off);
    case.measure("coverage, switches", Some(Levers::Switches), Passes::Off);
    case.measure(
        "coverage, switches, passes",
        Some(Levers::Switches),
        Passes::On,
    );
}

/// Whether static passes follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passes {
    On,
    Off,
}

/// A failing test and how it is compiled.
struct Case {
    crates: Crates,
    binary: TestBinary,
    sources: Sources,
    kind: Kind,
    place: Place,
    interrupt: Interrupt,
}

impl Case {
    /// Builds a copy of the fixture, sees the test fail, and brings the code into one file.
    fn prepare(root: Utf8PathBuf) -> Self {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(FIXTURE);
        let copied = Command::new("cp")
            .arg("-r")
            .arg(fixture)
            .arg(&root)
            .status();
        assert!(copied.expect("cp runs").success());
        let choice = TargetChoice {
            kind: TargetKind::Test,
            name: Some(TARGET.to_owned()),
        };
        let interrupt = Interrupt::new();
        let (built, calls) = build_and_tell(
            &root.join("Cargo.toml"),
            &root.join("target"),
            &CargoOptions::default(),
            FIXTURE,
            &choice,
            &interrupt,
        )
        .expect("cargo runs");
        let binary = built.binaries.into_iter().next().expect("the test builds");
        let expected = failure(&binary, &interrupt);
        let crates = crates(calls, root);
        let original = read(&crates);
        let sources = flat(&crates, &original);
        Case {
            crates: crates.merged().expect("one crate"),
            binary,
            sources,
            kind: expected.kind,
            place: Place::new(Match::Template, expected, &original),
            interrupt,
        }
    }

    fn compiler(&self, folder: &str) -> Compiler {
        let folder = self.crates.root.join("target/levers").join(folder);
        let (crates, binary) = (self.crates.clone(), self.binary.clone());
        Compiler::new(
            crates,
            binary,
            (Shortcuts::All, Limits::default()),
            &folder,
            &self.interrupt,
        )
    }

    fn measure(&self, name: &str, levers: Option<Levers>, passes: Passes) {
        let confine = |job: Job| job.time(Duration::from_secs(10));
        let run = TestRun {
            test: TEST,
            runner: TestRunner::Libtest,
            args: &[],
            also: &[],
            confine: &confine,
        };
        let started = Instant::now();
        let compiler = self.compiler(&format!("{name}/plain"));
        let mut candidates = 0;
        let mut work = LaneCounts::default();
        let mut best = self.sources.clone();
        if let Some(levers) = levers {
            let mut switching = self.compiler(&format!("{name}/switches"));
            let switched = self.switched(levers, run.clone(), &mut switching);
            work = switching.counts();
            candidates += switched.counts.candidates;
            let edits = switched.reductions.iter();
            best = best.edit(edits.map(|(file, edit)| (*file, edit)));
        }
        let pool = Pool::new(WORKERS, self.interrupt.clone());
        let test = TestName::fixed(run.test);
        let judge = CodeOracle::new(
            &compiler,
            (run, test),
            self.place.clone(),
            pool,
            &self.sources,
        );
        let mut oracle = Together::new(judge, &self.sources);
        let outcome = oracle.ask(&best).expect("it compiles");
        assert!(
            outcome.is_fail(),
            "what switches have shown holds as plain source"
        );
        if passes == Passes::On {
            let settings = Settings {
                stand_in: StandIn::Panic,
                is_switched: levers.is_some(),
            };
            let mut problem = Problem::new(best, &mut oracle, Memory::Remember);
            let mut hear = |_| ();
            let mut checker = Checker::new(&compiler, &self.interrupt, &mut hear);
            reduce_checked(&mut problem, settings, &mut checker).expect("nothing stops it");
            candidates += problem.counts().candidates;
            best = problem.into_best();
        }
        let more = compiler.counts();
        println!(
            "{name:28} {:>6} {:>6} {candidates:>10} {:>8.1} {:>7}",
            work.builds + more.builds,
            work.checks + more.checks,
            started.elapsed().as_secs_f64(),
            best.tokens(),
        );
    }

    fn switched(&self, levers: Levers, run: TestRun<'_>, compiler: &mut Compiler) -> Switched {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let job = SwitchJob {
            sources: &self.sources,
            roots: &[0],
            run,
            rule: Match::Template,
            kind: self.kind,
            same: &|shown: &Signature| self.place.is_same(shown, &self.sources),
            limit: Duration::from_secs(10),
            workers: WORKERS,
            folder: folder.path(),
            interrupt: &self.interrupt,
            stop: &|_| None,
            levers,
            is_looped: true,
        };
        switch(&job, compiler).expect("there is a build with switches")
    }
}

fn failure(binary: &TestBinary, interrupt: &Interrupt) -> Signature {
    let job = TestRunner::Libtest.job(binary, TEST, &[]);
    let finished = run(&job.time(Duration::from_secs(10)), interrupt).expect("it runs");
    match TestRunner::Libtest.interpret(&finished, TEST) {
        Verdict::Failed(shown) => shown,
        other => panic!("the test does not fail: {other:?}"),
    }
}

/// The library and the test.
fn crates(calls: Vec<Invocation>, root: Utf8PathBuf) -> Crates {
    let mut data = Vec::new();
    let mut all: Vec<SubjectCrate> = Vec::new();
    for call in calls {
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
    let files = paths.map(|path| SourceFile {
        path: path.as_str().into(),
        text: std::fs::read_to_string(crates.root.join(path))
            .expect("it is there")
            .into(),
    });
    Sources::new(files.collect(), Sameness::Tokens)
}

fn flat(crates: &Crates, sources: &Sources) -> Sources {
    let roots: Vec<CrateRoot> = { crates.all.iter() }
        .map(|krate| CrateRoot {
            name: krate.call.crate_name().expect("it has a name").to_owned(),
            file: krate.call.root_file().expect("it has a root").to_string(),
            is_2015: false,
        })
        .collect();
    let (tested, libraries) = roots.split_last().expect("there are crates");
    flatten(sources, tested, libraries).expect("the sources are made of tokens")
}
