//! Files with a grammar: reduced on their derivation trees, before all else.

use super::ScriptJob;
use crate::app::failure::{Failure, Result};
use crate::grammar::Parser;
use crate::jobs::generalize::grammars::NamedGrammar;
use crate::reduce::tree::{Strategy, Tree, reduce};
use crate::reduce::{Problem, Stop};
use crate::rust::{SourceFile, Sources};

/// Built-in grammars with which a search by brackets, lines and characters takes no more candidates.
const FLAT: [&str; 3] = ["text", "csv", "html"];
/// Up to how many bytes the grammar of a file is guessed; to try many grammars takes a while.
const GUESSED_BYTES: usize = 32 << 10;

/// The grammars of the files, in their order; `None` for those that have none.
#[derive(Debug, Clone, Default)]
pub struct Grammars(Vec<Option<NamedGrammar>>);

impl Grammars {
    /// The grammar that the user gave for each file that it parses; without one, the most specific
    /// built-in grammar.
    ///
    /// # Errors
    /// When the user's grammar cannot be read, or parses no file.
    pub fn of(job: &ScriptJob<'_>, sources: &Sources) -> Result<Self> {
        let given = job.config.texts.read_grammar()?;
        let parses = |named: &NamedGrammar, text: &str| Parser::new(&named.grammar).accepts(text);
        let of_file = |file: &SourceFile| match &given {
            Some(given) => Some(given.clone()).filter(|given| parses(given, &file.text)),
            // The passes know more of Rust than any grammar here.
            None if file.text.len() > GUESSED_BYTES || file.is_rust() => None,
            None => Some(NamedGrammar::of_text(&file.text))
                .filter(|found| !FLAT.contains(&found.name.as_str())),
        };
        let grammars: Vec<Option<NamedGrammar>> = sources.files.iter().map(of_file).collect();
        match given {
            Some(given) if grammars.iter().all(Option::is_none) => Err(Failure::error(format!(
                "the grammar `{}` parses none of the files",
                given.name
            ))
            .hint(
                "leave out `--grammar` to use the most specific built-in grammar that parses a file",
            )),
            _ => Ok(Grammars(grammars)),
        }
    }

    /// Reduces each file that has a grammar.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn reduce(
        &self,
        problem: &mut Problem<'_, Sources>,
        strategy: Strategy,
    ) -> Result<(), Stop> {
        for (place, named) in self.0.iter().enumerate() {
            let Some(named) = named else { continue };
            let base = problem.best().clone();
            let parsed = Parser::new(&named.grammar).parse(&base.files[place].text);
            let Ok(mut tree) = parsed else { continue };
            let make =
                |tree: &Tree| {
                    base.rewrite(|file, text| {
                        if file == place { tree.text().to_owned() } else { text.to_owned() }
                    })
                };
            reduce(problem, &mut tree, &named.grammar, strategy, make)?;
        }
        Ok(())
    }
}
