//! The catalogue of passes: what `--list-passes` shows.

use std::io::Write;

use crate::passes;

/// Writes each pass with its example.
///
/// # Errors
/// When `out` cannot be written.
pub fn list_passes(out: &mut dyn Write) -> std::io::Result<()> {
    for pass in passes::all() {
        writeln!(out, "{}: {}", pass.name, pass.about)?;
        writeln!(out, "    {}", pass.before.trim())?;
        writeln!(out, " -> {}\n", pass.after.trim())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_is_listed_with_its_example() {
        let mut out = Vec::new();
        list_passes(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for pass in passes::all() {
            assert!(text.contains(&format!("{}: {}\n", pass.name, pass.about)));
            assert!(text.contains(pass.after.trim()));
        }
    }
}
