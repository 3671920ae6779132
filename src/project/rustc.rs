//! The command lines with which cargo calls rustc, so that candidates can be compiled without cargo.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::exec::Job;

/// Options whose value is the next word, unless it stands behind `=`.
const TWO_WORDS: [&str; 22] = [
    "-A",
    "-C",
    "-D",
    "-F",
    "-L",
    "-W",
    "-Z",
    "-l",
    "-o",
    "--cap-lints",
    "--cfg",
    "--check-cfg",
    "--crate-name",
    "--crate-type",
    "--edition",
    "--emit",
    "--error-format",
    "--extern",
    "--json",
    "--out-dir",
    "--remap-path-prefix",
    "--target",
];

/// One call of rustc, as cargo made it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Invocation {
    /// rustc, or a wrapper of it.
    pub program: Utf8PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The variables that cargo sets for it.
    pub env: BTreeMap<String, String>,
}

/// A value of a variable, a description say, may have so many lines.
const MOST_LINES: usize = 100;

/// The words of the command that `line` begins, "Running `CARGO=… rustc --crate-name …`", which may go on in the
/// lines after it.
fn words_of<'l>(line: &str, after: impl Iterator<Item = &'l str>) -> Option<Vec<String>> {
    let mut command = line.trim_start().strip_prefix("Running `")?.to_owned();
    for more in after.take(MOST_LINES).map(Some).chain([None]) {
        let whole = command.trim_end().strip_suffix('`');
        if let Some(Ok(words)) = whole.map(shell_words::split) {
            return Some(words);
        }
        command.push('\n');
        command.push_str(more?);
    }
    None
}

/// What a call of rustc is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrateKind {
    /// A test binary.
    Test,
    /// A library of Rust code.
    Library,
    /// A procedural macro, a build script, a program, a library for others than rustc.
    Other,
}

impl Invocation {
    /// Reads what `cargo -vv` says about the calls it makes.
    pub fn read_all(stderr: &str) -> Vec<Invocation> {
        let mut lines = stderr.lines();
        let mut all = Vec::new();
        while let Some(line) = lines.next() {
            let words = words_of(line, lines.clone());
            all.extend(words.as_deref().and_then(Invocation::read));
        }
        all
    }

    /// Reads "CARGO=… rustc --crate-name …".
    fn read(words: &[String]) -> Option<Invocation> {
        let is_variable = |word: &&String| {
            let name = word.split_once('=').map_or("", |(name, _)| name);
            // `CARGO_BIN_EXE_my-tool`, but no path of a program.
            !name.is_empty() && !name.starts_with('-') && !name.contains('/')
        };
        let variables = words.iter().take_while(is_variable).count();
        let env = words[..variables]
            .iter()
            .filter_map(|word| word.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let (program, args) = words[variables..].split_first()?;
        let invocation = Invocation { program: program.into(), args: args.to_vec(), env };
        invocation.crate_name()?;
        Some(invocation)
    }

    /// The arguments as options with their values, written as one word or as two; other words are
    /// options without a value.
    pub fn options(&self) -> Vec<(&str, Option<&str>)> {
        let mut options = Vec::new();
        let mut words = self.args.iter().map(String::as_str);
        while let Some(word) = words.next() {
            options.push(match word.split_once('=') {
                Some((option, value)) if option.starts_with("--") => (option, Some(value)),
                _ if TWO_WORDS.contains(&word) => (word, words.next()),
                _ => (word, None),
            });
        }
        options
    }

    /// The values of an option.
    pub fn values<'a>(&'a self, option: &'a str) -> impl Iterator<Item = &'a str> {
        let options = self.options().into_iter();
        options.filter_map(move |(other, value)| value.filter(|_| other == option))
    }

    /// The features that are turned on.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.values("--cfg").filter_map(|cfg| cfg.strip_prefix("feature=\"")?.strip_suffix('"'))
    }

    /// The same call for another edition.
    #[must_use]
    pub fn in_edition(&self, edition: &str) -> Self {
        let options = self.options();
        let others = options.iter().filter(|(option, _)| *option != "--edition");
        let words = others.flat_map(|(option, value)| std::iter::once(*option).chain(*value));
        let edition = ["--edition", edition];
        Invocation { args: words.chain(edition).map(str::to_owned).collect(), ..self.clone() }
    }

    /// The name of the crate.
    pub fn crate_name(&self) -> Option<&str> {
        self.values("--crate-name").next()
    }

    /// The value of an option of code generation.
    pub fn codegen(&self, name: &str) -> Option<&str> {
        let mut options = self.values("-C");
        options.find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }

    /// What is compiled.
    pub fn kind(&self) -> CrateKind {
        // Without libtest's harness, cargo only sets the condition.
        let is_test = self.args.iter().any(|word| word == "--test");
        if is_test || self.values("--cfg").any(|condition| condition == "test") {
            return CrateKind::Test;
        }
        let mut types = self.values("--crate-type");
        if types.any(|kind| matches!(kind, "lib" | "rlib")) {
            return CrateKind::Library;
        }
        CrateKind::Other
    }

