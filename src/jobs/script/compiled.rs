//! Tests that compile files, as those of trybuild do: the file that is not what its test asks for is reduced, with the compiler
//! as the command.

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use anstream::adapter::strip_str;
use camino::{Utf8Path, Utf8PathBuf};

use super::{ScriptConfig, Settles, run as run_command};
use crate::app::config::Config;
use crate::app::exit::Exit;
use crate::app::failure::{Failure, Result};
use crate::app::find::Chosen;
use crate::app::session::Session;
use crate::exec::{Finished, Job, run_tool};
use crate::project::Dependencies;
use crate::report::Status;
use crate::source::scan::{has_word, is_word};

/// The harness that compiles files, by its name as a dependency.
const HARNESS: &str = "trybuild";
/// It calls cargo for each of its files, and builds what they need first.
const TIME: Duration = Duration::from_mins(5);
/// What stands around the texts that it shows.
const RULE: char = '┈';
/// What every compilation with errors ends with.
const END: &str = "error: aborting due to";
/// So many lines of what the compiler says, or points at, have to stay.
const MOST_LINES: usize = 6;

/// Reduces the first file that a test compiles, and that is not what the test asks for; `None` where it is no such test.
///
/// # Errors
/// When nothing is known of what is wrong with the file, or the compiler says something else of it.
pub fn run(session: &Session, chosen: &Chosen) -> Result<Option<Exit>> {
    if !session.workspace.depends_on(&chosen.binary.manifest_path, HARNESS) {
        return Ok(None);
    }
    let job = chosen.job(&chosen.binary, &session.config.test_args).time(TIME);
    let finished = run_tool(&job, &session.interrupt)?;
    let said = [finished.stderr.text(), finished.stdout.text()].concat();
    // It colours whatever it writes to.
    let said = strip_str(&said).to_string();
    let mut complaints = Complaint::read_all(&said);
    // What is wrong comes before what nobody has looked at yet.
    complaints.sort_by_key(|it| it.how == How::New);
    let Some(first) = complaints.first() else { return Ok(None) };
    if session.config.control.passes_with.is_some() {
        return Err(Failure::error(format!(
            "`{}` compiles files, which `--passes-with` cannot do with another version",
            chosen.test
        ))
        .hint("leave out `--passes-with` to reduce the file as it is"));
    }
    if complaints.len() > 1 {
        session.warn(format!(
            "{} files of `{}` are not as it asks; the first is reduced",
            complaints.len(),
            chosen.test
        ));
    }
    let file =
        Compiled { session, chosen, path: chosen.binary.cwd.join(first.path), complaint: first };
    file.reduce().map(Some)
}

/// A file that a test compiles.
struct Compiled<'a> {
    session: &'a Session,
    chosen: &'a Chosen,
    path: Utf8PathBuf,
    complaint: &'a Complaint<'a>,
}

