//! Writing evocative grammars.

use camino::{Utf8Path, Utf8PathBuf};

use super::text_pattern::TextPattern;
use crate::app::failure::{Failure, Result};
use crate::app::session::Session;
use crate::disk::write_atomic;
use crate::grammar::Notation;

/// Writes the evocative grammars of `patterns`: the first to `file`, others beside it with a number.
///
/// # Errors
/// When the notation cannot say a grammar, or a file cannot be written.
pub fn write_grammars(
    session: &Session,
    patterns: &[TextPattern],
    file: &Utf8Path,
    notation: Notation,
) -> Result<()> {
    let grammars = patterns.iter().filter_map(|pattern| pattern.evocative.as_ref());
    for (number, grammar) in (1..).zip(grammars) {
        let path = numbered(file, number);
        let text = notation.write(grammar).map_err(|error| {
            Failure::error(format!("cannot write the grammar `{path}`: {error}"))
                .hint(".ebnf and .json files can hold any grammar")
        })?;
        write_atomic(path.as_std_path(), text.as_bytes())?;
        session.stage("Written", path);
    }
    Ok(())
}

/// `FILE.ebnf` for the first text, `FILE-2.ebnf` for the second.
fn numbered(file: &Utf8Path, number: usize) -> Utf8PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default();
    let extension = file.extension().unwrap_or_default();
    file.with_file_name(format!("{stem}-{number}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_grammar_has_the_name_that_the_user_gave() {
        let file = Utf8Path::new("out/bug.ebnf");
        assert_eq!(numbered(file, 1), "out/bug.ebnf");
        assert_eq!(numbered(file, 3), "out/bug-3.ebnf");
    }
}
