//! From files that a command finds interesting to the smallest ones that it still does.

use std::fs;

use super::baseline::reproduce;
use super::trees::Grammars;
use super::values::{bytes_of, search_values, tried_bytes};
use super::{ScriptConfig, ScriptJob};
use crate::app::config::Config;
use crate::app::console::Console;
use crate::app::exit::Exit;
use crate::app::failure::Result;
use crate::app::files::{End, FileContent, Shown, contents, search, sources_of};
use crate::app::search_driver::Searched;
use crate::exec::Interrupt;
use crate::jobs::tried_alone::tried_alone;
use crate::oracle::pooled::Workers;
use crate::oracle::script::ScriptOracle;
use crate::oracle::signature::{FailureKind, Signature};
use crate::oracle::store::Key;
use crate::oracle::stored::{StoredOracle, source_key};
use crate::reduce::Outcome;
use crate::report::Artifacts;
use crate::rust::{Sameness, SourceFile, Sources, StandIn};
use crate::schedule::{self, Settings};

/// Reduces the files while the command exits with 0.
///
/// # Errors
/// When the original is not interesting, or the command cannot be run.
pub fn run(
    config: &Config,
    asked: &ScriptConfig,
    console: &Console,
    interrupt: Interrupt,
) -> Result<Exit> {
    let job = ScriptJob::start(config, asked, console, interrupt)?;
    let given = job.load()?;
    let oracle = reproduce(&job, &given)?;
    let signature = Signature::new(FailureKind::Script, asked.command.clone());
    job.failure(&given[0].name, "", &signature);
    let asked = key(&job, &given);
    let found = match sources_of(&given, Sameness::Text) {
        Ok(sources) => search_sources(&job, oracle.clone(), asked, &sources)?,
        Err(_) => search_values(&job, oracle.clone(), asked, &given),
    };
    let is_over = found.ended.is_ok();
    let status = job.ended(found.ended, found.counts.accepted > 0)?;
    let last = oracle.judge_files(&bytes_of(&found.best), &Interrupt::new())?;
    job.stage_files(&found.best)?;
    let parts = if given.iter().all(FileContent::is_text) {
        sources_of(&found.best, Sameness::Text)
            .map(|best| tried_alone(&best, &found.known, without))
            .unwrap_or_default()
    } else {
        tried_bytes(&given, &found.best, &found.known, without)
    };
    let end = End {
        files: found.best.clone(),
        parts,
        status,
        confirmed: last.is_fail(),
        signature,
        counts: found.counts,
        builds: job.asked.settles.as_ref().map_or(0, |settles| settles.builds),
        doubt: job.asked.settles.as_ref().map(|settles| settles.doubt.clone()),
        artifacts: Artifacts::default(),
        command: None,
    };
    let exit = job.finish(&given, &found.best, end)?;
    // What else the command reads may change until it is run again, so outcomes only serve to go on.
    if is_over || !last.is_fail() {
        job.forget_outcomes();
    }
    Ok(exit)
}

/// What the command does without a part.
fn without(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fail => "the command exits with 0",
        Outcome::Pass => "the command says no",
        Outcome::Unresolved => "the command exits with 125 or is killed by a signal",
        Outcome::Timeout => "the command does not finish in time",
    }
}

/// What is asked: the command, what is in files that it names, and what is to be reduced.
fn key(job: &ScriptJob<'_>, given: &[FileContent]) -> Key {
    let prints = job.asked.stdout.as_ref().map(regex::Regex::as_str);
    let words = shell_words::split(&job.asked.command).unwrap_or_default();
    let named = words.iter().filter_map(|word| {
        let path = job.config.cwd.join(word);
        path.is_file().then(|| fs::read(path).ok()).flatten()
    });
    let named: Vec<Vec<u8>> = named.collect();
    let memory = job.config.control.memory_bytes;
    Key::new(&("script 2", &job.asked.command, prints, memory, named, given))
}