impl Compiled<'_> {
    fn reduce(&self) -> Result<Exit> {
        let Config { cwd, out, .. } = &*self.session.config;
        let command = self.command()?;
        let stem = self.path.file_stem().unwrap_or("file");
        let target = self.session.workspace.target_directory();
        let config = Config {
            files: vec![self.path.strip_prefix(cwd).unwrap_or(&self.path).to_owned()],
            out: Some(out.clone().unwrap_or_else(|| target.join("reduce").join(stem))),
            ..(*self.session.config).clone()
        };
        let asked = ScriptConfig { command, stdout: None, settles: Some(self.doubt()) };
        run_command(&config, &asked, self.session, self.session.interrupt.clone())
    }

    /// The command that finds in a file what is wrong with this one.
    fn command(&self) -> Result<String> {
        match &self.complaint.how {
            How::Compiles => {
                let pointed = self.points_at(&[])?;
                if pointed.lines.is_empty() {
                    return Err(self.unknown("nothing says for which of its lines"));
                }
                Ok(self.compile(&["--emit", "metadata"])? + &pointed.stays())
            }
            How::Fails | How::New => self.refuses(&[], &Pointed::default()),
            How::Panics(line) => {
                let compile = self.compile(&["-o", "program"])?;
                let line = shell_words::quote(line);
                Ok(format!("{compile} && ./program 2>&1 | grep -qF -e {line}"))
            }
            How::Differs { expected, actual } => {
                let known = headings(expected);
                let missing: Vec<&str> =
                    known.into_iter().filter(|it| !headings(actual).contains(it)).collect();
                let others = new_lines(expected, actual);
                if missing.is_empty() && others.is_empty() {
                    return Err(self.unknown("only places in it differ"));
                }
                let is_known = missing.is_empty();
                let pointed = if is_known { Pointed::default() } else { self.points_at(&missing)? };
                self.refuses(&others, &pointed)
            }
        }
    }

    /// Why the reduced file may be as it should be, and what would tell.
    fn doubt(&self) -> Settles {
        let why = match self.complaint.how {
            How::Compiles => "nobody says that the compiler has to refuse the reduced file, too",
            How::Fails => "the compiler may be right to refuse the reduced file",
            How::New => "nobody has said yet what the compiler has to say of the file",
            How::Panics(_) => "the reduced file may have to panic",
            How::Differs { .. } => {
                "of the reduced file the compiler may have to say something else"
            }
        };
        let target = self.chosen.binary.choice.args();
        let words = ["cargo", "test", "-p", &self.chosen.package].into_iter();
        let words = words.chain(target.iter().map(String::as_str)).chain([&*self.chosen.test]);
        let command = shell_words::join(words);
        Settles {
            doubt: format!(
                "{why}; `{command}` settles it, with the reduced file in the place of `{}` and a version that does not have \
                 the bug",
                self.complaint.path
            ),
            builds: self.session.counts().builds,
        }
    }

    /// The command that compiles a file as a program beside the test.
    fn compile(&self, output: &[&str]) -> Result<String> {
        let Session { workspace, config, .. } = self.session;
        let manifest = &self.chosen.binary.manifest_path;
        let built = self.session.built();
        let edition = workspace.edition(&self.chosen.package);
        let mut words = vec!["rustc".to_owned(), "--edition".to_owned(), edition];
        words.extend(output.iter().map(|&word| word.to_owned()));
        let dependencies = Dependencies::load(manifest, &config.cargo)?;
        for folder in built.library_folders() {
            words.extend(["-L".to_owned(), format!("dependency={folder}")]);
        }
        for (name, file) in dependencies.externs(manifest, &built) {
            words.extend(["--extern".to_owned(), format!("{name}={file}")]);
        }
        Ok(format!("{} {{}}", shell_words::join(words)))
    }

    /// The command that finds the compiler to refuse a file as it does this one, and to say these things, where what is pointed
    /// at stays.
    fn refuses(&self, says: &[&str], pointed: &Pointed) -> Result<String> {
        let compile = self.compile(&["--emit", "metadata"])?;
        let said = self.said(&compile)?.stderr.text();
        let all = headings(&said);
        if all.is_empty() {
            return Err(self.unknown("the compiler takes it as it is"));
        }
        let all = shell_words::quote(&all.join("\n")).into_owned();
        let errors = format!("grep '^error' | grep -v '^{END}' | sort -u");
        let mut command = format!("[ \"$({compile} 2>&1 | {errors})\" = {all} ]");
        for line in says {
            let line = shell_words::quote(line);
            let _ = write!(command, " && {compile} 2>&1 | grep -qF -e {line}");
        }
        command.push_str(&pointed.stays());
        Ok(command)
    }

    /// What the compiler says of the file.
    fn said(&self, compile: &str) -> Result<Finished> {
        let folder = self.session.config.sandbox.work_folder();
        let folder = folder.map_err(|error| Failure::error(error.to_string()))?;
        let words =
            shell_words::split(&compile.replace("{}", &shell_words::quote(self.path.as_str())));
        let words = words.map_err(|error| Failure::error(error.to_string()))?;
        let job = Job::new(&words[0]).args(&words[1..]).cwd(folder.path()).time(TIME);
        Ok(run_tool(&job, &self.session.interrupt)?)
    }

    /// What the message that is expected says of the file; of the errors with these headings, if there are any.
    fn points_at(&self, errors: &[&str]) -> Result<Pointed> {
        let path = self.path.with_extension("stderr");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let source = fs::read_to_string(&self.path)
            .map_err(|error| Failure::unreadable(&self.path, &error))?;
        let mut pointed = Pointed::read(&text, errors);
        pointed.lines.retain(|line| source.contains(line.as_str()));
        pointed.names.retain(|name| has_word(&source, name));
        Ok(pointed)
    }

    /// That the file cannot be reduced.
    fn unknown(&self, why: &str) -> Failure {
        let what = format!(
            "`{}` is not what `{}` asks for, but {why}",
            self.complaint.path, self.chosen.test
        );
        let file = self.path.strip_prefix(&self.session.config.cwd).unwrap_or(&self.path);
        let command =
            self.compile(&["--emit", "metadata"]).unwrap_or_else(|_| "rustc {}".to_owned());
        let oracle = shell_words::join(["cargo", "reduce", "--oracle", &command, file.as_str()]);
        Failure::new(Status::NotReproduced, what)
            .hint("write down what the compiler should say of it, in a file `.stderr` beside it")
            .hint(format!("or say with a command of yours what has to stay; this one keeps what compiles: {oracle}"))
    }
}

