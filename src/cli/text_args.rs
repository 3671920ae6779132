//! The options for texts: how they are reduced, and the pattern behind them.

use std::num::NonZeroUsize;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;

use super::values::REDUCE;
use crate::app::config::{
    GrammarSource, PatternConfig, PropertyFramework, TextConfig, TextStrategy,
};
use crate::grammar::Notation;

/// Texts, grammars and patterns.
#[derive(Debug, Args)]
#[command(next_help_heading = "Texts and patterns")]
pub struct GeneralizeArgs {
    /// Also find a pattern of the texts that fail
    ///
    /// The pattern shows which parts of the text can be replaced by others, and the test still fails.
    #[arg(long, help_heading = REDUCE, conflicts_with_all = ["maximize", "diff", "list"])]
    pub generalize: bool,
    /// Grammar of the texts: the name of a built-in one, or a file (.ebnf, .bnf or .json)
    ///
    /// By default, --generalize uses the most specific built-in grammar that parses the text.
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["maximize", "diff"])]
    pub grammar: Option<String>,
    /// How texts are reduced [default: auto with --generalize or --grammar, else chars]
    #[arg(long, value_name = "STRATEGY", conflicts_with_all = ["maximize", "diff"])]
    pub strategy: Option<TextStrategy>,
    /// How many random texts must fail before a part of the pattern is left open [default: 299, fewer for a slow test]
    #[arg(long, value_name = "N", requires = "generalize")]
    pub tries: Option<NonZeroUsize>,
    /// Run and show N texts of the pattern; if some pass, the pattern is narrowed
    #[arg(long, value_name = "N", requires = "generalize")]
    pub fuzz: Option<NonZeroUsize>,
    /// Instead of looking for a pattern, run texts that match FORMULA
    ///
    /// FORMULA combines patterns in quotes by `&`, `|`, `!` and parentheses. A text matches a pattern if it contains it
    /// anywhere.
    #[arg(long, value_name = "FORMULA", requires_all = ["generalize", "grammar"])]
    pub pattern: Option<String>,
    /// Write a grammar of all texts that contain the cause of the failure (.json, .ebnf or .pest)
    #[arg(long, value_name = "FILE", requires = "generalize")]
    pub emit_grammar: Option<Utf8PathBuf>,
    /// Also write a property test of the pattern, for packages that use proptest
    #[arg(long, value_name = "FRAMEWORK", requires = "generalize")]
    pub property: Option<PropertyFramework>,
    /// Seed of the random texts
    #[arg(long, value_name = "N", default_value_t = 0, requires = "generalize")]
    pub seed: u64,
}

impl TextConfig {
    /// Checks what clap has read.
    ///
    /// # Errors
    /// When a grammar is not known, or a file's notation.
    pub fn new(args: &GeneralizeArgs, cwd: &Utf8Path) -> anyhow::Result<Self> {
        let on_trees = args.generalize || args.grammar.is_some();
        let default = if on_trees { TextStrategy::Auto } else { TextStrategy::Chars };
        let grammar =
            args.grammar.as_deref().map(|given| GrammarSource::new(given, cwd)).transpose()?;
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

fn emit(file: &Utf8Path, cwd: &Utf8Path) -> anyhow::Result<(Utf8PathBuf, Notation)> {
    let notation = file.extension().and_then(Notation::of_extension);
    let notation = notation.ok_or_else(|| {
        anyhow!("--emit-grammar `{file}`: the name must end in .json, .ebnf or .pest")
    })?;
    Ok((cwd.join(file), notation))
}
