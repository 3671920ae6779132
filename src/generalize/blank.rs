//! Nonterminals that derive nothing but white space.

use crate::grammar::{CharClass, Grammar, Symbol};

/// For each rule of `grammar` whether it derives nothing but white space.
pub(super) fn blank_rules(grammar: &Grammar) -> Vec<bool> {
    let shows: Vec<bool> = grammar
        .rules()
        .iter()
        .map(|rule| rule.alternatives.iter().flatten().any(is_visible))
        .collect();
    grammar
        .nonterminals()
        .map(|symbol| {
            let reached = grammar.reachable_from(symbol);
            !reached.iter().zip(&shows).any(|(reached, shows)| *reached && *shows)
        })
        .collect()
}

/// Whether something else than white space is written here.
fn is_visible(symbol: &Symbol) -> bool {
    match symbol {
        Symbol::Text(text) => !text.trim().is_empty(),
        Symbol::Class(class) => !is_blank(class),
        Symbol::Nonterminal(_) => false,
    }
}

fn is_blank(class: &CharClass) -> bool {
    const FEW: u32 = 64;
    class.count() <= FEW
        && (0..class.count()).filter_map(|index| class.nth(index)).all(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_are_told_from_what_may_hold_more() {
        let grammar = Grammar::parse_ebnf(
            r#"s ::= space "a" mixed; space ::= [ \t]* "  "?; mixed ::= space | [a-z ]"#,
        );
        let grammar = grammar.unwrap();
        let blank = blank_rules(&grammar);
        let of = |name: &str| blank[grammar.nonterminal(name).unwrap().index()];
        assert_eq!((of("s"), of("space"), of("mixed")), (false, true, false));
    }
}
