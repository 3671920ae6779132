//! The `$x:literal` in the definitions of macros: they accept no call in the place of a literal.

use std::ops::Range;

use syn::visit::Visit;

use super::rules::{Definition, Pattern};
use crate::source::exprs::item_macros;
use crate::source::parse::{look_at_file, range};
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
        let mut found = Vec::new();
        for file in self.file_indices() {
            let text = &self.file(file).text;
            if !text.contains("macro_rules!") {
                continue;
            }
            look_at_file(text, |tree, base| {
                let macros = item_macros(|it| it.visit_file(&tree)).into_iter();
                let definitions = macros.filter_map(Definition::of).filter(|it| it.name == name);
                for arm in definitions.flat_map(|it| it.arms) {
                    add_fragments(&arm.pattern, (file, base), &mut found);
                }
            });
        }
        found
    }
}

/// Adds the fragments `literal` among patterns in a file, whose spans are counted from a byte.
fn add_fragments(
    patterns: &[Pattern],
    place: (FileIndex, usize),
    found: &mut Vec<LiteralFragment>,
) {
    // What may follow an expression: `,`, `;` and `=>`.
    let ends_expr = |next: &Pattern| matches!(next, Pattern::Token(it) if [',', ';', '='].iter().any(|end| is_char(it, *end)));
    let (file, base) = place;
    for (at, pattern) in patterns.iter().enumerate() {
        match pattern {
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => {
                add_fragments(inner, place, found);
            }
            Pattern::Fragment { kind, .. } if kind == "literal" => {
                let is_wide = patterns.get(at + 1).is_none_or(ends_expr);
                let wider = if is_wide { "expr" } else { "tt" };
                found.push(LiteralFragment { file, word: range(kind.span(), base), wider });
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