fn search_sources(
    job: &ScriptJob<'_>,
    oracle: ScriptOracle,
    asked: Key,
    sources: &Sources,
) -> Result<Searched<Vec<FileContent>>> {
    let is_rust = sources.files.iter().any(SourceFile::is_rust);
    let settings = Settings { stand_in: StandIn::Loop, is_switched: false };
    let strategy = job.config.texts.strategy.on_trees();
    let grammars = match strategy {
        Some(_) => Grammars::of(job, sources)?,
        None => Grammars::default(),
    };
    let oracle = StoredOracle::new(Workers(oracle), job.store(), source_key(asked));
    let found = search(
        job,
        sources,
        oracle,
        Shown { files: |best: &Sources| Some(contents(best)), size: Sources::tokens },
        |problem| {
            if let Some(strategy) = strategy {
                grammars.reduce(problem, strategy)?;
            }
            if is_rust {
                schedule::reduce(problem, settings)
            } else {
                schedule::reduce_text(problem)
            }
        },
    );
    Ok(found.map(contents))
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;
    use clap::Parser;

    use super::*;
    use crate::cli::args::Cli;
    use crate::exec::{Policy, Sandbox};
    use crate::report::testing::EventLog;
    use crate::report::{Event, Status};

    fn reduce(command: &str, name: &str, text: &str) -> (Result<Exit>, Vec<Event>, Option<String>) {
        let (ended, events, result) = reduce_bytes(command, name, text.as_bytes());
        (ended, events, result.and_then(|result| String::from_utf8(result).ok()))
    }

    fn reduce_bytes(
        command: &str,
        name: &str,
        bytes: &[u8],
    ) -> (Result<Exit>, Vec<Event>, Option<Vec<u8>>) {
        let folder = tempfile::tempdir().unwrap();
        let cwd = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        std::fs::write(cwd.join(name), bytes).unwrap();
        let words =
            ["cargo-reduce", "--oracle", command, "--strategy", "chars", "--out", "out", name];
        let sandbox = Sandbox::new(Policy::default()).unwrap();
        let config = Config::new(&Cli::parse_from(words), cwd.clone(), sandbox).unwrap();
        let asked = ScriptConfig { command: command.to_owned(), stdout: None, settles: None };
        let log = EventLog::default();
        let ended = run(&config, &asked, &Console::new(Box::new(log.clone())), Interrupt::new());
        let unchanged = std::fs::read(cwd.join(name)).unwrap();
        assert_eq!(unchanged, bytes, "the user's file must stay as it is");
        (ended, log.events(), std::fs::read(cwd.join("out").join(name)).ok())
    }

    #[test]
    fn the_result_is_kept_beside_the_untouched_original() {
        for (name, text, least) in [
            ("a.rs", "fn a() { b(1); }\nfn needle() {}\n", "needle"),
            ("a.txt", "one\ntwo needle three\nfour\n", "needle"),
        ] {
            let (ended, events, result) = reduce("grep -q needle", name, text);
            assert_eq!(ended.unwrap(), Exit::Done);
            assert_eq!(result.unwrap().trim(), least);
            assert!(matches!(events.last(), Some(Event::Summary(summary)) if summary.confirmed));
        }
    }

    #[test]
    fn each_byte_that_is_left_is_told_of() {
        let name = "a.bin";
        let bytes = b"\0\xffabcneedle\xfe";
        let (ended, events, _) = reduce_bytes("grep -aq needle", name, bytes);
        assert_eq!(ended.unwrap(), Exit::Done);
        let file = events.iter().find_map(|event| match event {
            Event::File(file) => Some(file),
            _ => None,
        });
        let file = file.unwrap();
        assert_eq!((&*file.before, &*file.after), (r"\x00\xffabcneedle\xfe", "needle"));
        let parts = file.parts.iter().map(|part| {
            (&file.after[part.range.clone()], part.without.as_ref().unwrap().said.as_str())
        });
        let found: Vec<(&str, &str)> = parts.collect();
        let all = ["n", "e", "e", "d", "l", "e"].map(|c| (c, "the command says no"));
        assert_eq!(found, all);
    }

    #[test]
    fn a_file_that_is_not_interesting_is_told_so() {
        let (ended, _, result) = reduce("grep -q needle", "a.txt", "hay");
        let failure = ended.unwrap_err();
        assert_eq!(failure.status, Status::NotFailing);
        assert!(failure.message.contains("exits with 1"), "{failure}");
        assert_eq!(result, None);
    }

    #[test]
    fn a_file_that_is_minimal_already_is_said_to_be() {
        let (ended, events, result) = reduce("grep -q needle", "a.txt", "needle");
        assert_eq!(ended.unwrap(), Exit::Done);
        assert_eq!(result.as_deref(), Some("needle"));
        assert!(
            matches!(events.last(), Some(Event::Summary(summary)) if summary.status == Status::Minimal)
        );
    }
}
