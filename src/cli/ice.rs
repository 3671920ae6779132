//! `--ice`: reduces a source on which the compiler crashes.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::exit::Exit;
use super::failure::Failure;
use super::files::{End, FilesConfig, FilesJob, GivenFile};
use crate::disk::write_atomic;
use crate::emit::CrashReport;
use crate::exec::Interrupt;
use crate::oracle::ice::{Compiled, Crash, CrashKind, Errors, IceOracle, Rustc, header_flags};
use crate::oracle::pool::Pool;
use crate::oracle::signature::{Kind, Signature};
use crate::passes::{self, Sameness, Settings, SourceFile, Sources, StandIn};
use crate::reduce::{Candidate, Counts, Memory, Problem, Stop};
use crate::report::{Event, Reporter, Status};

/// How long the original may take unless the user says so; longer counts as an endless compilation.
const FIRST_RUN: Duration = Duration::from_mins(2);
/// How often the original has to crash in the same way before the search starts.
const FIRST_RUNS: usize = 3;
/// What makes each run shorter, if the crash does not need it otherwise.
const SHORTCUTS: [&str; 2] = ["--cap-lints=allow", "--emit=metadata"];

/// What to reduce, and with which compiler.
#[derive(Debug, Clone)]
pub struct IceConfig {
    /// The files (the first is the root of the crate), and limits.
    pub files: FilesConfig,
    /// Arguments for rustc.
    pub rustc_args: Vec<String>,
    /// What stands after `+` for rustup.
    pub toolchain: Option<String>,
    /// What to make of errors besides the crash.
    pub errors: Errors,
}

/// Reduces the files while the compiler crashes in the same way.
///
/// # Errors
/// When the compiler does not crash on the original, or not always, or cannot be run.
pub fn run(
    config: &IceConfig,
    reporter: &mut dyn Reporter,
    interrupt: Interrupt,
) -> Result<Exit, Failure> {
    let job = FilesJob::new(&config.files, reporter, interrupt);
    let given = job.load()?;
    let original = sources(&given)?;
    let rustc = Rustc::find(
        &rustc_program(),
        config.toolchain.as_deref(),
        job.limits(Some(FIRST_RUN)),
    )
    .map_err(|error| Failure::error(error.to_string()))?;
    let (rustc, compiled) = reproduce(config, &job, &rustc, &original)?;
    let crash = compiled
        .verdict
        .crash
        .clone()
        .ok_or_else(|| Failure::error("no crash"))?;
    let signature = signature(&crash);
    job.tell(&Event::Failure {
        test: given[0].name.clone(),
        package: String::new(),
        signature: signature.clone(),
    });
    let fast = shortcuts(&job, &rustc, &original, &crash)?;
    let mut found = search(config, &job, &fast, &original, &compiled)?;
    if !crashes(&job, &rustc, &found.best, &crash)? {
        job.tell(&Event::Warning(
            "the shortcuts changed the crash: searching again without them".into(),
        ));
        found = search(config, &job, &rustc, &original, &compiled)?;
    }
    let status = job.ended(found.ended, found.counts.accepted > 0)?;
    let best = pretty(&job, &rustc, found.best, &crash)?;
    let last = IceOracle::compile(&rustc, &best, &Interrupt::new())?;
    let confirmed = last.verdict.crash.as_ref() == Some(&crash);
    let report = CrashReport {
        source: &best.files[0].text,
        command: &rustc.command_line(&given[0].name),
        version: &rustc
            .version()
            .map_err(|error| Failure::error(error.to_string()))?,
        output: &last.output,
        tokens: (original.tokens(), best.tokens()),
    };
    let mut files: Vec<(String, Vec<u8>)> = best
        .files
        .iter()
        .map(|file| (file.path.to_string(), file.text.as_bytes().to_vec()))
        .collect();
    files[0].1 = report.commented().into_bytes();
    job.keep(
        files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice())),
        best.tokens(),
        found.counts,
    );
    write_report(&job, &report)?;
    job.check_disk()?;
    job.finish(
        &given,
        &files,
        End {
            status,
            confirmed,
            signature,
            counts: found.counts,
        },
    );
    Ok(if confirmed {
        Exit::of(status)
    } else {
        Exit::of(Status::NotReproduced)
    })
}

