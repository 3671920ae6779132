//! Flags of the compiler: which make a run shorter, and which nobody needs.

use std::ffi::OsString;
use std::ops::Range;

use super::CrashJob;
use crate::app::failure::Result;
use crate::oracle::ice::Compilation;
use crate::rust::Sources;

/// What makes each run shorter, if the crash does not need it otherwise.
const SHORTCUTS: [&str; 2] = ["--cap-lints=allow", "--emit=metadata"];
/// Flags that say what the source is; they stay even if the crash comes without them.
const KEPT: [&str; 4] = ["--edition", "--crate-type", "--test", "--crate-name"];

/// Adds the flags that make a run shorter and leave the crash as it is.
///
/// # Errors
/// When the compiler cannot be run.
pub fn with_shortcuts(
    job: &CrashJob,
    plain: &Compilation,
    sources: &Sources,
) -> Result<Compilation> {
    let mut fast = plain.clone();
    for flag in SHORTCUTS {
        let name = flag.split('=').next().unwrap_or(flag);
        if plain.rustc.args.iter().any(|arg| starts_with(arg, name)) {
            continue;
        }
        let args = fast.rustc.args.iter().cloned().chain([flag.into()]);
        let attempt = fast.with_args(args);
        if job.crashes(&attempt, sources)? {
            fast = attempt;
        }
    }
    Ok(fast)
}

/// Drops the flags without which `sources` crash all the same: all at once, else one by one.
///
/// # Errors
/// When the compiler cannot be run.
pub fn without_needless(
    job: &CrashJob,
    compilation: &Compilation,
    sources: &Sources,
) -> Result<Compilation> {
    let is_kept = |group: &[OsString]| KEPT.iter().any(|kept| starts_with(&group[0], kept));
    let args = &compilation.rustc.args;
    let only_kept: Vec<OsString> = groups(args)
        .into_iter()
        .map(|group| &args[group])
        .filter(|group| is_kept(group))
        .flatten()
        .cloned()
        .collect();
    let least = compilation.with_args(only_kept);
    if least.rustc.args.len() == args.len() || job.crashes(&least, sources)? {
        return Ok(least);
    }
    let mut best = compilation.clone();
    for group in groups(args).into_iter().rev() {
        if is_kept(&args[group.clone()]) {
            continue;
        }
        // Groups behind this one may be gone, those before it are where they were.
        let mut fewer = best.rustc.args.clone();
        fewer.drain(group);
        let attempt = best.with_args(fewer);
        if job.crashes(&attempt, sources)? {
            best = attempt;
        }
    }
    Ok(best)
}

/// Each flag with the value that follows it.
fn groups(args: &[OsString]) -> Vec<Range<usize>> {
    let is_flag = |place: usize| args[place].to_string_lossy().starts_with('-');
    let mut groups: Vec<Range<usize>> = Vec::new();
    for place in 0..args.len() {
        match groups.last_mut() {
            Some(last) if !is_flag(place) && last.len() == 1 && is_flag(last.start) => {
                last.end = place + 1;
            }
            _ => groups.push(place..place + 1),
        }
    }
    groups
}

fn starts_with(arg: &OsString, name: &str) -> bool {
    arg.to_string_lossy().starts_with(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_and_its_value_are_one_group() {
        let args: Vec<OsString> =
            ["--edition", "2021", "-O", "--cfg=a", "-C", "lto"].map(OsString::from).into();
        assert_eq!(groups(&args), [0..2, 2..3, 3..4, 4..6]);
    }
}
