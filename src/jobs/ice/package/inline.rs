//! `--inline-deps`: the dependencies that a reduced crate still needs as modules of it, so that the
//! result is one file.
//!
//! A library is its sources, unless something of it runs at build time. As a module it shares the
//! edition and the features of the crate it is put into; whether that matters to the crash is seen by
//! compiling it.

use std::ffi::OsString;
use std::path::Path;

use super::{PackageCase, PackageConfig};
use crate::app::failure::Result;
use crate::jobs::ice::CrashJob;
use crate::jobs::ice::case::Case;
use crate::jobs::ice::crate_files::beside;
use crate::oracle::ice::Compilation;
use crate::project::{Dependencies, Dependency, Invocation};
use crate::report::Event;
use crate::rust::{CrateRoot, Sameness, SourceFile, Sources, flatten};
use crate::source::Crate;

/// The reduced crate with its dependencies inside, as a case that crashes by the rule; `None` if there is
/// nothing to put in. Says of each dependency that stays outside why it does.
///
/// # Errors
/// When cargo or the compiler cannot be run.
pub fn inlined(
    package: &PackageConfig,
    job: &CrashJob,
    found: &PackageCase,
    compilation: &Compilation,
    best: &Sources,
) -> Result<Option<Case>> {
    let manifest = found.call.package_dir().join("Cargo.toml");
    let graph = Dependencies::load(&manifest, &package.cargo)?;
    let mut case =
        Case { sources: best.clone(), compilation: compilation.clone(), ..found.case.clone() };
    let mut is_changed = false;
    for dependency in graph.of(&manifest) {
        let externs = found.invocation(&case.compilation);
        if !externs.externs().any(|(name, _)| name == dependency.extern_name) {
            continue;
        }
        job.stage("Inlining", &dependency.extern_name);
        match with(job, found, &case, &Family::of(&graph, &dependency))? {
            Ok(inlined) => {
                case = inlined;
                is_changed = true;
            }
            Err(why) => job.tell(&Event::Warning(format!(
                "`{}` stays a dependency: {why}",
                dependency.extern_name
            ))),
        }
    }
    Ok(is_changed.then_some(case))
}

/// A dependency with all that it needs itself; those come before it.
struct Family(Vec<Dependency>);

impl Family {
    fn of(graph: &Dependencies, dependency: &Dependency) -> Family {
        let mut family = Family(Vec::new());
        family.add(graph, dependency);
        family
    }

    fn add(&mut self, graph: &Dependencies, dependency: &Dependency) {
        if self.0.iter().any(|known| known.root == dependency.root) {
            return;
        }
        for needed in graph.of_dependency(dependency) {
            self.add(graph, &needed);
        }
        self.0.push(dependency.clone());
    }

    /// Why it cannot be modules.
    fn obstacle(&self) -> Option<String> {
        let runs = self.0.iter().find(|member| member.runs_at_build)?;
        Some(format!("`{}` has a build script or is a procedural macro", runs.package))
    }

    fn edition(&self) -> Option<&str> {
        self.0.iter().map(|member| &*member.edition).max()
    }
}

/// The case with a dependency inside, or why that cannot be.
fn with(
    job: &CrashJob,
    found: &PackageCase,
    case: &Case,
    family: &Family,
) -> Result<Result<Case, String>> {
    if let Some(obstacle) = family.obstacle() {
        return Ok(Err(obstacle));
    }
    let (flat, data) = match one_file(found, case, family) {
        Ok(flat) => flat,
        Err(why) => return Ok(Err(why)),
    };
    let mut why = String::new();
    for args in attempts(&found.invocation(&case.compilation), family) {
        let mut compilation = case.compilation.with_args(args.into_iter().map(OsString::from));
        compilation.beside.extend(data.iter().cloned());
        let compiled = compilation.run(&flat, &job.interrupt)?;
        if job.rule.outcome(&compiled.verdict).is_fail() {
            return Ok(Ok(Case { sources: flat, compilation, first: compiled, ..case.clone() }));
        }
        let error = compiled.output.lines().find(|line| line.starts_with("error"));
        why = format!(
            "the crash disappears when the crate becomes a module ({})",
            error.unwrap_or("there is no error")
        );
    }
    Ok(Err(why))
}

/// A file beside the sources: its place, and what is in it.
type Data = (std::path::PathBuf, Vec<u8>);

fn one_file(
    found: &PackageCase,
    case: &Case,
    family: &Family,
) -> Result<(Sources, Vec<Data>), String> {
    let mut files = case.sources.files.clone();
    let mut data = Vec::new();
    let mut libraries = Vec::new();
    for member in &family.0 {
        let folder = &member.package_dir;
        let read = |path: &Path| std::fs::read_to_string(path);
        let krate = Crate::load(member.root.as_std_path(), folder.as_std_path(), read)
            .map_err(|error| error.to_string())?;
        data.extend(beside(&krate, folder, &member.root));
        // Absolute paths cannot be those of a file of the crate.
        files.extend(
            krate
                .files()
                .iter()
                .map(|file| SourceFile::new(file.path.to_string_lossy(), file.text.as_str())),
        );
        libraries.push(CrateRoot {
            name: member.extern_name.clone(),
            file: member.root.to_string(),
            is_2015: member.edition == "2015",
            features: member.features.iter().cloned().collect(),
            has_tests: false,
        });
    }
    let call = found.invocation(&case.compilation);
    let tested = CrateRoot {
        name: case.name.clone(),
        file: files.first().map(|file| file.path.to_string()).unwrap_or_default(),
        is_2015: call.values("--edition").next().is_none_or(|it| it == "2015"),
        features: call.features().map(str::to_owned).collect(),
        has_tests: false,
    };
    let several = Sources::new(files, Sameness::Tokens);
    let flat = flatten(&several, &tested, &libraries).map_err(|error| error.to_string())?;
    Ok((flat, data))
}

/// The arguments without the dependency but with its features, in the edition of the crate and in the
/// newest of all.
fn attempts(call: &Invocation, family: &Family) -> Vec<Vec<String>> {
    let mut args: Vec<String> = Vec::new();
    let mut edition = None;
    let inside = |value: &str| {
        let name = value.split('=').next().unwrap_or(value);
        let name = name.rsplit(':').next().unwrap_or(name);
        family.0.iter().any(|member| member.extern_name == name)
    };
    for (option, value) in call.options() {
        match (option, value) {
            ("--extern", Some(value)) if inside(value) => {}
            ("--edition", Some(value)) => edition = Some(value),
            (option, value) => {
                args.push(option.to_owned());
                args.extend(value.map(str::to_owned));
            }
        }
    }
    let features = family.0.iter().flat_map(|member| &member.features);
    for feature in features.map(|name| format!("feature=\"{name}\"")) {
        if !args.contains(&feature) {
            args.extend(["--cfg".to_owned(), feature]);
        }
    }
    let edition = edition.unwrap_or("2015");
    let newest = family.edition().unwrap_or(edition).max(edition);
    let mut editions = vec![edition, newest];
    editions.dedup();
    let in_edition = |edition: &str| [vec![format!("--edition={edition}")], args.clone()].concat();
    editions.into_iter().map(in_edition).collect()
}