/// What the user's environment says rustc is.
fn rustc_program() -> std::path::PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), Into::into)
}

fn sources(given: &[GivenFile]) -> Result<Sources, Failure> {
    let mut files = Vec::with_capacity(given.len());
    for file in given {
        let text = std::str::from_utf8(&file.bytes)
            .map_err(|_| Failure::error(format!("`{}` is not valid UTF-8", file.name)))?;
        files.push(SourceFile {
            path: file.name.as_str().into(),
            text: text.into(),
        });
    }
    Ok(Sources::new(files, Sameness::Tokens))
}

/// Finds flags with which the compiler crashes, and sees it crash a few times.
fn reproduce(
    config: &IceConfig,
    job: &FilesJob<'_>,
    rustc: &Rustc,
    original: &Sources,
) -> Result<(Rustc, Compiled), Failure> {
    let mut given: Vec<OsString> = config.rustc_args.iter().map(Into::into).collect();
    given.extend(
        header_flags(&original.files[0].text)
            .into_iter()
            .map(OsString::from),
    );
    let mut last_output = String::new();
    for more in attempts(&given) {
        let attempt = rustc.with_args(given.iter().cloned().chain(more.iter().map(OsString::from)));
        job.stage("Compiling", attempt.command_line(&original.files[0].path));
        let first = IceOracle::compile(&attempt, original, &job.interrupt)?;
        if first.verdict.crash.is_none() {
            last_output = first.output;
            continue;
        }
        for _ in 1..FIRST_RUNS {
            let again = IceOracle::compile(&attempt, original, &job.interrupt)?;
            if again.verdict != first.verdict {
                return Err(Failure::new(
                    Status::Flaky,
                    "the compiler does not always crash in the same way",
                ));
            }
        }
        return Ok((attempt, first));
    }
    let failure = Failure::new(
        Status::NotFailing,
        "the compiler does not crash on this source",
    )
    .hint(
        "give the flags that it needs after `--`, and the toolchain as `cargo +nightly reduce …`",
    );
    Err(
        match last_output.lines().find(|line| line.starts_with("error")) {
            Some(line) => failure.hint(format!("it says: {line}")),
            None => failure,
        },
    )
}

/// Flags to try in turn, besides those given.
fn attempts(given: &[OsString]) -> Vec<Vec<&'static str>> {
    let has = |flag: &str| {
        given
            .iter()
            .any(|arg| arg.to_string_lossy().starts_with(flag))
    };
    let editions: &[&[&str]] = if has("--edition") {
        &[&[]]
    } else {
        &[
            &[],
            &["--edition=2024"],
            &["--edition=2021"],
            &["--edition=2018"],
        ]
    };
    let types: &[&[&str]] = if has("--crate-type") || has("--test") {
        &[&[]]
    } else {
        &[&[], &["--crate-type=lib"]]
    };
    let pairs = types
        .iter()
        .flat_map(|ty| editions.iter().map(move |edition| [*edition, *ty].concat()));
    pairs.collect()
}

/// Adds the flags that make a run shorter and leave the crash as it is.
fn shortcuts(
    job: &FilesJob<'_>,
    rustc: &Rustc,
    original: &Sources,
    crash: &Crash,
) -> Result<Rustc, Failure> {
    let mut fast = rustc.clone();
    for flag in SHORTCUTS {
        let name = flag.split('=').next().unwrap_or(flag);
        if rustc
            .args
            .iter()
            .any(|arg| arg.to_string_lossy().starts_with(name))
        {
            continue;
        }
        let attempt = fast.with_args(fast.args.iter().cloned().chain([flag.into()]));
        if crashes(job, &attempt, original, crash)? {
            fast = attempt;
        }
    }
    Ok(fast)
}

