//! What a run of the binary has left, and what is expected of it.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::project::QUICK_BUILDS;

/// A run that has ended.
pub struct Finished {
    code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// The regression test, if one was written.
    regression_test: Option<String>,
    /// What it was run in.
    _folder: Arc<TempDir>,
}

impl Finished {
    pub fn new(output: &Output, folder: &Arc<TempDir>) -> Self {
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        Finished {
            code: output.status.code(),
            regression_test: written(&stdout),
            stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            _folder: Arc::clone(folder),
        }
    }

    /// Expects that exit code, and no panic of ours.
    pub fn code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Expects that the failure was seen once more on the result.
    pub fn confirmed(&self) -> &Self {
        assert_eq!(self.summary()["confirmed"], true, "{self}");
        self
    }

    /// The folder of the package that was left.
    pub fn package(&self) -> PathBuf {
        PathBuf::from(self.summary()["artifacts"]["package"].as_str().unwrap())
    }

    /// The plain `cargo test` of all in that package.
    pub fn plain_test(&self) -> Output {
        let folder = self.package();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--offline", "--no-fail-fast"]);
        cargo.current_dir(&folder);
        cargo.env("CARGO_TARGET_DIR", folder.join("target/plain"));
        cargo.output().unwrap()
    }

    /// The text of a file of the package that was left.
    pub fn left(&self, file: &str) -> String {
        fs::read_to_string(self.package().join(file)).unwrap()
    }

    /// Expects a confirmed reduction in no more builds than the budget allows.
    pub fn reduced(&self) -> &Self {
        self.reduced_in(3)
    }

    /// How many candidates were judged, those that an earlier run or the same one had judged before among them.
    pub fn asked(&self) -> u64 {
        let summary = self.summary();
        ["candidates", "cached"].iter().map(|name| summary[name].as_u64().unwrap()).sum()
    }

    /// Expects a confirmed reduction in no more builds than this.
    pub fn reduced_in(&self, builds: u64) -> &Self {
        self.code(0);
        let summary = self.summary();
        assert_eq!(summary["status"], "reduced", "{self}");
        self.confirmed();
        assert!(summary["builds"].as_u64().unwrap() <= builds, "{self}");
        assert!(self.asked() > 0, "{self}");
        self.regression_test();
        self
    }

    /// Expects these inputs in the end, as Rust source with its white space collapsed.
    pub fn to<const N: usize>(&self, texts: [&str; N]) -> &Self {
        let reduced: Vec<String> = self
            .events("reduced")
            .map(|event| collapsed(event["text"].as_str().unwrap()))
            .collect();
        assert_eq!(reduced, texts, "{self}");
        self
    }

    /// Expects these kinds of inputs.
    pub fn kinds<const N: usize>(&self, kinds: [&str; N]) -> &Self {
        let found: Vec<Value> = self.events("input").map(|event| event["kind"].clone()).collect();
        assert_eq!(found, kinds, "{self}");
        self
    }

    /// Expects that every input is reduced in that tier.
    pub fn tier(&self, tier: &str) -> &Self {
        for event in self.events("input") {
            assert_eq!(event["tier"], tier, "{self}");
        }
        self
    }

    /// Expects that failure at first, and one of the same kind in the same place in the end.
    pub fn fails_with(&self, kind: &str, message: &str) -> &Self {
        let failure = self.events("failure").next().unwrap_or_else(|| panic!("no failure\n{self}"));
        let before = &failure["signature"];
        let after = &self.summary()["signature"];
        assert_eq!(before["kind"], kind, "{self}");
        assert_eq!(after["kind"], kind, "{self}");
        assert_eq!(after["location"], before["location"], "{self}");
        for signature in [before, after] {
            let shown = signature["message"].as_str().unwrap();
            assert!(shown.contains(message), "{shown:?} lacks {message:?}\n{self}");
        }
        self
    }

    /// Expects that it ends with an error message that holds `message`, and hints that hold `hints`.
    pub fn error<const N: usize>(&self, status: &str, message: &str, hints: [&str; N]) -> &Self {
        let lines: Vec<&str> = self.stderr.lines().collect();
        assert!(lines.iter().any(|line| line.starts_with("error: ")), "{self}");
        assert!(!self.stderr.contains("panicked at"), "{self}");
        assert!(self.stderr.contains(message), "{self}");
        for hint in hints {
            let found = lines.iter().any(|line| line.starts_with("hint: ") && line.contains(hint));
            assert!(found, "no hint with {hint:?}\n{self}");
        }
        if !self.stdout.is_empty() {
            assert_eq!(self.summary()["status"], status, "{self}");
            assert_eq!(self.summary()["confirmed"], false, "{self}");
        }
        self.code(1)
    }

    /// Checks that people are told so.
    pub fn says(&self, what: &str) -> &Self {
        assert!(self.stderr.contains(what), "{what:?} is not in {self}");
        self
    }

    /// The events of a kind.
    pub fn events<'a>(&'a self, reason: &'a str) -> impl Iterator<Item = Value> + 'a {
        self.stdout
            .lines()
            .map(|line| {
                serde_json::from_str::<Value>(line)
                    .unwrap_or_else(|_| panic!("{line:?} is no JSON"))
            })
            .filter(move |event| event["reason"] == reason)
    }

    /// The last line.
    pub fn summary(&self) -> Value {
        let mut summaries: Vec<Value> = self.events("summary").collect();
        assert_eq!(summaries.len(), 1, "{self}");
        summaries.remove(0)
    }

    /// The regression test that was written.
    pub fn regression_test(&self) -> &str {
        self.regression_test.as_deref().unwrap_or_else(|| panic!("no regression test\n{self}"))
    }

    /// Runs the command that is printed at the end, as a person would, and gives what it says.
    pub fn replay(&self, folder: &std::path::Path) -> String {
        let line =
            self.stderr.lines().chain(self.stdout.lines()).find(|line| line.contains("Run it "));
        let line = line.unwrap_or_else(|| panic!("no command\n{self}"));
        let command = line.split_once("Run it ").unwrap().1;
        let words = shell_words::split(command.trim()).unwrap();
        let output = Command::new(&words[0])
            .args(&words[1..])
            .current_dir(folder)
            .env_remove("CARGO_TARGET_DIR")
            .env("RUST_BACKTRACE", "0")
            .envs(QUICK_BUILDS)
            .output()
            .unwrap();
        assert!(!output.status.success(), "the printed command does not fail\n{self}");
        format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code.map_or_else(|| "killed".to_owned(), |code| code.to_string());
        write!(f, "exit code: {code}\n{}\n{}", self.stdout, self.stderr)
    }
}

/// The content of the file that the summary names.
fn written(stdout: &str) -> Option<String> {
    let summary: Value = serde_json::from_str(stdout.lines().last()?).ok()?;
    let path = summary["artifacts"]["regression_test"].as_str()?;
    fs::read_to_string(path).ok()
}

/// The text with each run of white space as one blank, and none inside of brackets.
fn collapsed(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace("[ ", "[").replace(", ]", "]").replace(" ]", "]").replace(", }", " }")
}
