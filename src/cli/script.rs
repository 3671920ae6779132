//! `--oracle`: reduces files under a command of the user.

use std::sync::Arc;
use std::time::Duration;

use camino::Utf8Path;
use regex::Regex;

use super::exit::Exit;
use super::failure::Failure;
use super::files::{End, FilesConfig, FilesJob, GivenFile};
use crate::exec::{Exit as JobExit, Finished, Interrupt};
use crate::oracle::pool::Pool;
use crate::oracle::script::{Command, FileBytes, ScriptOracle};
use crate::oracle::signature::{Kind, Signature};
use crate::passes::{self, Sameness, Settings, SourceFile, Sources, StandIn};
use crate::reduce::inputs::{Body, Inputs, InputsOptions, Node, NodeId, Value, reduce_inputs};
use crate::reduce::{Counts, Memory, Oracle, OracleError, Outcome, Problem, Stop};
use crate::report::{Event, Reporter, Status};

/// How long the command may take on the original unless the user says so.
const FIRST_RUN: Duration = Duration::from_mins(10);
/// How often the original has to be interesting before the search starts.
const FIRST_RUNS: usize = 3;

/// What to reduce, and under which command.
#[derive(Debug, Clone)]
pub struct ScriptConfig {
    /// The files, and limits.
    pub files: FilesConfig,
    /// The command, as a shell would read it.
    pub command: String,
    /// What it has to print besides exiting with 0.
    pub stdout: Option<Regex>,
}

/// Reduces the files while the command exits with 0.
///
/// # Errors
/// When the original is not interesting, or the command cannot be run.
pub fn run(
    config: &ScriptConfig,
    reporter: &mut dyn Reporter,
    interrupt: Interrupt,
) -> Result<Exit, Failure> {
    let job = FilesJob::new(&config.files, reporter, interrupt);
    let given = job.load()?;
    let (oracle, signature) = reproduce(config, &job, &given)?;
    job.tell(&Event::Failure {
        test: given[0].name.clone(),
        package: String::new(),
        signature: signature.clone(),
    });
    let is_rust = given
        .iter()
        .any(|file| Utf8Path::new(&file.name).extension() == Some("rs"));
    let (best, counts, ended) = match texts(&given) {
        Some(files) => search_sources(&job, oracle.clone(), files, is_rust),
        None => search_values(&job, oracle.clone(), &given),
    };
    let is_smaller = counts.accepted > 0;
    let status = job.ended(ended, is_smaller)?;
    if !is_smaller {
        job.keep(named(&best), 0, counts);
    }
    job.check_disk()?;
    let confirmed = oracle.judge(&bytes_of(&best), &Interrupt::new())?.is_fail();
    job.finish(
        &given,
        &best,
        End {
            status,
            confirmed,
            signature,
            counts,
        },
    );
    Ok(if confirmed {
        Exit::of(status)
    } else {
        Exit::of(Status::NotReproduced)
    })
}

/// Runs the command on the unchanged files.
fn reproduce(
    config: &ScriptConfig,
    job: &FilesJob<'_>,
    given: &[GivenFile],
) -> Result<(ScriptOracle, Signature), Failure> {
    job.stage("Running", config.command.clone());
    let command = Command::parse(&config.command, config.files.cwd.as_std_path())
        .map_err(|error| Failure::error(error.to_string()))?;
    let oracle = |limits| {
        let pool = Pool::new(config.files.workers, job.interrupt.clone());
        ScriptOracle::new(command.clone(), pool, limits, config.stdout.clone())
    };
    let files: Vec<FileBytes<'_>> = given
        .iter()
        .map(|file| FileBytes {
            name: &file.name,
            bytes: &file.bytes,
        })
        .collect();
    let first = oracle(job.limits(Some(FIRST_RUN)));
    let mut slowest = Duration::ZERO;
    for run in 0..FIRST_RUNS {
        let finished = first.run(&files, &job.interrupt)?;
        let outcome = first.interpret(&finished);
        if !outcome.is_fail() {
            return Err(not_interesting(run, outcome, &finished));
        }
        slowest = slowest.max(finished.wall);
    }
    let signature = Signature::new(Kind::Script, config.command.clone());
    Ok((oracle(job.limits(Some(slowest))), signature))
}

fn not_interesting(run: usize, outcome: Outcome, finished: &Finished) -> Failure {
    let how = match (finished.exit, outcome) {
        (JobExit::Code(0), _) => "it exits with 0, but does not print what it should".to_owned(),
        (JobExit::Code(code), _) => format!("it exits with {code}"),
        (JobExit::Signal(signal), _) => format!("signal {signal} ends it"),
        (JobExit::TimedOut, _) => "it does not end in time".to_owned(),
    };
    if run > 0 {
        return Failure::new(
            Status::Flaky,
            format!("the command says yes and no to the same files: now {how}"),
        );
    }
    let failure = Failure::new(
        Status::NotFailing,
        format!("the files are not interesting to begin with: {how}"),
    )
    .hint("exit code 0 means interesting, 125 cannot be judged, any other not interesting");
    let said = [finished.stdout.text(), finished.stderr.text()].concat();
    match said.trim().lines().last() {
        Some(last) => failure.hint(format!("the last thing it printed: {last}")),
        None => failure,
    }
}

/// A result: the files, what was asked, and how the search ended.
type Found = (Vec<(String, Vec<u8>)>, Counts, Result<(), Stop>);

