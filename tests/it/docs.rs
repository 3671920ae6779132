//! The commands that the README and the guide show, run on copies of fixtures, with what they print compared.
//!
//! A block of code that is a `console` stands below a comment that says where it is run, and what is set for it:
//! `<!-- run in FIXTURE[/FOLDER] [with NAME=VALUE] [slow] -->`. A line `…` stands for any lines, and `…` in a line for any
//! text. Times, and numbers of candidates, may be others. `REDUCE_DOCS=write cargo test --test it docs -- --include-ignored` puts what is
//! printed into the files, but for blocks with such a line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;

use super::project::{Project, QUICK_BUILDS};

/// Commands with what they print.
struct Block {
    file: PathBuf,
    /// The text between the fences.
    text: String,
    fixture: String,
    folder: String,
    env: Option<(String, String)>,
    is_slow: bool,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and the chapters of the guide.
fn files() -> Vec<PathBuf> {
    let chapters =
        fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        chapters.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    files.push(root().join("README.md"));
    files.sort();
    files
}

fn blocks(file: &Path) -> Vec<Block> {
    let pattern = r"(?s)<!-- run in (\S+?)(?:/(\S+))?(?: with (\S+?)=(\S+))?( slow)? -->\n```console\n(.*?)```\n";
    let text = fs::read_to_string(file).unwrap();
    let consoles = text.matches("```console\n").count();
    let found = Regex::new(pattern).unwrap();
    let found: Vec<Block> = found
        .captures_iter(&text)
        .map(|parts| {
            let part = |index| parts.get(index).map(|it| it.as_str().to_owned());
            Block {
                file: file.to_owned(),
                text: part(6).unwrap(),
                fixture: part(1).unwrap(),
                folder: part(2).unwrap_or_default(),
                env: part(3).zip(part(4)),
                is_slow: part(5).is_some(),
            }
        })
        .collect();
    assert_eq!(found.len(), consoles, "{}: a console without `run in`", file.display());
    found
}

impl Block {
    /// What the commands print, with the prompts, as it stands in the file.
    fn run(&self) -> String {
        let project = Project::fixture(&self.fixture).package(&self.folder);
        let bin = Path::new(env!("CARGO_BIN_EXE_cargo-reduce")).parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        let mut printed = String::new();
        for line in self.text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let mut command = Command::new("sh");
            command
                // Both streams are one, as on a terminal.
                .args(["-c", &format!("exec 2>&1; {line}")])
                .current_dir(project.root())
                .stdin(Stdio::null())
                .env("PATH", format!("{}:{path}", bin.display()))
                .envs(self.env.clone())
                .envs(QUICK_BUILDS);
            for name in ["CARGO_TARGET_DIR", "RUST_BACKTRACE", "CARGO", "GITHUB_STEP_SUMMARY"] {
                command.env_remove(name);
            }
            let output = command.output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let top = project.root();
            let top = top.to_str().unwrap().trim_end_matches(&self.folder).trim_end_matches('/');
            let home = format!("/home/me/{}", self.fixture);
            printed.extend(["$ ", line, "\n", &text.replace(top, &home)]);
            if !printed.ends_with('\n') {
                printed.push('\n');
            }
        }
        printed
    }

    fn is_open(&self) -> bool {
        self.text.lines().any(|line| line == "…")
    }

    /// Checks that the file says what is printed, or makes it say so.
    fn check(&self) {
        let printed = self.run();
        if is_alike(&self.text, &printed) {
            return;
        }
        let is_writing = std::env::var("REDUCE_DOCS").is_ok_and(|what| what == "write");
        let name = self.file.file_name().unwrap().to_str().unwrap();
        assert!(is_writing && !self.is_open(), "{name} says\n{}\nand not\n{printed}", self.text);
        let text = fs::read_to_string(&self.file).unwrap();
        let fenced = |text: &str| format!("```console\n{text}```\n");
        fs::write(&self.file, text.replacen(&fenced(&self.text), &fenced(&printed), 1)).unwrap();
    }
}

/// Whether the texts say the same but for times and counts, where `…` in `said` stands for any text, and a line of it for any
/// lines.
fn is_alike(said: &str, printed: &str) -> bool {
    let times = Regex::new(r"\d+ min \d+ s|\d+(\.\d+)? m?s\b").unwrap();
    let counts =
        Regex::new(r"\d+ (repeated )?(candidate|check|build|edit|place)s?( were| was)?\b").unwrap();
    let same = |text: &str| -> String {
        let text = times.replace_all(text, "TIME");
        counts.replace_all(&text, "COUNT").trim_end().to_owned() + "\n"
    };
    // Lines that only tell that it goes on come when it takes long.
    let goes_on = Regex::new(r"(?m)^[^\n]*(: TIME so far|\d+ elements left, [^\n]*)\n").unwrap();
    let same = |text: &str| goes_on.replace_all(&same(text), "").into_owned();
    let line = |line: &str| match line {
        "…" => r"([^\n]*\n)*?".to_owned(),
        _ => regex::escape(line).replace('…', r"[^\n]*") + r"\n",
    };
    let pattern: String = same(said).lines().map(line).collect();
    Regex::new(&format!(r"\A{pattern}\z")).unwrap().is_match(&same(printed))
}