    /// The root file of the crate, as rustc is given it.
    pub fn root_file(&self) -> Option<&Utf8Path> {
        let words = self.args.iter().map(Utf8Path::new);
        words.into_iter().find(|word| word.extension() == Some("rs"))
    }

    /// What cargo adds to the names of the files that come out.
    pub fn extra_filename(&self) -> &str {
        self.codegen("extra-filename").unwrap_or_default()
    }

    /// The folder of the files that come out.
    pub fn out_dir(&self) -> Option<&Utf8Path> {
        self.values("--out-dir").next().map(Utf8Path::new)
    }

    /// The crates that it uses: their names, and the files they are read from.
    pub fn externs(&self) -> impl Iterator<Item = (&str, &Utf8Path)> {
        let values = self.values("--extern");
        values.filter_map(|value| {
            let (name, path) = value.split_once('=')?;
            let name = name.rsplit(':').next().unwrap_or(name);
            Some((name, Utf8Path::new(path)))
        })
    }

    /// The sources that were read, out of the file in which rustc tells: relative as rustc was called.
    ///
    /// # Errors
    /// When that file cannot be read.
    pub fn sources(&self) -> std::io::Result<Vec<Utf8PathBuf>> {
        let name = self.crate_name().unwrap_or_default();
        let file = format!("{name}{}.d", self.extra_filename());
        let folder = self.out_dir().unwrap_or(Utf8Path::new("."));
        Ok(dependencies(&std::fs::read_to_string(folder.join(file))?))
    }

    /// This call, with other arguments.
    pub fn job(&self, args: &[String], cwd: &Utf8Path) -> Job {
        let job = Job::new(self.program.as_std_path()).args(args).cwd(cwd.as_std_path());
        let variables = self.env.iter();
        variables.fold(job, |job, (name, value)| job.env(name, value)).without_backtraces()
    }
}

/// The files of the first rule in the notation of make; a blank in a name is written `\ `.
fn dependencies(rules: &str) -> Vec<Utf8PathBuf> {
    let rule = rules.lines().next().unwrap_or_default();
    let Some((_, list)) = rule.split_once(": ") else { return Vec::new() };
    let blank = '\u{0}';
    let list = list.replace("\\ ", &blank.to_string());
    let names = list.split_whitespace();
    names.map(|name| name.replace(blank, " ").into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "     Running `CARGO=/c/cargo CARGO_PKG_AUTHORS='A <a@b>' OUT_DIR='/t/a b' /c/rustc \
        --crate-name app --edition=2021 app/src/lib.rs --crate-type lib --emit=dep-info,metadata,link \
        -C debuginfo=2 --check-cfg 'cfg(feature, values(\"a\"))' -C extra-filename=-12 --out-dir /t/deps \
        --extern serde=/t/deps/libserde-1.rmeta --extern 'priv:x=/t/deps/libx-2.rmeta' --cap-lints warn`";

    #[test]
    fn a_call_is_read_from_what_cargo_says() {
        let said =
            format!("   Compiling app v0.1.0\n{LINE}\n     Running `/t/build-script-build`\n");
        let [call] = Invocation::read_all(&said).try_into().unwrap();
        assert_eq!(call.crate_name(), Some("app"));
        assert_eq!(call.env["CARGO_PKG_AUTHORS"], "A <a@b>");
        assert_eq!(call.env["OUT_DIR"], "/t/a b");
        assert_eq!(call.kind(), CrateKind::Library);
        assert_eq!(call.root_file(), Some(Utf8Path::new("app/src/lib.rs")));
        assert_eq!(call.extra_filename(), "-12");
        assert_eq!(call.codegen("debuginfo"), Some("2"));
        let externs: Vec<&str> = call.externs().map(|(name, _)| name).collect();
        assert_eq!(externs, ["serde", "x"]);
    }

    #[test]
    fn a_variable_may_have_the_name_of_a_program_in_its_own_or_several_lines() {
        let variables = "CARGO_BIN_EXE_my-tool=/t/my-tool CARGO_PKG_DESCRIPTION='Reads `times`\n\n and ``\n' CARGO=";
        let said = LINE.replace("CARGO=", variables);
        let said = format!("     Running `rustc 'never ends\n{said}\n");
        let [call] = Invocation::read_all(&said).try_into().unwrap();
        assert_eq!((call.program.as_str(), call.crate_name()), ("/c/rustc", Some("app")));
        assert_eq!(call.env["CARGO_BIN_EXE_my-tool"], "/t/my-tool");
        assert_eq!(call.env["CARGO_PKG_DESCRIPTION"], "Reads `times`\n\n and ``\n");
    }

    #[test]
    fn a_test_with_a_main_of_its_own_is_a_test() {
        let line = "Running `rustc --crate-name h tests/h.rs --crate-type bin --cfg test`";
        let calls = Invocation::read_all(line);
        assert_eq!(calls[0].kind(), CrateKind::Test);
    }

    #[test]
    fn the_sources_are_those_of_the_first_rule() {
        let rules = "/t/app.d: src/lib.rs src/a\\ b.rs data.txt\n\nsrc/lib.rs:\n";
        assert_eq!(dependencies(rules), ["src/lib.rs", "src/a b.rs", "data.txt"]);
    }
}
