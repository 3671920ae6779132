//! The functions that a test asks where it fails: what answers the same whatever it is given shows no bug.

use super::scan::{self, Piece, PieceKind};
use super::{Sources, statement_around};

/// Functions that look at what they are given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskedFunctions {
    names: Vec<String>,
}

impl AskedFunctions {
    /// Those which the assertion calls whose `!` is at that place of `sources`, a file and a byte, or the statement in which
    /// something is unwrapped there, if there is but one of their name, and no variable that may be a closure.
    pub fn of(sources: &Sources, (file, offset): (usize, usize)) -> Self {
        let text = &sources.files[file].text;
        let asking = if text[offset..].starts_with('!') {
            scan::group_after(text, offset + 1)
        } else {
            statement_around(text, offset)
        };
        let Some(range) = asking else { return AskedFunctions::default() };
        let tokens: Vec<Piece<'_>> = scan::tokens(&text[range]).collect();
        let calls = tokens.windows(2).filter(|pair| pair[1].text == "(");
        let mut names: Vec<String> = calls.map(|pair| pair[0].text.to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        let mut tokens = scan::tokens(text).filter(|token| token.text != "mut").peekable();
        while let Some(token) = tokens.next() {
            let bound = tokens.peek().filter(|_| token.text == "let").map(|name| name.text);
            names.retain(|name| bound != Some(name));
        }
        let all = looks(sources, &names);
        let looks_alone = |name: &&String| {
            let mut own = all.iter().filter(|(other, _)| other == name);
            matches!((own.next(), own.next()), (Some((_, true)), None))
        };
        AskedFunctions { names: names.iter().filter(looks_alone).cloned().collect() }
    }

    /// Whether those that are left in `sources` still look at what they are given.
    pub fn look(&self, sources: &Sources) -> bool {
        self.names.is_empty() || looks(sources, &self.names).iter().all(|(_, looks)| *looks)
    }
}

/// The functions of these names that have a body, and whether what that says has a parameter in it. What stands in a comment
/// counts, too: this is asked of every candidate.
fn looks<'n>(sources: &Sources, names: &'n [String]) -> Vec<(&'n str, bool)> {
    let mut found = Vec::new();
    for text in sources.files.iter().map(|file| &*file.text) {
        for (place, _) in text.match_indices("fn ") {
            let rest = text[place..].trim_start_matches("fn ");
            let is_it = |name: &&String| {
                let behind = rest.strip_prefix(name.as_str());
                behind.is_some_and(|behind| behind.starts_with(['(', '<']))
            };
            if let Some(name) = names.iter().find(is_it) {
                found.extend(looks_at_parameters(rest).map(|looks| (name.as_str(), looks)));
            }
        }
    }
    found
}

/// The tokens that a text begins with, up to the end of a block or a semicolon.
fn tokens_of_item(text: &str) -> Vec<Piece<'_>> {
    let (mut depth, mut found) = (0_usize, Vec::new());
    for token in scan::tokens(text) {
        found.push(token);
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(token.text, "}" | ";") {
            break;
        }
    }
    found
}

/// Whether the body of a function has a parameter of it in it, whose text begins with its name; `None` if it has no body.
fn looks_at_parameters(text: &str) -> Option<bool> {
    let tokens = &tokens_of_item(text)[..];
    let open = outside(tokens, |token| token == "(")?;
    let close = open + outside(&tokens[open + 1..], |token| token == ")")? + 1;
    let body = close + outside(&tokens[close + 1..], |token| token == "{")? + 1;
    let mut parameters = Vec::new();
    let mut rest = &tokens[open + 1..close];
    while !rest.is_empty() {
        let comma = outside(rest, |token| token == ",").unwrap_or(rest.len());
        let pattern = outside(&rest[..comma], |token| token == ":").unwrap_or(comma);
        let words = rest[..pattern].iter().filter(|token| token.kind == PieceKind::Word);
        parameters.extend(words.map(|token| token.text).filter(|word| *word != "mut"));
        rest = rest.get(comma + 1..).unwrap_or_default();
    }
    let is_parameter = |token: &Piece<'_>| match token.kind {
        PieceKind::Word => parameters.contains(&token.text),
        // A format string may name one.
        PieceKind::Str => parameters.iter().any(|it| scan::has_word(token.text, it)),
        _ => false,
    };
    Some(tokens[body..].iter().any(is_parameter))
}

/// The first token that `is_wanted` outside of all brackets which these open, and of generic parameters.
fn outside(tokens: &[Piece<'_>], is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
    let (mut depth, mut generic) = (0_usize, 0_usize);
    for (place, token) in tokens.iter().enumerate() {
        if depth == 0 && generic == 0 && is_wanted(token.text) {
            return Some(place);
        }
        let is_arrow = || place > 0 && tokens[place - 1].text == "-";
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            "<" if depth == 0 => generic += 1,
            ">" if depth == 0 && !is_arrow() => generic = generic.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    const TEXT: &str = "struct S(u8); impl S { fn is_full(&self) -> bool { self.0 > other(self.0, f) } fn new() -> S { S(7) } } \
                        fn other<F: Fn(u8) -> [u8; 2]>((a, b): (u8, F)) -> [u8; 2] { println!(\"{a}\"); 3 } fn of(a: u8) -> S { S::new() } \
                        #[test] fn t() { assert!(S::new().is_full() && other(1, 2) > 2 && of(3).0 == 7); }";

    fn asked() -> AskedFunctions {
        AskedFunctions::of(&sources_of(TEXT), (0, TEXT.find("!(S").unwrap()))
    }

    #[test]
    fn functions_that_look_at_what_they_are_given_go_on_with_it() {
        assert_eq!(asked().names, ["is_full", "other"]);
        assert!(asked().look(&sources_of(TEXT)));
        for (old, new) in
            [("self.0 > other(self.0, f)", "false"), ("(&self)", "()"), ("println!(\"{a}\");", "")]
        {
            assert!(!asked().look(&sources_of(&TEXT.replace(old, new))), "{new}");
        }
        for (old, new) in [
            ("self.0 > other(self.0, f)", "7 < 9 && self.0 > 9"),
            ("{ println!(\"{a}\"); 3 }", ";"),
            ("fn is_full", "fn is_not_asked"),
            ("S(7)", "S(0)"),
        ] {
            assert!(asked().look(&sources_of(&TEXT.replace(old, new))), "{new}");
        }
    }

    #[test]
    fn what_is_unwrapped_was_asked_for() {
        let text = TEXT.replace("assert!(", "let it = other(1, 2).get(0).unwrap(); assert!(");
        let asked = AskedFunctions::of(&sources_of(&text), (0, text.find("unwrap").unwrap()));
        assert_eq!(asked.names, ["other"]);
    }

    #[test]
    fn a_closure_is_no_function_of_its_name() {
        let text = TEXT.replace("assert!(", "let mut other = |a, b| a; assert!(");
        let asked = AskedFunctions::of(&sources_of(&text), (0, text.find("!(S").unwrap()));
        assert_eq!(asked.names, ["is_full"]);
    }

    #[test]
    fn of_several_functions_of_a_name_nobody_knows_which_is_asked() {
        let two = TEXT.replace("fn new()", "fn is_full(self) { self } fn new()");
        let asked = AskedFunctions::of(&sources_of(&two), (0, two.find("!(S").unwrap()));
        assert_eq!(asked.names, ["other"]);
    }
}
