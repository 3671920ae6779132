//! Reading formulas: patterns in quotes, combined with `&`, `|`, `!` and parentheses.

use super::Formula;
use crate::generalize::raw::RawGrammar;
use crate::grammar::{
    Alternative, Grammar, NodeKind, Nonterminal, Parser, Symbol, Tree, TreeBuilder,
};

/// The first of the characters that stand for placeholders while a pattern is parsed: for private use.
const FIRST_PLACEHOLDER: u32 = 0xE000;

/// Why a formula cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// It is not made of patterns and operators.
    #[error("expected {expected} at `{rest}`")]
    Syntax {
        /// What could stand there.
        expected: &'static str,
        /// What stands there.
        rest: String,
    },
    /// The grammar has no such part.
    #[error("no part of any text of the grammar matches `{0}`")]
    NotDerived(String),
}

impl Formula {
    /// Reads a formula, in which `!` binds more than `&`, and that more than `|`. Patterns stand in double,
    /// single or back quotes, with placeholders such as `<expr>`; a text without any quote is one pattern.
    ///
    /// # Errors
    /// When it is no formula, or the grammar derives no part that is like one of its patterns.
    pub fn read(text: &str, grammar: &Grammar) -> Result<Formula, FormulaError> {
        if !text.contains(is_quote) {
            return pattern(text, grammar);
        }
        let mut reader = Reader { rest: text, grammar };
        let formula = reader.disjunction()?;
        match reader.next() {
            None => Ok(formula),
            Some(_) => Err(reader.expected("`&`, `|` or the end")),
        }
    }
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`')
}

struct Reader<'t> {
    rest: &'t str,
    grammar: &'t Grammar,
}

impl Reader<'_> {
    fn disjunction(&mut self) -> Result<Formula, FormulaError> {
        let mut formula = self.conjunction()?;
        while self.takes('|') {
            formula = formula.or(self.conjunction()?);
        }
        Ok(formula)
    }

    fn conjunction(&mut self) -> Result<Formula, FormulaError> {
        let mut formula = self.operand()?;
        while self.takes('&') {
            formula = formula.and(self.operand()?);
        }
        Ok(formula)
    }

    fn operand(&mut self) -> Result<Formula, FormulaError> {
        if self.takes('!') {
            return self.operand().map(Formula::not);
        }
        if self.takes('(') {
            let formula = self.disjunction()?;
            return if self.takes(')') { Ok(formula) } else { Err(self.expected("`)`")) };
        }
        let quote = self.next().filter(|letter| is_quote(*letter));
        let quote = quote.ok_or_else(|| self.expected("a pattern in quotes, `!` or `(`"))?;
        let inside = &self.rest[1..];
        let end = inside.find(quote);
        let end = end.ok_or_else(|| self.expected("a closing quote"))?;
        self.rest = &inside[end + 1..];
        pattern(&inside[..end], self.grammar)
    }

    /// The next letter, after white space.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn takes(&mut self, letter: char) -> bool {
        let takes = self.next() == Some(letter);
        if takes {
            self.rest = &self.rest[letter.len_utf8()..];
        }
        takes
    }

    fn expected(&self, expected: &'static str) -> FormulaError {
        FormulaError::Syntax { expected, rest: self.rest.to_owned() }
    }
}

/// The smallest part of a derivation that derives all of `text`, its placeholders open. It is looked for
/// below the start symbol, then below each other nonterminal.
fn pattern(text: &str, grammar: &Grammar) -> Result<Formula, FormulaError> {
    let (text_marked, placeholders) = marked(text, grammar);
    let starts = std::iter::once(grammar.start()).chain(grammar.nonterminals());
    let wrapped = with_placeholders(grammar, &placeholders);
    let parsed = wrapped.and_then(|wrapped| {
        starts
            .map(|start| wrapped.starting_at(start))
            .find_map(|below| Parser::new(&below).parse(&text_marked).ok())
    });
    let tree = parsed.ok_or_else(|| FormulaError::NotDerived(text.to_owned()))?;
    Ok(Formula::Contains(smallest_whole(&without_wrappers(&tree, grammar, &placeholders))))
}

/// The text with a character in the place of each placeholder, and what these stand for, in the order of
/// the characters.
fn marked(text: &str, grammar: &Grammar) -> (String, Vec<Nonterminal>) {
    let (mut marked, mut placeholders) = (text.to_owned(), Vec::new());
    for symbol in grammar.nonterminals() {
        let shown = grammar.shown(symbol);
        if let Some(mark) = mark(placeholders.len()).filter(|_| marked.contains(&shown)) {
            marked = marked.replace(&shown, &mark.to_string());
            placeholders.push(symbol);
        }
    }
    (marked, placeholders)
}

fn mark(number: usize) -> Option<char> {
    char::from_u32(FIRST_PLACEHOLDER + u32::try_from(number).ok()?)
}

/// The grammar in which each nonterminal that is a placeholder may also be its character: a rule of its own
/// says so, behind those of `grammar`, in the order of `placeholders`.
fn with_placeholders(grammar: &Grammar, placeholders: &[Nonterminal]) -> Option<Grammar> {
    let mut raw = RawGrammar::of(grammar);
    let mut wrappers = Vec::new();
    for (number, symbol) in placeholders.iter().enumerate() {
        let mark = Symbol::Text(mark(number)?.to_string().into());
        let either = vec![vec![Symbol::Nonterminal(*symbol)], vec![mark]];
        wrappers.push(raw.add(&format!("{} or its mark", grammar.rule(*symbol).name), either));
    }
    for symbol in grammar.nonterminals() {
        let rule = grammar.rule(symbol);
        let wrap = |part: &Symbol| match part {
            // A list goes on with itself.
            Symbol::Nonterminal(named) if !(rule.is_list() && *named == symbol) => {
                let place = placeholders.iter().position(|known| known == named);
                Symbol::Nonterminal(place.map_or(*named, |place| wrappers[place]))
            }
            part => part.clone(),
        };
        let alternatives: Vec<Alternative> = rule
            .alternatives
            .iter()
            .map(|alternative| alternative.iter().map(wrap).collect())
            .collect();
        raw.define_as(symbol, alternatives, rule.form);
    }
    raw.numbered(grammar.start())
}

/// The tree as `grammar` would make it, with open nodes where placeholders stand.
fn without_wrappers(tree: &Tree, grammar: &Grammar, placeholders: &[Nonterminal]) -> Tree {
    let mut builder = TreeBuilder::with_capacity(tree.len(), tree.text().len());
    let mut ends: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < tree.len() {
        while ends.pop_if(|end| *end <= at).is_some() {
            builder.close();
        }
        let kind = tree.kind(at);
        match kind {
            NodeKind::Terminal => builder.terminal(tree.text_of(at)),
            NodeKind::Nonterminal { symbol, alternative } => {
                match symbol.index().checked_sub(grammar.rules().len()) {
                    Some(number) if alternative == 1 => {
                        builder.open(NodeKind::Open(placeholders[number]));
                        builder.close();
                        // Its character is no part of the text.
                        at += 1;
                    }
                    Some(_) => {}
                    None => {
                        builder.open(kind);
                        ends.push(tree.subtree(at).end);
                    }
                }
            }
            NodeKind::Open(_) => {}
        }
        at += 1;
    }
    builder.finish()
}

/// The part of `tree` below the nodes that do nothing but stand for another one.
fn smallest_whole(tree: &Tree) -> Tree {
    let mut at = 0;
    loop {
        let mut children = tree.children(at);
        match (children.next(), children.next()) {
            (Some(only), None) if matches!(tree.kind(only), NodeKind::Nonterminal { .. }) => {
                at = only;
            }
            _ => return tree.extract(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::fixtures::EXPRESSIONS;

    fn accepted(formula: &str, texts: &[&str]) -> Vec<bool> {
        let formula = Formula::read(formula, &EXPRESSIONS).unwrap();
        let grammar = formula.grammar(&EXPRESSIONS).unwrap();
        let parser = Parser::new(&grammar);
        texts.iter().map(|text| parser.accepts(text)).collect()
    }

    #[test]
    fn a_pattern_may_stand_anywhere_in_a_text() {
        let texts = ["((4))", "1+((2*3/4))", "(1)+(2)", "1/0"];
        assert_eq!(accepted("((<expr>))", &texts), [true, true, false, false]);
        assert_eq!(accepted("<factor>/0", &texts), [false, false, false, true]);
    }

    #[test]
    fn patterns_are_combined() {
        let texts = ["((4))", "((1/0))", "1/0", "1"];
        let doubled = r#"'((<expr>))' & !"<factor>/0""#;
        assert_eq!(accepted(doubled, &texts), [true, false, false, false]);
        let either = "`((<expr>))` | `<factor>/0`";
        assert_eq!(accepted(either, &texts), [true, true, true, false]);
        let neither = "!('((<expr>))' | '<factor>/0')";
        assert_eq!(accepted(neither, &texts), [false, false, false, true]);
    }

    #[test]
    fn a_list_may_be_a_placeholder_and_hold_some() {
        let grammar = Grammar::parse_ebnf(r#"s ::= "[" item* "]"; item ::= [a-z] ";""#).unwrap();
        let formula = Formula::read("[<item>b;]", &grammar).unwrap();
        let found = formula.grammar(&grammar).unwrap();
        let parser = Parser::new(&found);
        assert!(parser.accepts("[a;b;]") && !parser.accepts("[b;]") && !parser.accepts("[a;b;c;]"));
    }

    #[test]
    fn what_is_no_formula_is_told() {
        let error = |text: &str| match Formula::read(text, &EXPRESSIONS) {
            Err(error) => error.to_string(),
            Ok(formula) => panic!("{formula:?}"),
        };
        assert_eq!(error("'1' '2'"), "expected `&`, `|` or the end at `'2'`");
        assert_eq!(error("'1' & "), "expected a pattern in quotes, `!` or `(` at ``");
        assert_eq!(error("('1'"), "expected `)` at ``");
        assert_eq!(error("'1"), "expected a closing quote at `'1`");
        assert_eq!(error("1+"), "no part of any text of the grammar matches `1+`");
    }
}
