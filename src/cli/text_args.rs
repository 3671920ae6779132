//! The options for texts: how they are reduced, and the pattern behind them.

use std::num::NonZeroUsize;

use anyhow::anyhow;
use camino::{Utf8Path, Utf8PathBuf};
use clap::Args;

use super::args::REDUCE;
use crate::app::config::{
    GrammarSource, PatternConfig, PropertyFramework, TextConfig, TextStrategy,
};
use crate::grammar::Notation;

/// Texts, grammars and patterns.
#[derive(Debug, Args)]
#[command(next_help_heading = "Texts and patterns")]
pub struct GeneralizeArgs {
    /// Also find which other texts fail: a pattern
    ///
    /// The pattern has placeholders for parts of the text that may be others.
    #[arg(long, help_heading = REDUCE, conflicts_with_all = ["maximize", "diff", "list"])]
    pub generalize: bool,
    /// Grammar of the texts: a built-in one, or a file (.ebnf, .bnf or .json)
    ///
    /// Without it --generalize takes the most specific built-in grammar that parses the text.
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["maximize", "diff"])]
    pub grammar: Option<String>,
    /// How texts are reduced [default: auto with --generalize or --grammar, else chars]
    #[arg(long, value_name = "STRATEGY", conflicts_with_all = ["maximize", "diff"])]
    pub strategy: Option<TextStrategy>,
    /// Instances that must fail before a part of the pattern is left open [default: 299, fewer for a slow test]
    #[arg(long, value_name = "N", requires = "generalize")]
    pub tries: Option<NonZeroUsize>,
    /// Run and show N instances of the pattern; those that pass narrow it
    #[arg(long, value_name = "N", requires = "generalize")]
    pub fuzz: Option<NonZeroUsize>,
    /// Look for no pattern, but run texts that fulfil FORMULA
    ///
    /// A formula is made of patterns in quotes, which a text contains anywhere, with `&`, `|`, `!` and parentheses.
    #[arg(long, value_name = "FORMULA", requires_all = ["generalize", "grammar"])]
    pub pattern: Option<String>,
    /// Write the grammar of all texts that contain what causes the failure (.json, .ebnf or .pest)
    #[arg(long, value_name = "FILE", requires = "generalize")]
    pub emit_grammar: Option<Utf8PathBuf>,
    /// Add a property test of the pattern to the regression test, for projects that use proptest
    #[arg(long, value_name = "FRAMEWORK", requires = "generalize")]
    pub property: Option<PropertyFramework>,
    /// Where random instances start from
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