fn check_all(name: &str, is_slow: bool) {
    let files = files().into_iter().filter(|file| file.ends_with(name));
    let blocks: Vec<Block> = files.flat_map(|file| blocks(&file)).collect();
    assert!(!blocks.is_empty(), "no commands in {name}");
    for block in blocks.iter().filter(|block| block.is_slow == is_slow) {
        block.check();
    }
}

#[test]
fn the_readme_says_what_is_printed() {
    check_all("README.md", false);
}

#[test]
#[ignore = "takes minutes"]
fn the_four_ways_in_say_what_is_printed() {
    check_all("ways-in.md", false);
}

#[test]
fn other_chapters_say_what_is_printed() {
    for name in ["inputs.md", "oracles.md", "patterns.md", "reference.md"] {
        check_all(name, false);
    }
}

#[test]
#[ignore = "takes minutes"]
fn slow_commands_print_what_is_said() {
    for name in ["ways-in.md", "code.md"] {
        check_all(name, true);
    }
}

#[test]
fn every_chapter_with_commands_is_run() {
    let run = [
        "README.md", "ways-in.md", "inputs.md", "oracles.md", "patterns.md", "reference.md",
        "code.md",
    ];
    for file in files() {
        let is_run = run.iter().any(|name| file.ends_with(name));
        assert!(is_run || blocks(&file).is_empty(), "{}", file.display());
    }
}

/// Commands that are only shown, not run: their options are there.
#[test]
fn commands_in_the_guide_have_the_options_that_there_are() {
    let project = Project::empty();
    let mut checked = 0;
    for file in files() {
        let text = fs::read_to_string(&file).unwrap();
        for block in text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            for line in block.lines().filter_map(|line| line.strip_prefix("cargo reduce ")) {
                let words = line.split_once(" #").map_or(line, |(words, _)| words);
                let words = shell_words::split(words).unwrap();
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let run = project.reduce_with(&[&["--show-config"], words.as_slice()].concat());
                run.for_people().run().code(0);
                checked += 1;
            }
        }
    }
    assert!(checked > 5, "{checked}");
}

#[test]
fn messages_in_the_guide_are_those_of_the_program() {
    let mut sources = String::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|it| it == "rs") {
                sources.push_str(&fs::read_to_string(entry).unwrap());
            }
        }
    }
    // A string that goes on in the next line.
    let sources = Regex::new(r"\\\n\s*").unwrap().replace_all(&sources, "").into_owned();
    let text = fs::read_to_string(root().join("docs/src/troubleshooting.md")).unwrap();
    for message in text.lines().filter_map(|line| line.strip_prefix("### ")) {
        let parts = message
            .split('…')
            .flat_map(|part| part.split('`'))
            .map(|it| it.trim_matches([':', ' ', '(', ')', ';']));
        for part in parts.filter(|part| part.len() > 8) {
            assert!(sources.contains(part), "no message of the program has {part:?}");
        }
    }
}

#[test]
fn the_workflow_in_the_guide_is_the_one_beside_it() {
    let file = fs::read_to_string(root().join("docs/src/reduce-failing-tests.yml")).unwrap();
    let chapter = fs::read_to_string(root().join("docs/src/ci.md")).unwrap();
    assert!(chapter.contains(&format!("```yaml\n{file}```\n")));
}

#[test]
fn the_guide_is_shown() {
    let finished = Project::empty().reduce(["--guide"]).for_people().run();
    finished.code(0);
    assert!(finished.stdout.starts_with("# Four ways in\n"), "{finished}");
}

/// The name under which a heading can be linked to, as mdBook and GitHub make it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn links_lead_somewhere_and_every_chapter_is_in_the_summary() {
    let link = Regex::new(r"\[[^\]]*\]\(([^)\s]+)\)").unwrap();
    let code = Regex::new(r"(?s)```.*?```|`[^`\n]*`").unwrap();
    let more = ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
    let mut checked = 0;
    for file in files().into_iter().chain(more.map(|name| root().join(name))) {
        let text = fs::read_to_string(&file).unwrap();
        for found in link.captures_iter(&code.replace_all(&text, "")) {
            let target = &found[1];
            if target.starts_with("https://") {
                continue;
            }
            let (path, part) = target.split_once('#').unwrap_or((target, ""));
            let named = file.parent().unwrap().join(path);
            let named = if path.is_empty() { file.clone() } else { named };
            assert!(named.exists(), "{} links to {target}", file.display());
            if !part.is_empty() {
                let text = fs::read_to_string(&named).unwrap();
                let headings = text.lines().filter(|line| line.starts_with('#'));
                let mut anchors = headings.map(|line| anchor(line.trim_start_matches('#')));
                assert!(anchors.any(|it| it == part), "{} links to {target}", file.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked}");
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    for file in files().into_iter().filter(|file| file.parent().unwrap().ends_with("docs/src")) {
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("]({name})")), "{name}");
    }
}
