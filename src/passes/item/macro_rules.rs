//! Macros: definitions and calls.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::is_char;
use crate::source::macro_rules::repetition;

/// Removes rules of `macro_rules!` and arguments of calls, and swaps a call for what is inside.
pub(crate) const PASS: Pass = Pass {
    name: "macro-rules",
    about: "remove rules and arguments of macros, swap macro calls for their contents",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "macro_rules! m { (a) => {}; (b) => {} }",
    after: "macro_rules! m { (b) => {} }",
    propose,
};

/// So many neighbouring parts are taken out at once: what belongs together may have separators inside.
const MOST_PARTS: usize = 4;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for call in tree.macros() {
        for is_end in ENDS {
            remove_parts(tree, &call.tokens, is_end, &mut reductions);
        }
    }
    for item in tree.items() {
        let Item::Macro(item) = item else { continue };
        if item.ident.is_none() && !item.mac.tokens.is_empty() {
            let inside = tree.range(&item.mac.tokens);
            reductions.push(Reduction::keep(tree.range(item), inside));
        }
    }
    for block in tree.macros() {
        repetitions(tree, &block.tokens, &mut reductions);
        nested(tree, block.tokens.clone(), &mut reductions);
    }
    reductions
}

/// What ends a part: a semicolon, a comma, or a block.
const ENDS: [fn(&TokenTree) -> bool; 3] = [
    |token| is_char(token, ';'),
    |token| is_char(token, ','),
    |token| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
];

/// Removes the parts of tokens, each with its end, and a few neighbours together.
fn remove_parts(
    tree: &Tree<'_>,
    tokens: &TokenStream,
    is_end: fn(&TokenTree) -> bool,
    reductions: &mut Vec<Reduction>,
) {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    let mut end = 0;
    for token in tokens.clone() {
        let place = tree.span(token.span());
        let from = *start.get_or_insert(place.start);
        end = place.end;
        if is_end(&token) {
            parts.push(from..end);
            start = None;
        }
    }
    match start {
        Some(start) if !parts.is_empty() => parts.push(start..end),
        _ => {}
    }
    for count in 1..=MOST_PARTS {
        let runs = parts.windows(count);
        let runs = runs.map(|run| run[0].start..run[count - 1].end);
        reductions.extend(runs.map(Reduction::remove));
    }
}

/// Removes repetitions, `$(…),*`, or keeps what is inside once.
fn repetitions(tree: &Tree<'_>, tokens: &TokenStream, reductions: &mut Vec<Reduction>) {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for (place, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let before = place.checked_sub(1).map(|before| &tokens[before]);
        if let Some(dollar) = before.filter(|token| is_char(token, '$'))
            && let Some((_, _, rest)) = repetition(&tokens[place + 1..])
        {
            let last = &tokens[tokens.len() - rest.len() - 1];
            let whole = tree.span(dollar.span()).start..tree.span(last.span()).end;
            let inside = tree.inside(&group.delim_span());
            reductions.push(Reduction::remove(whole.clone()));
            reductions.push(Reduction::keep(whole, inside));
        }
        repetitions(tree, &group.stream(), reductions);
    }
}

/// Parts inside the brackets of a macro, which may hold statements or items.
fn nested(tree: &Tree<'_>, tokens: TokenStream, reductions: &mut Vec<Reduction>) {
    for token in tokens {
        let TokenTree::Group(group) = token else { continue };
        for is_end in ENDS {
            remove_parts(tree, &group.stream(), is_end, reductions);
        }
        if !group.stream().is_empty() {
            reductions.push(Reduction::remove(tree.inside(&group.delim_span())));
        }
        nested(tree, group.stream(), reductions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing;

    fn results(text: &str) -> Vec<String> {
        let results = testing::results(propose, text);
        let dense = |text: &String| text.split_whitespace().collect();
        results.iter().map(dense).collect()
    }

    #[test]
    fn what_belongs_together_may_have_separators_inside() {
        let results = results("m! { a => |x, y| x, b => |x, y| y, c => 0 }");
        assert!(results.contains(&"m!{b=>|x,y|y,c=>0}".to_owned()));
        assert!(results.contains(&"m!{a=>|x,y|x,c=>0}".to_owned()));
    }

    #[test]
    fn repetitions_go_or_become_one_turn() {
        let results = results("macro_rules! m { ($($a:ident),*) => { $( f($a); )* } }");
        for expected in [
            "macro_rules!m{()=>{$(f($a);)*}}",
            "macro_rules!m{($a:ident)=>{$(f($a);)*}}",
            "macro_rules!m{($($a:ident),*)=>{f($a);}}",
        ] {
            assert!(results.contains(&expected.to_owned()), "{expected}");
        }
    }
}
