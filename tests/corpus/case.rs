//! One case of the corpus.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde::Deserialize;

/// What `case.json` says.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub name: String,
    cargo_args: String,
    expected: Option<String>,
    expected_regex: Option<String>,
    pub input_size: Option<u64>,
    pub input_unit: String,
    pub minimal_size: Option<u64>,
    pub test_file: PathBuf,
    #[serde(default)]
    pub flaky: bool,
    /// The project.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Case {
    pub fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join("case.json")).unwrap();
        let case: Case = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        Case { folder: folder.to_owned(), ..case }
    }

    /// How `cargo test` selects the test.
    pub fn cargo_args(&self) -> Vec<String> {
        shell_words::split(&self.cargo_args).unwrap()
    }

    /// The same without what is for the test binary: the options and the test.
    pub fn reduce_args(&self) -> Vec<String> {
        self.cargo_args().into_iter().take_while(|arg| arg != "--").collect()
    }

    /// The options that select the target: all but the test.
    pub fn build_args(&self) -> Vec<String> {
        let mut args = self.reduce_args();
        args.pop();
        // Doc tests cannot be built on their own.
        args.retain(|arg| arg != "--doc");
        args
    }

    pub fn is_hang(&self) -> bool {
        self.expected.as_deref().is_some_and(|expected| expected.starts_with("(hang"))
    }

    /// What the reduced failure has to show; numbers are free.
    pub fn expected(&self) -> Regex {
        if let Some(regex) = &self.expected_regex {
            return Regex::new(regex).unwrap();
        }
        let digits = Regex::new(r"\d+").unwrap();
        let escaped = regex::escape(self.expected.as_deref().unwrap_or_default());
        Regex::new(&digits.replace_all(&escaped, r"\d+")).unwrap()
    }
}
