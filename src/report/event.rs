//! What there is to tell.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

use crate::oracle::signature::Signature;
use crate::reduce::Outcome;
use crate::reduce::tree::ShownNode;
use crate::source::Tier;

/// Something that happened. Serialized it is one line of `--message-format json`, except for
/// [`Event::Stage`] and [`Event::Warning`], which are for people.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Event {
    /// A stage of the work has begun.
    #[serde(skip)]
    Stage {
        /// What is done, as a verb: `Building`.
        verb: String,
        /// To what.
        what: String,
    },
    /// So many of the parts of a stage are done.
    #[serde(skip)]
    Done {
        /// How many.
        parts: usize,
        /// How many there are.
        of: usize,
    },
    /// The next of several tests has its turn.
    #[serde(skip)]
    Test {
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
        /// What it is called.
        name: String,
    },
    /// Something the user should know that stops nothing.
    #[serde(skip)]
    Warning(String),
    /// What only those want to know who ask how the work goes: lines of text.
    #[serde(skip)]
    Detail(String),
    /// Sandbox in which candidates run.
    Sandbox {
        /// By what: `namespaces`, `landlock` or `none`.
        protection: String,
        /// The same in words.
        #[serde(skip)]
        described: String,
        /// What candidates can do all the same; nothing where all is kept that the guide promises.
        gaps: Option<String>,
    },
    /// The failure was reproduced on the unchanged subject.
    Failure {
        /// The test, or the file.
        test: String,
        /// The package it belongs to.
        package: String,
        /// How it fails.
        signature: Signature,
    },
    /// An input was found.
    Input(Input),
    /// The search goes on.
    Progress {
        /// Candidates run so far.
        candidates: u64,
        /// Elements left.
        elements: usize,
        /// Milliseconds since the start.
        elapsed_ms: u64,
        /// The beginning of the best so far, for people.
        #[serde(skip)]
        best: String,
    },
    /// A search begins, or a smaller candidate has become its best.
    #[serde(skip)]
    Step(Step),
    /// A candidate was tried.
    #[serde(skip)]
    Tried {
        /// What came out.
        outcome: Outcome,
        /// What it would have taken away or changed.
        what: String,
    },
    /// An input is done.
    Reduced(ReducedInput),
    /// What a file of the result has of the original.
    SourceDiff {
        /// The file.
        path: String,
        /// A unified diff.
        text: String,
    },
    /// A file is done.
    File(ReducedFile),
    /// What makes the difference between a passing and a failing input.
    Difference(Difference),
    /// What passes beside the failure, with the same code.
    #[serde(skip)]
    Contrast(Contrast),
    /// A pattern of failing inputs.
    Pattern(Pattern),
    /// An instance of a pattern was checked.
    Instance {
        /// Which input.
        id: usize,
        /// The instance.
        text: String,
        /// What came out.
        outcome: Outcome,
    },
    /// An input was left alone.
    Skipped {
        /// Which input.
        id: usize,
        /// Why.
        why: String,
    },
    /// A candidate failed in another way, which may be worth a look.
    OtherFailure {
        /// How it fails.
        signature: Signature,
        /// Where the candidate was kept.
        path: String,
    },
    /// A text that was asked for, such as an issue report; programs find it among the artifacts.
    #[serde(skip)]
    Document(String),
    /// The end of a job.
    Summary(Summary),
    /// The end of several jobs.
    #[serde(skip)]
    End,
}

/// An input of the subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Input {
    /// Its number, by which later events name it.
    pub id: usize,
    /// What it is: `str`, `bytes`, `char`, `int`, `float`, `seq`, `file`.
    pub kind: String,
    /// The source file it stands in.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// How many elements it has; unknown where only a run can tell.
    pub elements: Option<usize>,
    /// Where its value comes from: `literal`, `read`, `computed`, `generated`.
    pub origin: String,
    /// The file from which it is read, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How its candidates are run.
    pub tier: Tier,
}

/// An input, before and after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReducedInput {
    /// Its number.
    pub id: usize,
    /// Elements before.
    pub elements_before: usize,
    /// Elements now.
    pub elements_after: usize,
    /// The input as Rust source.
    pub text: String,
    /// The input as it was, for people.
    #[serde(skip)]
    pub original: String,
    /// What happens without each of its elements, by their places in the text; for people.
    #[serde(skip)]
    pub parts: Vec<Part>,
}

/// How far a search is when it begins, and when something was taken away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Whether it begins: what it counts as elements may differ from what the one before did.
    pub is_first: bool,
    /// Candidates run so far.
    pub candidates: u64,
    /// Elements left.
    pub elements: usize,
    /// Milliseconds since the search began.
    pub elapsed_ms: u64,
    /// What was taken away or changed, where somebody wants to know.
    pub what: Option<String>,
}

/// A part of the result that was left out once, to see what happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its bytes in the text of the result.
    pub range: Range<usize>,
    /// What happens without it, if that was tried.
    pub without: Option<Without>,
}

/// What happens without a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Without {
    /// Whether the failure is gone, or another one came.
    pub outcome: Outcome,
    /// The same in words: `the test passes`.
    pub said: String,
}

/// Runs that pass beside the failing one, with the same code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// The inputs with which it fails.
    pub failing: Option<String>,
    /// Inputs with which it passes.
    pub passing: Vec<String>,
    /// Other tests that pass.
    pub tests: Vec<String>,
    /// All that in a sentence.
    pub statement: String,
}

