//! The `$x:literal` in the definitions of macros: they accept no call in the place of a literal.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

use super::rules::{Pattern, arms};
use crate::reduce::RangeExt;
use crate::source::item::{Item, ItemKind};
use crate::source::parse::{look_at_tokens, range};
use crate::source::{Crate, FileIndex, is_char};

/// A fragment `literal` in a matcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiteralFragment {
    /// The file of the definition.
    pub file: FileIndex,
    /// The bytes of the word `literal`.
    pub word: Range<usize>,
    /// The fragment that accepts the most and may stand there: `expr`, or `tt` where the rules for what
    /// follows an expression forbid it.
    pub wider: &'static str,
}

impl Crate {
    /// The fragments `literal` in the crate's definitions of the macro `name`, those inside functions
    /// too.
    pub fn literal_fragments(&self, name: &str) -> Vec<LiteralFragment> {
        let may_define = |item: &&Item| {
            matches!(item.kind, ItemKind::MacroRules | ItemKind::Fn | ItemKind::Method)
                && self.text_of(item).contains("macro_rules!")
        };
        self.items
            .iter()
            .filter(may_define)
            .flat_map(|item| self.fragments_in(item, name))
            .collect()
    }

    fn fragments_in(&self, item: &Item, name: &str) -> Vec<LiteralFragment> {
        let text = self.text_of(item);
        let mut words = Vec::new();
        look_at_tokens(text, |tokens| definitions(tokens, name, &mut words));
        let base = item.span.start;
        let fragment = |(word, wider): (Range<usize>, &'static str)| LiteralFragment {
            file: item.file,
            word: word.offset_by(base),
            wider,
        };
        words.into_iter().map(fragment).collect()
    }
}

/// The fragments in the definitions of that macro among the tokens.
fn definitions(tokens: TokenStream, name: &str, words: &mut Vec<(Range<usize>, &'static str)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        match &tokens[..index] {
            [.., TokenTree::Ident(word), bang, TokenTree::Ident(defined)]
                if *word == "macro_rules" && is_char(bang, '!') =>
            {
                if *defined == name {
                    for arm in arms(group.stream()).unwrap_or_default() {
                        fragments(&arm.pattern, words);
                    }
                }
            }
            _ => definitions(group.stream(), name, words),
        }
    }
}

fn fragments(patterns: &[Pattern], words: &mut Vec<(Range<usize>, &'static str)>) {
    // What may follow an expression: `,`, `;` and `=>`.
    let ends_expr = |next: &Pattern| matches!(next, Pattern::Token(it) if [',', ';', '='].iter().any(|end| is_char(it, *end)));
    for (at, pattern) in patterns.iter().enumerate() {
        match pattern {
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => fragments(inner, words),
            Pattern::Fragment { kind, .. } if kind == "literal" => {
                let is_wide = patterns.get(at + 1).is_none_or(ends_expr);
                words.push((range(kind.span(), 0), if is_wide { "expr" } else { "tt" }));
            }
            Pattern::Fragment { .. } | Pattern::Token(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::tests::krate;

    #[test]
    fn a_fragment_is_widened_as_far_as_what_follows_allows() {
        let source = "macro_rules! m { ($a:literal => $b:literal, $($c:literal $d:expr);*) => { $a:literal } }\n\
                      macro_rules! n { ($a:literal) => { $a } }\n\
                      fn f() { macro_rules! m { ($e:literal) => { $e } } }";
        let fragments = krate(&[("src/lib.rs", source)]).literal_fragments("m");
        let found: Vec<_> = fragments
            .iter()
            .map(|it| (&source[it.word.start - 3..it.word.end], it.wider))
            .collect();
        assert_eq!(
            found,
            [
                ("$a:literal", "expr"),
                ("$b:literal", "expr"),
                ("$c:literal", "tt"),
                ("$e:literal", "expr")
            ]
        );
    }
}
