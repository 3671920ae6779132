//! The minimal package: the reduced crate, with the dependencies it still needs.

use camino::{Utf8Path, Utf8PathBuf};

use super::{PackageCase, PackageConfig};
use crate::app::failure::Result;
use crate::disk::write_atomic;
use crate::emit::{MinimalDependency, MinimalPackage, MinimalTarget};
use crate::exec::{Access, ExecError};
use crate::jobs::ice::CrashJob;
use crate::oracle::ice::{Compilation, interpret};
use crate::project::{Dependencies, Dependency, Invocation};
use crate::report::Event;

/// Writes a manifest beside the reduced sources, and runs cargo on that package. Returns its folder if
/// the compiler crashes there in the same way.
///
/// # Errors
/// When cargo cannot be run, or the manifest cannot be written.
pub fn keep_package(
    package: &PackageConfig,
    job: &CrashJob,
    found: &PackageCase,
    compilation: &Compilation,
) -> Result<Option<Utf8PathBuf>> {
    let folder = job.staged()?;
    let flags = found.invocation(compilation);
    let manifest_path = found.call.package_dir().join("Cargo.toml");
    let all = Dependencies::load(&manifest_path, &package.cargo)?.of(&manifest_path);
    let needed: Vec<&str> = flags.externs().map(|(name, _)| name).collect();
    let minimal = MinimalPackage {
        name: found.case.name.clone(),
        edition: flags.values("--edition").next().unwrap_or("2015").into(),
        target: target(&flags),
        path: found.case.sources.files[0].path.to_string(),
        features: flags.features().map(str::to_owned).collect(),
        dependencies: all
            .iter()
            .filter(|dependency| needed.contains(&dependency.extern_name.as_str()))
            .map(minimal_dependency)
            .collect(),
    };
    let path = folder.join("Cargo.toml");
    write_atomic(path.as_std_path(), minimal.manifest().as_bytes())?;
    let work = job.config.sandbox.work_folder().map_err(ExecError::Folder)?;
    let Some(target_dir) = Utf8Path::from_path(work.path()) else { return Ok(None) };
    let access = Access::keeping([folder.as_std_path(), target_dir.as_std_path()]);
    let call = package.call_minimal(job.asked.toolchain.as_deref(), folder, target_dir.to_owned());
    let command = package.subcommand().join(" ");
    job.stage("Confirming", format!("cargo {command}"));
    let verdict = interpret(&call.output_confined(
        &job.config.sandbox,
        access,
        &job.interrupt_of_result(),
    )?);
    if verdict.crash.as_ref() == Some(&job.rule.crash) {
        return Ok(Some(job.results().path().to_owned()));
    }
    job.tell(&Event::Warning(format!(
        "`cargo {command}` does not show the crash in {}; run the command in the first lines of the source instead",
        job.results().path()
    )));
    Ok(None)
}

fn minimal_dependency(dependency: &Dependency) -> MinimalDependency {
    let source = match &dependency.folder {
        Some(folder) => ("path", folder.to_string()),
        None => ("version", format!("={}", dependency.version)),
    };
    MinimalDependency {
        name: dependency.extern_name.clone(),
        package: dependency.package.clone(),
        source,
        features: dependency.features.clone(),
    }
}

/// What cargo has to make of the crate.
fn target(flags: &Invocation) -> MinimalTarget {
    match flags.values("--crate-type").next() {
        Some("proc-macro") => MinimalTarget::ProcMacro,
        Some("bin") => MinimalTarget::Program,
        _ => MinimalTarget::Library,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_say_what_the_crate_is() {
        let args = ["--crate-type", "bin", "--cfg", "feature=\"std\"", "--cfg", "x"];
        let flags = Invocation {
            program: "rustc".into(),
            args: args.map(str::to_owned).into(),
            env: std::collections::BTreeMap::new(),
        };
        assert_eq!(target(&flags), MinimalTarget::Program);
        assert_eq!(flags.features().collect::<Vec<_>>(), ["std"]);
    }
}
