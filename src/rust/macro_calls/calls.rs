//! The calls of macros in a file, and what stands there instead.

use std::collections::HashMap;
use std::ops::Range;

use syn::{ImplItem, Item, Macro, MacroDelimiter, Stmt, TraitItem};

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
        let items = tree.items().filter_map(|item| match item {
            Item::Macro(item) => Some((&item.mac, tree.range(item))),
            _ => None,
        });
        let in_impls = tree.impl_items().filter_map(|item| match item {
            ImplItem::Macro(item) => Some((&item.mac, tree.range(item))),
            _ => None,
        });
        let in_traits = tree.trait_items().filter_map(|item| match item {
            TraitItem::Macro(item) => Some((&item.mac, tree.range(item))),
            _ => None,
        });
        for (call, range) in items.chain(in_impls).chain(in_traits) {
            known.insert(tree.range(call).start, (range, Around::Items));
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
        self.expanded_from("crate", definition, MacroCalls::All)
    }

    /// The same of some of them, where `krate` is the path to the crate that defines it.
    fn expanded_from(
        &self,
        krate: &str,
        definition: &Definition,
        which: MacroCalls,
    ) -> Vec<Option<Made<'t>>> {
        let named = self.by_name.get(&definition.name).into_iter().flatten();
        let named =
            named.filter(|(.., around)| which == MacroCalls::All || *around == Around::Items);
        named
            .map(|(call, range, around)| {
                let text = transcribed(self.tree, call, definition, krate)?;
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

/// Which calls of macros are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MacroCalls {
    /// All.
    All,
    /// Those that make items, or members of these: whether one of them is needed nobody sees before.
    OfItems,
}

/// The sources with calls of the macros that they define expanded, and those in the texts that this makes, as far as that is
/// understood; `crate_of` a file is the name of its crate. The definitions stay.
pub fn expanded(
    sources: &Sources,
    which: MacroCalls,
    crate_of: &dyn Fn(usize) -> Option<String>,
) -> Sources {
    let mut sources = sources.clone();
    let mut known: Vec<Known> = Vec::new();
    let look = |file, tree: &Tree<'_>| {
        let all = definitions(tree).into_iter();
        known.extend(all.map(|(definition, _)| Known { krate: crate_of(file), definition }));
    };
    Tree::each(&sources, look).for_each(drop);
    for _ in 0..ROUNDS {
        let outermost =
            |file, tree: &Tree<'_>| outermost(tree, &known, crate_of(file).as_deref(), which);
        let edits: Vec<(usize, Reduction)> = Tree::each(&sources, outermost)
            .flat_map(|(file, all)| all.into_iter().map(move |edit| (file, edit)))
            .collect();
        if edits.is_empty() || sources.tokens() > MOST_TOKENS {
            break;
        }
        sources = sources.edit_all(&edits);
    }
    sources
}

/// A macro, with the name of its crate if that is known.
struct Known {
    krate: Option<String>,
    definition: Definition,
}

/// What takes the place of the calls of these macros that stand in no other one, in a file of the crate `here`.
fn outermost(
    tree: &Tree<'_>,
    known: &[Known],
    here: Option<&str>,
    which: MacroCalls,
) -> Vec<Reduction> {
    let calls = Calls::of(tree);
    let mut made: Vec<Made<'_>> = Vec::new();
    for Known { krate, definition } in known {
        let is_own = krate.as_deref() == here;
        let named = known.iter().filter(|it| it.definition.name == definition.name);
        // Which of several is meant, modules and imports say.
        let alike = named.filter(|it| !is_own || it.krate.as_deref() == here).count();
        let path = match krate {
            _ if is_own => "crate".to_owned(),
            Some(krate) => format!("::{krate}"),
            None => continue,
        };
        if alike == 1 {
            made.extend(calls.expanded_from(&path, definition, which).into_iter().flatten());
        }
    }
    keep_outermost(&mut made, |made| &made.range);
    made.into_iter().map(|made| made.instead(Reduction::default())).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_expanded_holds() {
        use crate::rust::testing::sources_of;
        use crate::rust::{MacroCalls, expanded};

        let text = "macro_rules! twice { ($e:expr) => { $e + $e } }\nfn f() -> u8 { twice!(1) }\n";
        let after = expanded(&sources_of(text), MacroCalls::All, &|_| None);
        assert!(after.files[0].text.contains("{ (1 + 1 ) }"));
    }
}
