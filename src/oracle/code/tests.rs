//! Candidates that are worth nothing, and what the tests of this folder share: programs of one file, compiled by the
//! compiler itself.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use camino::Utf8Path;

use super::{CodeMatcher, CodeOracle, TestName, TestRun};
use crate::compile::{Compiler, Crates, Shortcuts, SubjectCrate};
use crate::exec::{Access, Interrupt, Job, Limits, Policy, Sandbox};
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::Pool;
use crate::oracle::pooled::Pooled;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{FailureKind, Match, Signature};
use crate::probe::runs::{LIBRARY, library};
use crate::project::{Invocation, TestBinary};
use crate::reduce::Outcome;
use crate::rust::runs::DRIVER;
use crate::rust::testing::range_of;
use crate::rust::{Reduction, Sameness, Sources};

pub(super) fn sources(text: &str) -> Sources {
    Sources::of_file("test.rs", text, Sameness::Tokens)
}

/// What compiles candidates of one file in that folder.
pub(in crate::oracle) fn compiler(root: &Utf8Path, edition: &str) -> Compiler {
    let edition = format!("--edition={edition}");
    let args = ["--crate-name", "subject", "--test", "test.rs", &edition];
    let json = ["--error-format=json"];
    let call = Invocation {
        program: "rustc".into(),
        args: args.iter().chain(&json).map(|word| (*word).to_owned()).collect(),
        env: BTreeMap::new(),
    };
    let krate = SubjectCrate { call, files: vec!["test.rs".into()] };
    let crates = Crates { all: vec![krate], root: root.to_owned(), data: Vec::new() };
    let binary = TestBinary::of_file(root, "test.rs");
    let limits = Limits::default();
    let sandbox = Sandbox::new(Policy::default()).unwrap();
    Compiler::new(crates, binary, Shortcuts::All, limits, &sandbox, root, &Interrupt::new())
}

/// What a program is and what has to pass beside its test `fails`.
pub(super) struct Program<'a> {
    pub(super) text: &'a str,
    pub(super) edition: &'a str,
    /// Tests.
    pub(super) companions: &'a [String],
    /// The inputs that the text asks for: for each of them what it is in each run.
    pub(super) inputs: &'a [Vec<String>],
}

impl<'a> Program<'a> {
    /// A program of the edition of 2021 beside which nothing has to pass.
    pub(super) fn new(text: &'a str) -> Self {
        Program { text, edition: "2021", companions: &[], inputs: &[] }
    }