fn crashes(
    job: &FilesJob<'_>,
    rustc: &Rustc,
    sources: &Sources,
    crash: &Crash,
) -> Result<bool, Failure> {
    let compiled = IceOracle::compile(rustc, sources, &job.interrupt.child())?;
    Ok(compiled.verdict.crash.as_ref() == Some(crash))
}

/// What a search ended with.
struct Found {
    best: Sources,
    counts: Counts,
    ended: Result<(), Stop>,
}

fn search(
    config: &IceConfig,
    job: &FilesJob<'_>,
    rustc: &Rustc,
    original: &Sources,
    compiled: &Compiled,
) -> Result<Found, Failure> {
    let mut rustc = rustc.clone();
    rustc.limits = job.limits(Some(compiled.wall));
    let pool = Pool::new(config.files.workers, job.interrupt.clone());
    let mut oracle = IceOracle::new(rustc, pool, &compiled.verdict, config.errors)
        .ok_or_else(|| Failure::new(Status::NotFailing, "the compiler does not crash"))?;
    let mut problem = Problem::new(original.clone(), &mut oracle, Memory::Remember)
        .stop_when(job.stop_rule())
        .on_accept(|best: &Sources, counts| {
            let files = best
                .files
                .iter()
                .map(|file| (&*file.path, file.text.as_bytes()));
            job.keep(files, best.tokens(), counts);
        });
    let ended = passes::reduce(
        &mut problem,
        Settings {
            stand_in: StandIn::Loop,
        },
    );
    let counts = problem.counts();
    let best = problem.into_best();
    for (place, other) in oracle.others().iter().enumerate() {
        let path = job.out().join(format!("other-crash-{}.rs", place + 1));
        write_atomic(path.as_std_path(), other.sources.files[0].text.as_bytes())
            .map_err(|error| Failure::error(error.to_string()))?;
        job.tell(&Event::OtherFailure {
            signature: signature(&other.crash),
            path: path.into_string(),
        });
    }
    Ok(Found {
        best,
        counts,
        ended,
    })
}

/// The result laid out as people do, if it is the same to the compiler.
fn pretty(
    job: &FilesJob<'_>,
    rustc: &Rustc,
    best: Sources,
    crash: &Crash,
) -> Result<Sources, Failure> {
    let pretty = best.rewrite(|_, text| passes::pretty(text).unwrap_or_else(|| text.to_owned()));
    let is_no_worse = pretty.key().0 <= best.key().0;
    Ok(if is_no_worse && crashes(job, rustc, &pretty, crash)? {
        pretty
    } else {
        best
    })
}

fn signature(crash: &Crash) -> Signature {
    let kind = match crash.kind {
        CrashKind::Timeout => Kind::Timeout,
        CrashKind::Signal => Kind::Signal,
        CrashKind::Panic | CrashKind::DelayedBug | CrashKind::Llvm | CrashKind::Memory => Kind::Ice,
    };
    let signature = Signature::new(kind, crash.message.clone());
    match crash.location.as_deref().map(str::parse) {
        Some(Ok(location)) => signature.at(location),
        _ => signature,
    }
}

fn write_report(job: &FilesJob<'_>, report: &CrashReport<'_>) -> Result<(), Failure> {
    let path = job.out().join("report.md");
    write_atomic(Path::new(path.as_str()), report.markdown().as_bytes())
        .map_err(|error| Failure::error(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flags_that_were_not_given_are_tried_out() {
        let given =
            |flags: &[&str]| attempts(&flags.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(given(&[]).len(), 8);
        assert_eq!(given(&[])[0], Vec::<&str>::new());
        assert_eq!(
            given(&["--edition", "2021"]),
            [vec![], vec!["--crate-type=lib"]]
        );
        assert_eq!(
            given(&["--edition=2021", "--crate-type=lib"]),
            [Vec::<&str>::new()]
        );
    }
}