/// What the harness tells of a file that is not what its test asks for.
#[derive(Debug, PartialEq, Eq)]
struct Complaint<'a> {
    path: &'a Utf8Path,
    how: How,
}

#[derive(Debug, PartialEq, Eq)]
enum How {
    /// It has to be refused, and is not.
    Compiles,
    /// It has to compile, and does not.
    Fails,
    /// It has to run to its end, and panics with this line.
    Panics(String),
    /// It is refused, as it has to be, and what the compiler says was never written down.
    New,
    /// The compiler says something else of it.
    Differs { expected: String, actual: String },
}

impl<'a> Complaint<'a> {
    fn read_all(said: &'a str) -> Vec<Complaint<'a>> {
        let lines: Vec<&str> = said.lines().collect();
        let begins = |line: &&'a str| {
            let (path, status) = line.strip_prefix("test ")?.split_once(" ... ")?;
            let path = path.split(" [should ").next()?;
            let path = Utf8Path::new(path);
            (path.extension() == Some("rs")).then_some((path, status))
        };
        let mut complaints = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let Some((path, status)) = begins(line) else { continue };
            let rest = &lines[at + 1..];
            let end = rest.iter().position(|line| begins(line).is_some()).unwrap_or(rest.len());
            complaints.extend(How::read(status, &rest[..end]).map(|how| Complaint { path, how }));
        }
        complaints
    }
}

impl How {
    fn read(status: &str, lines: &[&str]) -> Option<How> {
        let says = |what: &str| lines.iter().any(|line| line.contains(what));
        let shown = shown(lines);
        match (status, shown.as_slice()) {
            ("mismatch", [expected, actual, ..]) => {
                Some(How::Differs { expected: expected.clone(), actual: actual.clone() })
            }
            ("error", _) if says("to fail to compile, but it succeeded") => Some(How::Compiles),
            ("error", _) if says("failed at runtime") => {
                let mut panics = shown.iter().flat_map(|text| text.lines());
                panics.by_ref().find(|line| line.contains(" panicked at "))?;
                Some(How::Panics(panics.next()?.to_owned()))
            }
            ("error", [_, ..]) => Some(How::Fails),
            ("wip", _) => Some(How::New),
            _ => None,
        }
    }
}

/// The texts that are shown between rules.
fn shown(lines: &[&str]) -> Vec<String> {
    let is_rule = |line: &&str| !line.is_empty() && line.chars().all(|it| it == RULE);
    let parts = lines.split(is_rule).skip(1).step_by(2);
    parts.map(|part| part.iter().fold(String::new(), |all, line| all + line + "\n")).collect()
}

/// The first lines of the errors in what the compiler says, in order, each once.
fn headings(said: &str) -> Vec<&str> {
    let mut all: Vec<&str> = said.lines().filter(|line| is_heading(line)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn is_heading(line: &str) -> bool {
    line.starts_with("error") && !line.starts_with(END)
}

/// What the compiler says besides the first lines of errors, and is not expected to; without places.
fn new_lines<'t>(expected: &str, actual: &'t str) -> Vec<&'t str> {
    let said = |text: &'t str| {
        let lines = text.lines().filter(|line| !is_heading(line)).map(str::trim);
        lines.filter_map(|line| line.strip_prefix("= ")).collect::<Vec<&str>>()
    };
    let is_new = |line: &&str| !expected.lines().any(|known| known.trim().ends_with(*line));
    said(actual).into_iter().filter(is_new).take(MOST_LINES).collect()
}

/// What the compiler says of a source.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pointed {
    /// The lines to which marks point.
    lines: Vec<String>,
    /// The words that it quotes.
    names: Vec<String>,
}

impl Pointed {
    /// Of the errors with these first lines, if there are any.
    fn read(said: &str, errors: &[&str]) -> Self {
        let mut is_wanted = errors.is_empty();
        let mut pointed = Pointed::default();
        let mut last = None;
        for line in said.lines() {
            if !line.starts_with([' ', '|']) && !line.starts_with(|it: char| it.is_ascii_digit()) {
                is_wanted = errors.is_empty() || errors.contains(&line);
            }
            let (gutter, rest) = line.split_once('|').unwrap_or(("", line));
            if gutter.trim().parse::<u32>().is_ok() {
                last = Some(rest.trim().to_owned());
                continue;
            }
            if !is_wanted {
                continue;
            }
            if rest.contains('^') {
                pointed.lines.extend(last.take().filter(|line| !line.is_empty()));
            }
            let quoted = rest.split('`').skip(1).step_by(2);
            pointed.names.extend(quoted.flat_map(words).map(str::to_owned));
        }
        for all in [&mut pointed.lines, &mut pointed.names] {
            all.sort();
            all.dedup();
            all.truncate(MOST_LINES);
        }
        pointed
    }

