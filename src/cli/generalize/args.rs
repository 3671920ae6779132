//! The options for texts: how they are reduced, and the pattern behind them.

use std::num::NonZeroUsize;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, ValueEnum};

use super::grammars::{GrammarSource, NamedGrammar};
use crate::cli::failure::Failure;
use crate::grammar::Notation;
use crate::reduce::tree::Strategy;

/// Texts, grammars and patterns.
#[derive(Debug, Args)]
#[command(next_help_heading = "Texts and patterns")]
pub struct GeneralizeArgs {
    /// Then find the pattern of inputs that fail in the same way: a text with placeholders
    #[arg(long, conflicts_with_all = ["maximize", "diff", "list"])]
    pub generalize: bool,
    /// Grammar of the texts: a built-in one, or a file (.ebnf, .bnf or .json) [default: the most
    /// specific built-in grammar that parses the text]
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["maximize", "diff"])]
    pub grammar: Option<String>,
    /// How texts are reduced [default: auto with --generalize or --grammar, else chars]
    #[arg(long, value_name = "STRATEGY", conflicts_with_all = ["maximize", "diff"])]
    pub strategy: Option<StrategyArg>,
    /// Instances that must fail before a part of the pattern is left open [default: 299, fewer when
    /// the test is slow]
    #[arg(long, value_name = "N", requires = "generalize")]
    pub tries: Option<NonZeroUsize>,
    /// Run and show N instances of the pattern; those that pass narrow it
    #[arg(long, value_name = "N", requires = "generalize")]
    pub fuzz: Option<NonZeroUsize>,
    /// Look for no pattern, but run texts that fulfil FORMULA: patterns in quotes that they contain, combined
    /// with `&`, `|`, `!` and parentheses
    #[arg(long, value_name = "FORMULA", requires_all = ["generalize", "grammar"])]
    pub pattern: Option<String>,
    /// Write the grammar of all texts that contain what causes the failure (.json, .ebnf or .pest)
    #[arg(long, value_name = "FILE", requires = "generalize")]
    pub emit_grammar: Option<Utf8PathBuf>,
    /// Add a property test of the pattern to the regression test, for projects that use proptest
    #[arg(long, value_name = "FRAMEWORK", requires = "generalize")]
    pub property: Option<PropertyArg>,
    /// Where random instances start from
    #[arg(long, value_name = "N", default_value_t = 0, requires = "generalize")]
    pub seed: u64,
}

/// What runs property tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PropertyArg {
    /// The crate `proptest`
    Proptest,
}

/// How texts are reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyArg {
    /// By their derivation tree, level by level
    Hdd,
    /// By their derivation tree, node by node
    Perses,
    /// By the choices that lead to their derivation tree
    Choices,
    /// By characters, words, lines and brackets
    Chars,
    /// By their derivation tree, then by characters
    Auto,
}

impl StrategyArg {
    /// How derivation trees are reduced, if they are.
    #[must_use]
    pub fn on_trees(self) -> Option<Strategy> {
        match self {
            StrategyArg::Hdd => Some(Strategy::Hdd),
            StrategyArg::Perses => Some(Strategy::Perses),
            StrategyArg::Choices => Some(Strategy::Choices),
            StrategyArg::Chars => None,
            StrategyArg::Auto => Some(Strategy::All),
        }
    }

    /// Whether characters are removed too.
    #[must_use]
    pub fn by_characters(self) -> bool {
        matches!(self, StrategyArg::Chars | StrategyArg::Auto)
    }
}

/// How texts are reduced, and whether their pattern is wanted.
#[derive(Debug, Clone)]
pub struct TextConfig {
    /// How they are reduced.
    pub strategy: StrategyArg,
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
    pub property: Option<PropertyArg>,
    /// Where random instances start from.
    pub seed: u64,
}

impl PatternConfig {
    /// Whether counterexamples narrow the pattern: unless the user has chosen how sure it must be.
    #[must_use]
    pub fn narrows(&self) -> bool {
        self.tries.is_none() || self.fuzz.is_some()
    }
}

impl TextConfig {
    /// Checks what clap has read.
    ///
    /// # Errors
    /// When a grammar is not known, or a file's notation.
    pub fn new(args: &GeneralizeArgs, cwd: &Utf8Path) -> anyhow::Result<Self> {
        let on_trees = args.generalize || args.grammar.is_some();
        let default = if on_trees {
            StrategyArg::Auto
        } else {
            StrategyArg::Chars
        };
        let grammar = args
            .grammar
            .as_deref()
            .map(|given| GrammarSource::new(given, cwd))
            .transpose()?;
        let emit = args.emit_grammar.as_deref().map(|file| emit(file, cwd));
        Ok(TextConfig {
            strategy: args.strategy.unwrap_or(default),
            grammar,
            pattern: args.generalize.then_some(PatternConfig {
                tries: args.tries.map(NonZeroUsize::get),
                formula: args.pattern.clone(),
                fuzz: args.fuzz.map(NonZeroUsize::get),
                emit: emit.transpose()?,
                property: args.property,
                seed: args.seed,
            }),
        })
    }
}

impl TextConfig {
    /// The grammar that the user gave.
    ///
    /// # Errors
    /// When its file cannot be read or holds no grammar.
    pub fn read_grammar(&self) -> Result<Option<NamedGrammar>, Failure> {
        self.grammar.as_ref().map(NamedGrammar::read).transpose()
    }
}

fn emit(file: &Utf8Path, cwd: &Utf8Path) -> anyhow::Result<(Utf8PathBuf, Notation)> {
    let notation = file.extension().and_then(Notation::of_extension);
    let notation = notation.ok_or_else(|| {
        anyhow!("--emit-grammar `{file}`: the name must end in .json, .ebnf or .pest")
    })?;
    Ok((cwd.join(file), notation))
}