fn search_sources(
    job: &FilesJob<'_>,
    mut oracle: ScriptOracle,
    files: Vec<SourceFile>,
    is_rust: bool,
) -> Found {
    let sources = Sources::new(files, Sameness::Text);
    let mut problem = Problem::new(sources, &mut oracle, Memory::Remember)
        .stop_when(job.stop_rule())
        .on_accept(|best: &Sources, counts| {
            let files = best
                .files
                .iter()
                .map(|file| (&*file.path, file.text.as_bytes()));
            job.keep(files, best.tokens(), counts);
        });
    let settings = Settings {
        stand_in: StandIn::Loop,
    };
    let ended = if is_rust {
        passes::reduce(&mut problem, settings)
    } else {
        passes::reduce_text(&mut problem)
    };
    let counts = problem.counts();
    let best = problem.into_best().files;
    let files = best
        .iter()
        .map(|file| (file.path.to_string(), file.text.as_bytes().to_vec()));
    (files.collect(), counts, ended)
}

fn search_values(job: &FilesJob<'_>, script: ScriptOracle, given: &[GivenFile]) -> Found {
    let names: Vec<String> = given.iter().map(|file| file.name.clone()).collect();
    let nodes = given.iter().enumerate().map(|(place, file)| {
        let id = NodeId(u32::try_from(place).unwrap_or(u32::MAX));
        Arc::new(Node {
            id,
            body: Body::Leaf(value(&file.bytes)),
        })
    });
    let inputs = Inputs(nodes.collect());
    let mut oracle = ValuesOracle {
        script,
        names: names.clone(),
    };
    let mut problem = Problem::new(inputs, &mut oracle, Memory::Remember)
        .stop_when(job.stop_rule())
        .on_accept(|best: &Inputs, counts| {
            let files = values(&names, best);
            job.keep(named(&files), best.size(), counts);
        });
    let ended = reduce_inputs(&mut problem, &InputsOptions::default()).map(drop);
    let counts = problem.counts();
    let best = problem.into_best();
    (values(&names, &best), counts, ended)
}

/// Judges files that are values, not sources.
struct ValuesOracle {
    script: ScriptOracle,
    names: Vec<String>,
}

impl Oracle<Inputs> for ValuesOracle {
    fn ask(&mut self, candidate: &Inputs) -> Result<Outcome, OracleError> {
        let files = values(&self.names, candidate);
        self.script
            .judge(&bytes_of(&files), self.script.pool().interrupt())
    }

    fn ask_until_fail(&mut self, candidates: &[Inputs]) -> Result<Vec<Outcome>, OracleError> {
        let files: Vec<_> = candidates
            .iter()
            .map(|candidate| values(&self.names, candidate))
            .collect();
        let judge = |files: &Vec<(String, Vec<u8>)>, interrupt: &Interrupt| {
            self.script.judge(&bytes_of(files), interrupt)
        };
        self.script.pool().until_fail(&files, judge)
    }

    fn batch(&self) -> usize {
        self.script.pool().batch()
    }
}

fn value(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::Text(text.to_owned()),
        Err(_) => Value::Bytes(bytes.to_vec()),
    }
}

fn values(names: &[String], inputs: &Inputs) -> Vec<(String, Vec<u8>)> {
    let bytes = inputs.0.iter().map(|node| match &node.body {
        Body::Leaf(Value::Text(text)) => text.as_bytes().to_vec(),
        Body::Leaf(Value::Bytes(bytes)) => bytes.clone(),
        _ => Vec::new(),
    });
    names.iter().cloned().zip(bytes).collect()
}

/// The files as text, if all of them are.
fn texts(given: &[GivenFile]) -> Option<Vec<SourceFile>> {
    let text = |file: &GivenFile| {
        let text = std::str::from_utf8(&file.bytes).ok()?;
        Some(SourceFile {
            path: file.name.as_str().into(),
            text: text.into(),
        })
    };
    given.iter().map(text).collect()
}

fn named(files: &[(String, Vec<u8>)]) -> impl Iterator<Item = (&str, &[u8])> {
    files
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
}

fn bytes_of(files: &[(String, Vec<u8>)]) -> Vec<FileBytes<'_>> {
    files
        .iter()
        .map(|(name, bytes)| FileBytes { name, bytes })
        .collect()
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    /// Keeps what it is told.
    #[derive(Default)]
    struct Told(Vec<Event>);

    impl Reporter for Told {
        fn report(&mut self, event: &Event) {
            self.0.push(event.clone());
        }
    }

    fn reduce(
        command: &str,
        name: &str,
        text: &str,
    ) -> (Result<Exit, Failure>, Vec<Event>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let cwd = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        std::fs::write(cwd.join(name), text).unwrap();
        let files = FilesConfig {
            cwd: cwd.clone(),
            files: vec![name.into()],
            out: Some("out".into()),
            workers: 2,
            timeout: None,
            memory_bytes: 1 << 30,
            max_time: None,
            max_candidates: None,
        };
        let config = ScriptConfig {
            files,
            command: command.to_owned(),
            stdout: None,
        };
        let mut told = Told::default();
        let ended = run(&config, &mut told, Interrupt::new());
        let unchanged = std::fs::read_to_string(cwd.join(name)).unwrap();
        assert_eq!(unchanged, text, "the user's file must stay as it is");
        (
            ended,
            told.0,
            std::fs::read_to_string(cwd.join("out").join(name)).ok(),
        )
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
