//! How a value is written that a run has told by a text: in the macro call that made it, or parsed.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parse;

use super::parse::look_at;
use super::scan::is_word;

/// How the text of a value is written as an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextForm {
    /// The macro that makes the value of its notation, as its path was written: `json!(…)`.
    call: Option<String>,
    /// The type that is parsed, where it has a short name.
    parsed: Option<String>,
}

impl TextForm {
    /// That of a value of the type `type_name`, as the compiler names it.
    pub(super) fn of_type(type_name: &str) -> Self {
        TextForm { call: None, parsed: short_path(type_name) }
    }

    /// The same for the value that `expression` makes, and that has told `text`: a macro call with the same words
    /// takes other values in the same notation.
    pub(super) fn made_by(self, expression: &str, text: &str) -> Self {
        let call = look_at(expression, syn::ExprMacro::parse, |call| {
            let path = &expression[..call.mac.bang_token.span.byte_range().start];
            (path.trim().to_owned(), words(call.mac.tokens))
        });
        let shown = words_of(&in_rust(text));
        let call = call.ok().filter(|(_, made)| shown.as_ref() == Some(made));
        TextForm { call: call.map(|(path, _)| path), ..self }
    }

    /// Parses values in this form from now on; whether it was another one.
    pub(super) fn forget_notation(&mut self) -> bool {
        self.call.take().is_some()
    }

    /// Whether the value stands in the source in its own notation.
    pub(super) fn is_notation(&self) -> bool {
        self.call.is_some()
    }

    /// The expression for `text`; `literal` is its literal, or the variable that holds it.
    pub(super) fn write(&self, text: &str, literal: &str) -> String {
        let tokens = in_rust(text);
        let is_literal = literal.ends_with(['"', '#']);
        match (&self.call, &self.parsed) {
            (Some(call), _) if is_literal && words_of(&tokens).is_some() => {
                format!("{call}!({tokens})")
            }
            (_, Some(path)) => format!("{literal}.parse::<{path}>().unwrap()"),
            (_, None) => format!("{literal}.parse().unwrap()"),
        }
    }
}

/// Where a type of a crate mostly stands: at its root. Types of the standard library are known by what takes them.
fn short_path(type_name: &str) -> Option<String> {
    let (krate, _) = type_name.split_once("::")?;
    let (_, name) = type_name.rsplit_once("::")?;
    let is_plain = type_name.chars().all(|c| c == ':' || is_word(c));
    let is_named = is_plain && !matches!(krate, "core" | "std" | "alloc");
    is_named.then(|| format!("{krate}::{name}"))
}

/// What tokens say, whatever their order, the commas and the values of literals.
fn words(tokens: TokenStream) -> Vec<String> {
    fn collect(tokens: TokenStream, words: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    words.push(format!("{:?}", group.delimiter()));
                    collect(group.stream(), words);
                }
                TokenTree::Literal(literal) => {
                    let is_text = literal.to_string().ends_with(['"', '#']);
                    words.push(if is_text { "\"" } else { "0" }.to_owned());
                }
                TokenTree::Punct(punct) if punct.as_char() == ',' => {}
                token => words.push(token.to_string()),
            }
        }
    }
    let mut found = Vec::new();
    collect(tokens, &mut found);
    found.sort_unstable();
    found
}

fn words_of(text: &str) -> Option<Vec<String>> {
    look_at(text, TokenStream::parse, words).ok()
}

/// The notation of data as Rust writes it: with its escapes in texts, and with blanks between tokens.
fn in_rust(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(char) = chars.next() {
        match char {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => {
                out.push_str(&escape(&mut chars));
                continue;
            }
            ':' | ',' if !is_quoted && chars.peek().is_some_and(|next| !next.is_whitespace()) => {
                out.push(char);
                out.push(' ');
                continue;
            }
            _ => {}
        }
        out.push(char);
    }
    out
}

/// What stands behind a backslash, as Rust writes it.
fn escape(chars: &mut impl Iterator<Item = char>) -> String {
    match chars.next() {
        Some('b') => "\\u{8}".to_owned(),
        Some('f') => "\\u{c}".to_owned(),
        Some('/') => "/".to_owned(),
        Some('u') => format!("\\u{{{}}}", chars.take(4).collect::<String>()),
        Some(other) => format!("\\{other}"),
        None => "\\".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(expression: &str, shown: &str, text: &str) -> String {
        let form = TextForm::of_type("serde_json::value::Value").made_by(expression, shown);
        form.write(text, &format!("{text:?}"))
    }

    #[test]
    fn a_macro_takes_other_values_in_its_notation() {
        let (made, shown) =
            ("json!({ \"b\": [1.50, -2,], \"a\": null })", r#"{"a":null,"b":[1.5,-2]}"#);
        assert_eq!(written(made, shown, r#"{"a":[null]}"#), r#"json!({"a": [null]})"#);
        assert_eq!(written(made, shown, r#""\u0000\b\/""#), r#"json!("\u{0000}\u{8}/")"#);
        assert_eq!(written(made, shown, "{"), r#""{".parse::<serde_json::Value>().unwrap()"#);
    }

    #[test]
    fn what_is_filled_in_is_no_notation() {
        let parsed = r#""null".parse::<serde_json::Value>().unwrap()"#;
        assert_eq!(written("json!({ \"a\": x })", r#"{"a":1}"#, "null"), parsed);
        assert_eq!(written("made(1)", "1", "null"), parsed);
    }

    #[test]
    fn types_of_the_standard_library_have_no_name() {
        let form = TextForm::of_type("core::net::ip_addr::IpAddr");
        assert_eq!(form.write("::1", "\"::1\""), "\"::1\".parse().unwrap()");
    }
}