/// A file, before and after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReducedFile {
    /// The file.
    pub path: String,
    /// Of how many files it was made; the figures before are those of all of them.
    #[serde(skip)]
    pub files_before: usize,
    /// Bytes before.
    pub bytes_before: u64,
    /// Bytes now.
    pub bytes_after: u64,
    /// Lines before.
    pub lines_before: u64,
    /// Lines now.
    pub lines_after: u64,
    /// The file, or all of those, as it was; for people.
    #[serde(skip)]
    pub before: String,
    /// What is left of it; for people.
    #[serde(skip)]
    pub after: String,
    /// What happens without each statement of that; for people.
    #[serde(skip)]
    pub parts: Vec<Part>,
}

/// What makes a passing input fail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Which input.
    pub id: usize,
    /// The largest input that passes.
    pub passing: String,
    /// The smallest one above it that fails.
    pub failing: String,
    /// What only the failing one has.
    #[expect(clippy::struct_field_names, reason = "it is the name in JSON")]
    pub difference: String,
    /// What happens with each element of that, by their places in its text; for people.
    #[serde(skip)]
    pub parts: Vec<Part>,
}

/// A pattern of failing inputs, and how it was checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Pattern {
    /// Which input.
    pub id: usize,
    /// The pattern.
    #[expect(clippy::struct_field_names, reason = "it is the name in JSON")]
    pub pattern: String,
    /// The name of the grammar.
    pub grammar: String,
    /// Instances tried.
    pub instances: u64,
    /// Instances that failed in the same way.
    pub reproduced: u64,
    /// Instances that were no valid input.
    pub unresolved: u64,
    /// The share of failing inputs among the instances lies in here, with 95 % confidence.
    pub interval: [f64; 2],
    /// Whether any text of the grammar is an instance.
    #[serde(skip)]
    pub is_open: bool,
    /// What the placeholders stand for, as EBNF; for people.
    #[serde(skip)]
    pub legend: String,
    /// The tree of the pattern; for people who want to see more.
    #[serde(skip)]
    pub tree: Vec<ShownNode>,
}

/// How a run ended, and what it took.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// How it ended.
    pub status: Status,
    /// Whether the plain `cargo test` or `rustc` was seen to fail in the same way on the result.
    pub confirmed: bool,
    /// Why the result may fail with correct code, too, if it may.
    pub doubt: Option<String>,
    /// Why there is no result, if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Files that the failing run reads and that were not reduced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreduced: Vec<String>,
    /// The failure, if there was one.
    pub signature: Option<Signature>,
    /// Compilations that linked.
    pub builds: u64,
    /// Compilations that only checked.
    pub checks: u64,
    /// Candidates that were run.
    pub candidates: u64,
    /// Outcomes answered from memory or from the store.
    pub cached: u64,
    /// Milliseconds from start to end.
    pub elapsed_ms: u64,
    /// What was written.
    pub artifacts: Artifacts,
    /// Commands that go on from here; for people.
    #[serde(skip)]
    pub commands: Vec<NextCommand>,
    /// Options with which the same call tells more; for people.
    #[serde(skip)]
    pub next: Vec<NextStep>,
}

/// An option with which the same call tells more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextStep {
    /// The option.
    pub option: Cow<'static, str>,
    /// What it does, as a verb with its object.
    pub does: &'static str,
}

/// A command that goes on from a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextCommand {
    /// What it does, as a verb: `Run it`.
    pub verb: &'static str,
    /// The command.
    pub command: String,
}

impl Summary {
    /// Whether the job has ended before anything was tried.
    pub fn is_never_begun(&self) -> bool {
        let has_failed = matches!(
            self.status,
            Status::Error | Status::NotFailing | Status::NotReproduced | Status::Flaky
        );
        has_failed && self.candidates + self.cached == 0
    }
}

/// The files and folders that a run leaves to the user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Artifacts {
    /// A regression test, or the diff that adds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regression_test: Option<String>,
    /// The minimal package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
    /// The page that shows all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// How a debugger gets at the regression test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Box<DebugTarget>>,
}

/// A test binary and its arguments, for debuggers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DebugTarget {
    /// The arguments of cargo that build it; with `--message-format json` cargo names the binary (`executable`).
    pub build: Vec<String>,
    /// What the binary is called with.
    pub arguments: Vec<String>,
    /// Where it is called.
    pub folder: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The subject is smaller now.
    Reduced,
    /// It was shown to be already minimal.
    Minimal,
    /// The limit of the search was reached before anything went; whether it is minimal is not known.
    Limited,
    /// The subject does not fail.
    NotFailing,
    /// The failure does not come back.
    NotReproduced,
    /// It fails only sometimes, beyond what `--runs` allows.
    Flaky,
    /// The user stopped it; the best so far is the result.
    Interrupted,
    /// The environment prevents it.
    #[default]
    Error,
}

impl Status {
    /// The status with which the program exits.
    pub fn exit_code(self) -> u8 {
        match self {
            Status::Reduced | Status::Minimal | Status::Limited => 0,
            Status::NotFailing | Status::NotReproduced | Status::Flaky | Status::Error => 1,
            Status::Interrupted => 130,
        }
    }
}
