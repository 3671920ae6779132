//! The calls of macros in a file, and what stands there instead.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Item, Macro, MacroDelimiter, Stmt};

use super::transcribe::transcribed;
use crate::reduce::keep_outermost;
use crate::rust::names::last_word;
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Sources, Tree};
use crate::source::macro_rules::Definition;

/// So often calls in what calls have become are expanded.
const ROUNDS: usize = 16;
/// Sources with more tokens are not expanded on: a macro may call itself for ever.
const MOST_TOKENS: usize = 200_000;

/// A call: what it takes up, and what it stands for.
pub struct Made<'t> {
    /// The bytes of the call, with its semicolon where that is part of it.
    pub range: Range<usize>,
    text: Patchwork<'t>,
}

impl Made<'_> {
    /// Puts the text in place of the call.
    pub fn instead(self, reduction: Reduction) -> Reduction {
        self.text.instead_of(self.range, reduction)
    }
}

/// Where calls stand in a file.
pub struct Calls<'t> {
    tree: &'t Tree<'t>,
    /// The calls by the name of their macro.
    by_name: HashMap<String, Vec<Call<'t>>>,
}

/// A call, what it takes up, and what has to stand around its text.
type Call<'t> = (&'t Macro, Range<usize>, Around);

/// What a call is in the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Items.
    Items,
    /// Statements, followed by a semicolon.
    Statements,
    /// An expression, a type or a pattern.
    Part,
}

impl<'t> Calls<'t> {
    /// The calls of a file.
    pub fn of(tree: &'t Tree<'t>) -> Self {
        let mut known: HashMap<usize, (Range<usize>, Around)> = HashMap::new();
        for item in tree.items() {
            if let Item::Macro(item) = item {
                let start = tree.range(&item.mac).start;
                known.insert(start, (tree.range(item), Around::Items));
            }
        }
        for statement in tree.statements() {
            if let Stmt::Macro(statement) = statement
                && statement.semi_token.is_some()
            {
                let start = tree.range(&statement.mac).start;
                known.insert(start, (tree.range(statement), Around::Statements));
            }
        }
        let mut by_name: HashMap<String, Vec<_>> = HashMap::new();
        for call in tree.macros() {
            let Some(name) = last_word(&call.path) else { continue };
            let range = tree.range(call);
            let (range, around) = match known.remove(&range.start) {
                Some(whole) => whole,
                None => (range, Around::Part),
            };
            let same = by_name.entry(name.to_string()).or_default();
            same.push((call, range, around));
        }
        Calls { tree, by_name }
    }

    /// Each call of `definition`, as far as it can be expanded.
    pub fn expanded(&self, definition: &Definition) -> Vec<Option<Made<'t>>> {
        let named = self.by_name.get(&definition.name).into_iter().flatten();
        named
            .map(|(call, range, around)| {
                let text = transcribed(self.tree, call, definition)?;
                Some(placed(text, range.clone(), *around, call))
            })
            .collect()
    }
}

/// The macros that a file defines, and where.
pub fn definitions<'t>(tree: &'t Tree<'_>) -> Vec<(Definition, &'t syn::ItemMacro)> {
    let read = tree.items().filter_map(|item| match item {
        Item::Macro(item) => Some((Definition::of(item)?, item)),
        _ => None,
    });
    read.collect()
}

/// The text of a call in its place, with what has to stand around it there.
fn placed<'t>(
    mut text: Patchwork<'t>,
    range: Range<usize>,
    around: Around,
    call: &Macro,
) -> Made<'t> {
    let is_block = matches!(call.delimiter, MacroDelimiter::Brace(_));
    let made = text.text().trim();
    let (before, after) = match around {
        Around::Items => ("", ""),
        Around::Statements => ("", ";"),
        Around::Part if made.starts_with('{') && made.ends_with('}') => ("", ""),
        // The value of a block at its end, or an operand.
        Around::Part if is_block => ("{ ", "}"),
        Around::Part => ("(", ")"),
    };
    text.push_front(before);
    text.push(after);
    Made { range, text }
}

/// The sources with all calls of the macros that they define expanded, and those in the texts that this
/// makes, as far as that is understood. The definitions stay.
pub fn expanded(sources: &Sources) -> Sources {
    let mut sources = sources.clone();
    let mut known: Vec<Definition> = Vec::new();
    let look = |_, tree: &Tree<'_>| {
        known.extend(definitions(tree).into_iter().map(|(definition, _)| definition));
    };
    Tree::each(&sources, look).for_each(drop);
    for _ in 0..ROUNDS {
        let edits: Vec<(usize, Reduction)> =
            Tree::each(&sources, |_, tree| outermost(tree, &known))
                .flat_map(|(file, all)| all.into_iter().map(move |edit| (file, edit)))
                .collect();
        if edits.is_empty() || sources.tokens() > MOST_TOKENS {
            break;
        }
        sources = sources.edit_all(&edits);
    }
    sources
}

/// What takes the place of the calls of these macros that stand in no other one.
fn outermost(tree: &Tree<'_>, known: &[Definition]) -> Vec<Reduction> {
    let calls = Calls::of(tree);
    let mut made: Vec<Made<'_>> =
        known.iter().flat_map(|definition| calls.expanded(definition)).flatten().collect();
    keep_outermost(&mut made, |made| &made.range);
    made.into_iter().map(|made| made.instead(Reduction::default())).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_expanded_holds() {
        use crate::rust::expanded;
        use crate::rust::testing::sources_of;

        let text = "macro_rules! twice { ($e:expr) => { $e + $e } }\nfn f() -> u8 { twice!(1) }\n";
        let after = expanded(&sources_of(text));
        assert!(after.files[0].text.contains("{ (1 + 1 ) }"));
    }
}
