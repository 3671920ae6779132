//! What `rustfmt` makes of a regression test.

use std::fs;
use std::time::Duration;

use camino::Utf8Path;

use crate::exec::{Interrupt, Job, run_tool};

/// A file is formatted in this time, or stays as it is.
const FORMAT_TIME: Duration = Duration::from_secs(5);

/// How far rustfmt indents what stands in a module.
const INDENT: &str = "    ";

/// What `rustfmt` makes of a file, if there is one and it accepts the file.
pub fn formatted(path: &Utf8Path, edition: &str, imports: &str) -> Option<String> {
    let job = Job::new("rustfmt")
        .args(["--emit", "stdout", "--quiet", "--edition", edition, "--config", imports])
        .args([path.as_str()])
        .cwd(path.parent()?.as_std_path())
        .time(FORMAT_TIME);
    let finished = run_tool(&job, &Interrupt::new()).ok()?;
    let text = finished.exit.is_success().then(|| finished.stdout.text())?;
    // Some versions put the name of the file above it.
    let heading = format!("{path}:\n\n");
    Some(text.strip_prefix(&heading).unwrap_or(&text).to_owned())
}

/// What `rustfmt` makes of a function that is put into the file `beside`, as deep in modules as its blanks say.
pub fn formatted_beside(beside: &Utf8Path, edition: &str, function: &str) -> Option<String> {
    let inside = function.trim_matches('\n');
    let before = &function[..function.len() - function.trim_start_matches('\n').len()];
    let after = &function[function.trim_end_matches('\n').len()..];
    let blanks = inside.len() - inside.trim_start_matches(' ').len();
    let depth = blanks / INDENT.len();
    let path = beside.parent()?.join("reduced_alone.rs");
    let modules = "mod m {\n".repeat(depth) + inside + &"\n}".repeat(depth) + "\n";
    fs::write(&path, modules).ok()?;
    let text = formatted(&path, edition, "reorder_imports=false");
    let _ = fs::remove_file(&path);
    let text = text?;
    let lines: Vec<&str> = text.lines().collect();
    let lines = lines.get(depth..lines.len().checked_sub(depth)?)?;
    Some(before.to_owned() + &lines.join("\n") + after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_in_modules_keeps_its_blanks() {
        let folder = tempfile::tempdir().unwrap();
        let beside = folder.path().join("lib.rs");
        let beside = Utf8Path::from_path(&beside).unwrap();
        let function = "\n\n    // Why.\n    #[test]\n    fn t() {\n        f( 1 );    }";
        let expected = "\n\n    // Why.\n    #[test]\n    fn t() {\n        f(1);\n    }";
        assert_eq!(formatted_beside(beside, "2021", function).as_deref(), Some(expected));
        assert_eq!(formatted_beside(beside, "2021", "fn t( {"), None);
    }
}