    /// The commands that find all of it in a file.
    fn stays(&self) -> String {
        let lines = self.lines.iter().map(|line| ("-qF", line));
        let names = self.names.iter().map(|name| ("-qwF", name));
        lines.chain(names).fold(String::new(), |all, (how, text)| {
            format!("{all} && grep {how} -e {} {{}}", shell_words::quote(text))
        })
    }
}

/// The words of a text that begin with a letter.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|symbol| !is_word(symbol));
    words.filter(|word| word.starts_with(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\n\ntest tests/ui/good.rs [should pass] ... ok\ntest tests/ui/bad.rs [should pass] ... error\n┈┈┈\n\
        error[E0425]: cannot find value `x`\n --> tests/ui/bad.rs:2:5\n┈┈┈\n\ntest tests/ui/lax.rs [should fail to compile] ... error\n\
        Expected test case to fail to compile, but it succeeded.\n\ntest tests/ui/other.rs [should fail to compile] ... mismatch\n\n\
        EXPECTED:\n┈┈┈\nerror: one\n┈┈┈\n\nACTUAL OUTPUT:\n┈┈┈\nerror: two\n┈┈┈\nnote: bless it\n\n\
        test tests/ui/new.rs [should fail to compile] ... wip\n\nNOTE: writing the following output to `wip/new.stderr`.\n\
        Move this file to `tests/ui/new.stderr` to accept it as correct.\n┈┈┈\nerror: three\n┈┈┈\n\n\
        test tests/ui/run.rs ... error\nTest case failed at runtime.\n\nSTDERR:\n┈┈┈\n\nthread 'main' panicked at a.rs:1:1:\n\
        no 7\n┈┈┈\n\n\ntest ui ... FAILED\n";

    #[test]
    fn what_the_harness_tells_of_each_file_is_read() {
        let complaints = Complaint::read_all(SAID);
        let all: Vec<(&str, &How)> =
            complaints.iter().map(|it| (it.path.as_str(), &it.how)).collect();
        let differs =
            How::Differs { expected: "error: one\n".into(), actual: "error: two\n".into() };
        let wanted = [
            ("tests/ui/bad.rs", &How::Fails),
            ("tests/ui/lax.rs", &How::Compiles),
            ("tests/ui/other.rs", &differs),
            ("tests/ui/new.rs", &How::New),
            ("tests/ui/run.rs", &How::Panics("no 7".into())),
        ];
        assert_eq!(all, wanted);
    }

    #[test]
    fn lines_stay_at_which_the_expected_message_points() {
        let said = "error[E0277]: no\n  --> a.rs:9:5\n   |\n 8 |     let a = 1;\n 9 |     send(rc);\n   |     ---- ^^ no\n   |     by this\n\n\
            error: other\n  --> a.rs:4:1\n   |\n12 |     take(a)\n   |          ^\n";
        assert_eq!(Pointed::read(said, &[]).lines, ["send(rc);", "take(a)"]);
        assert_eq!(Pointed::read(said, &["error: other"]).lines, ["take(a)"]);
    }

    #[test]
    fn names_stay_that_the_expected_message_quotes() {
        let said = "error[E0308]: mismatched types\n --> a.rs:9:5\n  |\n9 |     f(`a`)\n  |       ^ expected `Id<User>`, found `u8`\n\
            error: no `Other`\n";
        let pointed = Pointed::read(said, &["error[E0308]: mismatched types"]);
        assert_eq!(pointed.names, ["Id", "User", "u8"]);
        assert_eq!(
            pointed.stays(),
            " && grep -qF -e 'f(`a`)' {} && grep -qwF -e Id {} && grep -qwF -e User {} && grep -qwF -e u8 {}"
        );
    }

    #[test]
    fn notes_that_nobody_expects_are_found_whatever_their_places() {
        let expected = "error: no\n --> a.rs:1:1\n  = help: use `a`\n";
        let actual = "error: no\n --> a.rs:2:1\n  = help: use `a`\n  = note: see `b`\n";
        assert_eq!(new_lines(expected, actual), ["note: see `b`"]);
        assert_eq!(headings(actual), ["error: no"]);
    }
}
