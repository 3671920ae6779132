//! The rules of a `macro_rules!` definition, read from its tokens.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::tokens::is_punct;

/// One rule: what it matches, and what it makes of that.
#[derive(Debug)]
pub(super) struct Rule {
    pub matcher: Vec<Part>,
    pub transcriber: Vec<Part>,
}

/// A part of a matcher or transcriber.
#[derive(Debug)]
pub(super) enum Part {
    /// A token that stands for itself.
    Token(TokenTree),
    /// Brackets with parts in them.
    Group(Delimiter, Vec<Part>),
    /// `$name:fragment`; in a transcriber `$name`, without a fragment.
    Variable { name: String, fragment: String },
    /// `$( … ) separator op`.
    Repetition {
        parts: Vec<Part>,
        separator: Option<TokenTree>,
        count: Count,
    },
}

/// How often a repetition may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Any,
    AtLeastOne,
    AtMostOne,
}

/// The rules in the body of a definition; `None` if they use something that is not known here.
pub(super) fn rules(body: &TokenStream) -> Option<Vec<Rule>> {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    let mut rules = Vec::new();
    let mut rest = tokens.as_slice();
    while let [
        TokenTree::Group(matcher),
        equals,
        greater,
        TokenTree::Group(made),
        after @ ..,
    ] = rest
    {
        if !is_punct(equals, '=') || !is_punct(greater, '>') {
            return None;
        }
        rules.push(Rule {
            matcher: parts(matcher, true)?,
            transcriber: parts(made, false)?,
        });
        rest = match after {
            [semicolon, after @ ..] if is_punct(semicolon, ';') => after,
            after => after,
        };
    }
    rest.is_empty().then_some(rules)
}

/// The parts between brackets; `has_fragments` for a matcher.
fn parts(group: &Group, has_fragments: bool) -> Option<Vec<Part>> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let mut parts_of_group = Vec::new();
    let mut rest = tokens.as_slice();
    while let [first, after @ ..] = rest {
        let (part, after) = match (first, after) {
            (dollar, [second, after @ ..]) if is_punct(dollar, '$') => {
                special(second, after, has_fragments)?
            }
            (TokenTree::Group(group), after) => {
                let inside = parts(group, has_fragments)?;
                (Part::Group(group.delimiter(), inside), after)
            }
            (token, after) => (Part::Token(token.clone()), after),
        };
        parts_of_group.push(part);
        rest = after;
    }
    Some(parts_of_group)
}

/// What stands behind a `$`.
fn special<'t>(
    second: &TokenTree,
    after: &'t [TokenTree],
    has_fragments: bool,
) -> Option<(Part, &'t [TokenTree])> {
    match (second, after) {
        (TokenTree::Group(group), after) if group.delimiter() == Delimiter::Parenthesis => {
            let parts = parts(group, has_fragments)?;
            let (separator, count, after) = count(after)?;
            let repetition = Part::Repetition {
                parts,
                separator,
                count,
            };
            Some((repetition, after))
        }
        // The definition stands in the crate of the call.
        (TokenTree::Ident(name), after) if name == "crate" => {
            Some((Part::Token(TokenTree::Ident(name.clone())), after))
        }
        (TokenTree::Ident(name), [colon, TokenTree::Ident(fragment), after @ ..])
            if has_fragments && is_punct(colon, ':') =>
        {
            let (name, fragment) = (name.to_string(), fragment.to_string());
            Some((Part::Variable { name, fragment }, after))
        }
        (TokenTree::Ident(name), after) if !has_fragments => {
            let (name, fragment) = (name.to_string(), String::new());
            Some((Part::Variable { name, fragment }, after))
        }
        _ => None,
    }
}

/// The separator and the operator behind the parentheses of a repetition.
fn count(tokens: &[TokenTree]) -> Option<(Option<TokenTree>, Count, &[TokenTree])> {
    let (first, after) = tokens.split_first()?;
    if let Some(count) = operator(first) {
        return Some((None, count, after));
    }
    let (second, after) = after.split_first()?;
    Some((Some(first.clone()), operator(second)?, after))
}

fn operator(token: &TokenTree) -> Option<Count> {
    match token {
        TokenTree::Punct(punct) => match punct.as_char() {
            '*' => Some(Count::Any),
            '+' => Some(Count::AtLeastOne),
            '?' => Some(Count::AtMostOne),
            _ => None,
        },
        _ => None,
    }
}
