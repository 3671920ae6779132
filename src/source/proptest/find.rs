//! The test function among the tokens of a `proptest!`.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::Parse;

use crate::source::parse::{look_at, range};
use crate::source::tokens::plain;
use crate::source::{Crate, FileIndex, at_commas, is_char};

/// A test function inside a `proptest!`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyTest {
    /// The function's name.
    pub function: String,
    /// The modules around it.
    pub module: Vec<String>,
    /// The file of the macro call.
    pub file: FileIndex,
    /// The bytes of the macro call.
    pub call: Range<usize>,
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The bytes of the body, braces included.
    pub body: Range<usize>,
    /// The names of `prop_assert!` and its like in the body.
    pub(super) asserts: Vec<Range<usize>>,
    /// The `prop_assume!` calls in the body: the whole call, and its condition.
    pub(super) assumptions: Vec<(Range<usize>, Range<usize>)>,
    /// Whether the body leaves by `?` or `return`, so that it needs a function that returns a
    /// `Result`.
    pub(super) returns: bool,
}

/// `pattern in strategy`, or `pattern: Type`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The bytes of the pattern.
    pub pattern: Range<usize>,
    /// The bytes of the strategy.
    pub strategy: Option<Range<usize>>,
    /// The bytes of the type.
    pub ty: Option<Range<usize>>,
}

pub(super) fn property_test(
    krate: &Crate,
    file: FileIndex,
    call: &Range<usize>,
    function: &str,
    module: Vec<String>,
) -> Option<PropertyTest> {
    let text = &krate.file(file).text[call.clone()];
    let base = call.start;
    let look = |item: syn::ItemMacro| {
        let tokens: Vec<TokenTree> = item.mac.tokens.into_iter().collect();
        let mut groups = from_function(&tokens, function)?.iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        });
        let arguments = groups.find(|group| group.delimiter() == Delimiter::Parenthesis)?;
        let body = groups.find(|group| group.delimiter() == Delimiter::Brace)?;
        let arguments = at_commas(arguments.stream()).into_iter();
        let mut test = PropertyTest {
            function: function.to_owned(),
            module,
            file,
            call: call.clone(),
            arguments: arguments.filter_map(|part| argument_of(&part, base)).collect(),
            body: range(body.span(), base),
            asserts: Vec::new(),
            assumptions: Vec::new(),
            returns: false,
        };
        look_into(body.stream(), base, &mut test);
        Some(test)
    };
    look_at(text, syn::ItemMacro::parse, look).ok()?
}

/// The tokens from the `fn` of that function on.
pub(super) fn from_function<'t>(tokens: &'t [TokenTree], name: &str) -> Option<&'t [TokenTree]> {
    let at = tokens.windows(2).position(|pair| {
        is_ident(&pair[0], "fn") && matches!(&pair[1], TokenTree::Ident(it) if plain(it) == name)
    })?;
    Some(&tokens[at..])
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == name)
}

fn argument_of(tokens: &[TokenTree], base: usize) -> Option<Argument> {
    let span = |tokens: &[TokenTree]| {
        let (first, last) = (tokens.first()?, tokens.last()?);
        Some(range(first.span(), base).start..range(last.span(), base).end)
    };
    if let Some(at) = tokens.iter().position(|token| is_ident(token, "in")) {
        let pattern = span(&tokens[..at])?;
        return Some(Argument { pattern, strategy: span(&tokens[at + 1..]), ty: None });
    }
    let at = tokens.iter().position(|token| is_char(token, ':'))?;
    Some(Argument { pattern: span(&tokens[..at])?, strategy: None, ty: span(&tokens[at + 1..]) })
}

/// Finds the assertions and assumptions in the body, and whether it leaves early.
fn look_into(tokens: TokenStream, base: usize, test: &mut PropertyTest) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut assumed = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) if ident == "return" => test.returns = true,
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let is_call = tokens.get(at + 1).is_some_and(|next| is_char(next, '!'));
                if is_call && name.starts_with("prop_assert") {
                    test.asserts.push(range(ident.span(), base));
                }
                if let (true, true, Some(TokenTree::Group(group))) =
                    (is_call, name == "prop_assume", tokens.get(at + 2))
                {
                    let mut whole = range(ident.span(), base);
                    whole.end = range(group.span(), base).end;
                    if let Some(next) = tokens.get(at + 3).filter(|next| is_char(next, ';')) {
                        whole.end = range(next.span(), base).end;
                    }
                    let inside = range(group.span(), base);
                    test.assumptions.push((whole, inside.start + 1..inside.end - 1));
                    assumed = Some(at + 2);
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == '?' => test.returns = true,
            TokenTree::Group(group) if assumed != Some(at) => look_into(group.stream(), base, test),
            _ => {}
        }
    }
}
