//! Matching the arguments of a macro call with a rule (the Rust reference, "Macros By Example").

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};

use super::rules::{Count, Part};
use super::tokens::{is_punct, is_same, lifetime};

/// What the variables of a matcher stand for.
pub(super) type Bindings = BTreeMap<String, Binding>;

/// What one variable stands for.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    /// One fragment.
    One(TokenStream),
    /// One for each time that a repetition matched.
    Many(Vec<Binding>),
}

/// What the variables stand for when `parts` match all of `tokens`.
pub(super) fn matched(parts: &[Part], tokens: &[TokenTree]) -> Option<Bindings> {
    let mut bindings = Bindings::new();
    let taken = take_all(parts, tokens, &mut bindings)?;
    (taken == tokens.len()).then_some(bindings)
}

/// How many tokens at the start of `tokens` the parts match.
fn take_all(parts: &[Part], tokens: &[TokenTree], bindings: &mut Bindings) -> Option<usize> {
    let mut taken = 0;
    for part in parts {
        taken += take(part, &tokens[taken..], bindings)?;
    }
    Some(taken)
}

fn take(part: &Part, tokens: &[TokenTree], bindings: &mut Bindings) -> Option<usize> {
    match part {
        Part::Token(token) => is_same(token, tokens.first()?).then_some(1),
        Part::Group(delimiter, parts) => match tokens.first()? {
            TokenTree::Group(group) if group.delimiter() == *delimiter => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                let taken = take_all(parts, &inside, bindings)?;
                (taken == inside.len()).then_some(1)
            }
            _ => None,
        },
        Part::Variable { name, fragment } => {
            let taken = fragment_len(fragment, tokens)?;
            let found = bound(fragment, &tokens[..taken]);
            bindings.insert(name.clone(), Binding::One(found));
            Some(taken)
        }
        Part::Repetition {
            parts,
            separator,
            count,
        } => repeated(parts, separator.as_ref(), *count, tokens, bindings),
    }
}

/// Matches `parts` as often as they match.
fn repeated(
    parts: &[Part],
    separator: Option<&TokenTree>,
    count: Count,
    tokens: &[TokenTree],
    bindings: &mut Bindings,
) -> Option<usize> {
    let mut each: Vec<Bindings> = Vec::new();
    let mut taken = 0;
    while taken < tokens.len() || each.is_empty() {
        let between = match separator {
            Some(separator) if !each.is_empty() => match tokens.get(taken) {
                Some(token) if is_same(separator, token) => 1,
                _ => break,
            },
            _ => 0,
        };
        let mut found = Bindings::new();
        let Some(more) = take_all(parts, &tokens[taken + between..], &mut found) else {
            break;
        };
        if between + more == 0 {
            break;
        }
        taken += between + more;
        each.push(found);
        if count == Count::AtMostOne {
            break;
        }
    }
    if each.is_empty() && count == Count::AtLeastOne {
        return None;
    }
    for name in variables(parts) {
        let found = each.iter().filter_map(|found| found.get(&name).cloned());
        bindings.insert(name.clone(), Binding::Many(found.collect()));
    }
    Some(taken)
}

/// The names of all variables in the parts.
pub(super) fn variables(parts: &[Part]) -> Vec<String> {
    parts
        .iter()
        .flat_map(|part| match part {
            Part::Token(_) => Vec::new(),
            Part::Variable { name, .. } => vec![name.clone()],
            Part::Group(_, parts) | Part::Repetition { parts, .. } => variables(parts),
        })
        .collect()
}

/// How many tokens the fragment takes.
fn fragment_len(fragment: &str, tokens: &[TokenTree]) -> Option<usize> {
    if fragment == "vis" {
        return parsed_len(tokens, syn::Visibility::parse);
    }
    let first = tokens.first()?;
    match fragment {
        "tt" => Some(lifetime(tokens).unwrap_or(1)),
        "ident" => matches!(first, TokenTree::Ident(name) if name != "_").then_some(1),
        "lifetime" => lifetime(tokens),
        "literal" => literal_len(tokens),
        "block" => {
            matches!(first, TokenTree::Group(it) if it.delimiter() == Delimiter::Brace).then_some(1)
        }
        "expr" | "expr_2021" if starts_expr(first) => parsed_len(tokens, syn::Expr::parse),
        "ty" => parsed_len(tokens, syn::Type::parse),
        "path" => parsed_len(tokens, syn::Path::parse),
        "pat" => parsed_len(tokens, syn::Pat::parse_multi_with_leading_vert),
        "pat_param" => parsed_len(tokens, syn::Pat::parse_single),
        "stmt" => parsed_len(tokens, statement),
        "item" => parsed_len(tokens, syn::Item::parse),
        "meta" => parsed_len(tokens, syn::Meta::parse),
        _ => None,
    }
}

/// A statement without its semicolon.
fn statement(input: ParseStream<'_>) -> syn::Result<()> {
    let ahead = input.fork();
    if ahead.parse::<syn::Token![let]>().is_ok() {
        while !input.is_empty() && !input.peek(syn::Token![;]) {
            input.parse::<TokenTree>()?;
        }
        return Ok(());
    }
    input.parse::<syn::Expr>().map(drop)
}

fn starts_expr(first: &TokenTree) -> bool {
    !is_punct(first, ',') && !is_punct(first, ';') && !is_punct(first, '=')
}

fn literal_len(tokens: &[TokenTree]) -> Option<usize> {
    match tokens {
        [TokenTree::Literal(_), ..] => Some(1),
        [TokenTree::Ident(word), ..] if word == "true" || word == "false" => Some(1),
        [minus, TokenTree::Literal(_), ..] if is_punct(minus, '-') => Some(2),
        _ => None,
    }
}

/// How many tokens `parser` takes.
fn parsed_len<T>(
    tokens: &[TokenTree],
    parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> Option<usize> {
    let rest_of = |input: ParseStream<'_>| {
        parser(input)?;
        input.parse::<TokenStream>()
    };
    let all: TokenStream = tokens.iter().cloned().collect();
    let rest = rest_of.parse2(all).ok()?;
    tokens.len().checked_sub(rest.into_iter().count())
}

/// What a variable stands for. An expression that another operator could tear apart gets parentheses,
/// since the compiler takes it as a whole.
fn bound(fragment: &str, tokens: &[TokenTree]) -> TokenStream {
    let found: TokenStream = tokens.iter().cloned().collect();
    if !matches!(fragment, "expr" | "expr_2021") || is_whole(found.clone()) {
        return found;
    }
    TokenTree::Group(Group::new(Delimiter::Parenthesis, found)).into()
}

fn is_whole(tokens: TokenStream) -> bool {
    use syn::Expr as E;
    matches!(
        syn::parse2::<E>(tokens),
        Ok(E::Lit(_)
            | E::Path(_)
            | E::Call(_)
            | E::MethodCall(_)
            | E::Field(_)
            | E::Index(_)
            | E::Macro(_)
            | E::Paren(_)
            | E::Tuple(_)
            | E::Array(_)
            | E::Repeat(_)
            | E::Reference(_)
            | E::Block(_)
            | E::Unary(_))
    )
}
