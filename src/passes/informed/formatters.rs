//! Implementations that make a text of a value.
//!
//! The message of a failure shows values as `Debug` or `Display` made texts of them. An implementation
//! that is written by hand can write such a text as it is, and all that was only there to have a value
//! that looks like it is no longer needed. That the message is the same is seen when it is run.

use std::cmp::Reverse;

use quote::ToTokens;
use syn::{ImplItem, ImplItemFn, Item};

use crate::rust::{Reduction, Sources, Tree};
use crate::source::{flat, typed, variable};

/// The traits whose implementations write to a formatter.
const TRAITS: [&str; 4] = ["Debug", "Display", "LowerHex", "UpperHex"];
/// A body that has no more tokens, brackets aside, may be one that writes a text already.
const LEAST_TOKENS: usize = 4;
/// Longer texts are no gain.
const LONGEST: usize = 1 << 12;

/// For each body of such an implementation the edits that let it write one of the texts in `shown`, each
/// with the place of its file; the largest bodies first.
pub(crate) fn writing(sources: &Sources, shown: &[String]) -> Vec<(usize, Vec<Reduction>)> {
    let found = Tree::each(sources, |_, tree| in_tree(tree, shown));
    let mut edits: Vec<(usize, Vec<Reduction>)> = found
        .flat_map(|(file, found)| found.into_iter().map(move |edit| (file, vec![edit])))
        .collect();
    edits.sort_by_key(|(_, ways)| Reverse(ways.iter().map(Reduction::weight).sum::<usize>()));
    edits
}

fn in_tree(tree: &Tree<'_>, shown: &[String]) -> Vec<Reduction> {
    let texts = shown.iter().filter(|text| text.len() <= LONGEST);
    let texts: Vec<&String> = texts.collect();
    let items = tree.items();
    let functions = items.filter_map(formatting);
    functions
        .filter(|function| flat(function.block.to_token_stream()).count() > LEAST_TOKENS)
        .filter_map(|function| Some((function, formatter(function)?)))
        .flat_map(|(function, formatter)| {
            let body = tree.range(&function.block);
            let write = |text: &&String| format!("{{ {formatter}.write_str({text:?}) }}");
            let written: Vec<String> = texts.iter().map(write).collect();
            written.into_iter().map(move |text| Reduction::replace(body.clone(), text))
        })
        .collect()
}

/// The method of an implementation of one of the traits.
fn formatting(item: &Item) -> Option<&ImplItemFn> {
    let Item::Impl(block) = item else { return None };
    let (implemented, _) = block.trait_.as_ref()?;
    let name = &implemented.segments.last()?.ident;
    if !TRAITS.iter().any(|known| name == known) {
        return None;
    }
    block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == "fmt" => Some(function),
        _ => None,
    })
}

/// What a method calls what it writes to.
fn formatter(function: &ImplItemFn) -> Option<String> {
    variable(&typed(function.sig.inputs.last()?)?.pat).map(|it| it.ident.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    #[test]
    fn a_text_that_is_shown_is_written_as_it_is() {
        let text = "impl fmt::Debug for S { fn fmt(&self, f: &mut F) -> R { write!(f, \"{}-{}\", self.0, self.1) } } \
                    impl Clone for S { fn clone(&self) -> S { S(self.0, self.1, self.2, self.3) } } \
                    impl Display for T { fn fmt(&self, f: &mut F) -> R { f.pad(\"x\") } }";
        let sources = sources_of(text);
        let shown = ["1-\"2\"\n".to_owned(), "x".repeat(LONGEST + 1)];
        let edits = writing(&sources, &shown);
        let results: Vec<String> = edits
            .iter()
            .map(|(file, ways)| sources.edit([(*file, &ways[0])]).files[0].text.to_string())
            .collect();
        let body = "write!(f, \"{}-{}\", self.0, self.1)";
        assert_eq!(results, [text.replace(body, "f.write_str(\"1-\\\"2\\\"\\n\")")]);
    }
}
