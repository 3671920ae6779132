//! What is wanted of texts: how they are reduced, and the pattern behind them.

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};

use crate::grammar::{BUILTINS, Builtin, Notation};
use crate::reduce::tree::Strategy;

/// How texts are reduced, and whether their pattern is wanted.
#[derive(Debug, Clone)]
pub struct TextConfig {
    /// How they are reduced.
    pub strategy: TextStrategy,
    /// The grammar that the user gave.
    pub grammar: Option<GrammarSource>,
    /// What is wanted of the pattern, if it is.
    pub pattern: Option<PatternConfig>,
}

/// What is wanted of the pattern.
#[derive(Debug, Clone)]
pub struct PatternConfig {
    /// Instances that must fail before a part is left open; `None` for as many as are worth their time.
    pub tries: Option<usize>,
    /// What the texts that are run must contain, in place of a pattern that is looked for.
    pub formula: Option<String>,
    /// Instances to show.
    pub fuzz: Option<usize>,
    /// Where the evocative grammar goes, and its notation.
    pub emit: Option<(Utf8PathBuf, Notation)>,
    /// Whether a property test is wanted, and for what.
    pub property: Option<PropertyFramework>,
    /// Seed of the random texts.
    pub seed: u64,
}

impl PatternConfig {
    /// Whether counterexamples narrow the pattern: unless the user has chosen how sure it must be.
    pub fn narrows(&self) -> bool {
        self.tries.is_none() || self.fuzz.is_some()
    }
}

/// How texts are reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextStrategy {
    /// By the derivation tree, level by level.
    Hdd,
    /// By the derivation tree, node by node.
    Perses,
    /// By the choices that produce the derivation tree.
    Choices,
    /// By brackets, lines, words and characters.
    Chars,
    /// By the derivation tree, then by characters.
    Auto,
}

impl TextStrategy {
    /// How derivation trees are reduced, if they are.
    pub fn on_trees(self) -> Option<Strategy> {
        match self {
            TextStrategy::Hdd => Some(Strategy::Hdd),
            TextStrategy::Perses => Some(Strategy::Perses),
            TextStrategy::Choices => Some(Strategy::Choices),
            TextStrategy::Chars => None,
            TextStrategy::Auto => Some(Strategy::All),
        }
    }

    /// Whether characters are removed too.
    pub fn by_characters(self) -> bool {
        matches!(self, TextStrategy::Chars | TextStrategy::Auto)
    }
}

/// Where the user's grammar comes from.
#[derive(Debug, Clone)]
pub enum GrammarSource {
    /// It comes with the tool.
    Builtin(&'static Builtin),
    /// It stands in a file.
    File(Utf8PathBuf, Notation),
}

impl GrammarSource {
    /// What `given` means: the name of a built-in grammar, or a file.
    ///
    /// # Errors
    /// When it is neither a known name nor a file in a known notation.
    pub fn new(given: &str, cwd: &Utf8Path) -> anyhow::Result<Self> {
        if let Some(builtin) = BUILTINS.iter().find(|builtin| builtin.name == given) {
            return Ok(GrammarSource::Builtin(builtin));
        }
        let path = Utf8Path::new(given);
        if path.extension().is_none() && !cwd.join(path).exists() {
            let names: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
            let names = names.join(", ");
            return Err(anyhow!(
                "--grammar: `{given}` is neither a file nor a built-in grammar; the built-in ones are {names}"
            ));
        }
        match path.extension().and_then(Notation::of_extension) {
            Some(notation) if notation != Notation::Pest => {
                Ok(GrammarSource::File(cwd.join(path), notation))
            }
            _ => {
                Err(anyhow!("--grammar `{given}`: the file name must end in .json, .ebnf or .bnf"))
            }
        }
    }
}

/// What runs property tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyFramework {
    /// The crate `proptest`.
    Proptest,
}