    /// Runs `look` with a judge of its candidates.
    pub(super) fn with_judge<R>(&self, look: impl FnOnce(CodeOracle<'_>, &Sources) -> R) -> R {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let interrupt = Interrupt::new();
        let compiler = compiler(root, self.edition);
        let library = compiler.library(LIBRARY, &library(self.inputs), &interrupt).unwrap();
        let compiler = compiler.using(&library);
        let original = sources(self.text);
        let sandbox = Sandbox::new(Policy::default()).unwrap();
        let confine =
            |job: Job| sandbox.confine(job.time(Duration::from_secs(20)), Access::default());
        let name = || {
            let name = TestName::following("fails", &original);
            if self.text.contains(DRIVER) { name.run_by(DRIVER) } else { name }
        };
        let run = TestRun {
            test: "fails",
            runner: TestRunner::Libtest,
            args: &[],
            also: self.companions,
            confine: &confine,
        };
        let judge = |matcher: CodeMatcher| {
            let pool = Pool::new(1, Interrupt::new());
            CodeOracle::new(
                &compiler,
                run.clone(),
                name(),
                matcher,
                pool,
                &original,
                &BTreeSet::new(),
            )
        };
        let anything = Signature::new(FailureKind::Panic, String::new());
        let observer = judge(CodeMatcher::new(Match::Any, anything, &original));
        let (_, verdict) = observer.observe(&original, &interrupt).unwrap();
        let Verdict::Failed(expected) = verdict else {
            panic!("{verdict:?}");
        };
        look(judge(CodeMatcher::new(Match::Template, expected, &original)), &original)
    }
}

/// The base with another text in one place.
pub(super) fn with(base: &Sources, old: &str, new: &str) -> Sources {
    base.edit([(0, &Reduction::replace(range_of(&base.files[0].text, old), new))])
}

/// A test whose failing run has a lone quote, and two runs that have to pass.
const QUOTED: &str = "fn quoted(text: &str) -> &str {\n    let open = text.find('\"').unwrap();\n    \
    let close = text.rfind('\"').unwrap();\n    ::cargo_reduce_runs::reached!(0);\n    &text[open + 1..close]\n}\n\
    #[test]\nfn fails() {\n    let text = ::cargo_reduce_runs::input_0!();\n    quoted(text);\n}\n";

/// Edits after which the test alone still fails in the same place with the same message, and what is wrong with them.
const TRIVIAL: [(&str, &str, &str); 7] = [
    ("a constant in the place of a call", "text.rfind('\"').unwrap()", "0"),
    ("constants in the place of all", "open + 1..close", "1..0"),
    (
        "the line of the bug as dead code",
        "text.rfind('\"').unwrap()",
        "if false { text.rfind('\"').unwrap() } else { 0 }",
    ),
    ("an input that is ignored", "quoted(text);", "quoted(\"\\\"\");"),
    ("an input that is hidden", "    quoted(text);", "    let text = \"\\\"\";\n    quoted(text);"),
    (
        "runs that do not come near",
        "    quoted(text);",
        "    if text.len() == 1 {\n        quoted(text);\n    }",
    ),
    (
        "runs that end before",
        "    ::cargo_reduce_runs::reached!(0);\n",
        "    if close > open {\n        return \"\";\n    }\n    ::cargo_reduce_runs::reached!(0);\n",
    ),
];

#[test]
fn no_trivial_candidate_is_taken_where_runs_have_to_pass_with_the_same_code() {
    let inputs = [["\"\\\"\"", "\"\\\"\\\"\"", "\"\\\"a\\\"\""].map(str::to_owned).to_vec()];
    let driver = format!(
        "#[test]\nfn {DRIVER}() {{\n    ::{LIBRARY}::all_reaching(&[1, 2], &[], fails)\n}}\n"
    );
    let driven = QUOTED.to_owned() + &driver;
    let outcomes = |text: &str, edits: &[(&str, &str, &str)]| -> Vec<Outcome> {
        let program = Program { inputs: &inputs, ..Program::new(text) };
        program.with_judge(|judge, base| {
            let all = edits.iter().map(|(_, old, new)| with(base, old, new));
            all.map(|candidate| judge.judge(&candidate, &Interrupt::new()).unwrap()).collect()
        })
    };
    for ((what, ..), outcome) in TRIVIAL.iter().zip(outcomes(QUOTED, &TRIVIAL)) {
        assert_eq!(outcome, Outcome::Fail, "{what}");
    }
    for ((what, ..), outcome) in TRIVIAL.iter().zip(outcomes(&driven, &TRIVIAL)) {
        assert_ne!(outcome, Outcome::Fail, "{what}");
    }
    let written_out = (
        "the panic written out",
        "&text[open + 1..close]",
        "panic!(\"begin > end (1 > 0) when slicing `\\\"`\")",
    );
    let vacuous = ("fewer runs", "&[1, 2], ", "&[], ");
    for outcome in outcomes(&driven, &[written_out, vacuous]) {
        assert_eq!(outcome, Outcome::Unresolved);
    }
    // What says as much is taken.
    let smaller = ("less code", "text.find('\"').unwrap()", "text.find('\"').unwrap_or(0)");
    assert_eq!(outcomes(&driven, &[smaller]), [Outcome::Fail]);
}
