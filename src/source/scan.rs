//! Cuts any text into white space, comments and pieces of Rust tokens. Never fails: what is left open
//! goes up to the end.

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// White space.
    Space,
    /// A comment of any kind.
    Comment,
    /// A string, of any kind.
    Str,
    /// A word or a number.
    Word,
    /// Any other character.
    Symbol,
}

impl PieceKind {
    /// Whether it means something to the compiler (doc comments are left out of account).
    pub fn is_token(self) -> bool {
        !matches!(self, PieceKind::Space | PieceKind::Comment)
    }
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    /// Where it starts.
    pub start: usize,
    /// Its text.
    pub text: &'t str,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece<'_> {
    /// Its bytes.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The number of words and symbols in it.
    pub fn words(&self) -> usize {
        if self.kind != PieceKind::Str {
            return usize::from(self.kind.is_token());
        }
        let mut words = 0;
        let mut in_word = false;
        for symbol in self.text.chars() {
            let is_word = is_word(symbol);
            words += usize::from(is_word && !in_word || !is_word && !symbol.is_whitespace());
            in_word = is_word;
        }
        words
    }
}

/// Whether a word stands in a text.
pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|symbol| !is_word(symbol)).any(|other| other == word)
}

/// Whether a symbol can be a part of a name.
pub fn is_word(symbol: char) -> bool {
    symbol.is_alphanumeric() || symbol == '_'
}

/// The word, or number, with which a text begins; empty if it begins with none.
pub fn first_word(text: &str) -> &str {
    &text[..text.find(|symbol| !is_word(symbol)).unwrap_or(text.len())]
}

/// Whether a word can be a name: keywords cannot.
pub fn is_name(word: &str) -> bool {
    syn::parse_str::<syn::Ident>(word).is_ok()
}

/// Whether a word is a whole number.
pub fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The bytes within each pair of braces.
pub fn braces(text: &str) -> Vec<std::ops::Range<usize>> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for piece in pieces(text).filter(|piece| piece.kind == PieceKind::Symbol) {
        match piece.text {
            "{" => open.push(piece.start + 1),
            "}" => pairs.extend(open.pop().map(|start| start..piece.start)),
            _ => {}
        }
    }
    pairs
}

/// The bytes inside of the parentheses or braces that follow at `place`.
pub fn group_after(text: &str, place: usize) -> Option<std::ops::Range<usize>> {
    let rest = text.get(place..)?.trim_start();
    let (inside, open) = match rest.strip_prefix('{') {
        Some(inside) => (inside, "{"),
        None => (rest.strip_prefix('(')?, "("),
    };
    let start = text.len() - inside.len();
    Some(start..start + end_of_group(inside, open)?)
}

/// Where the group ends that `open`, which stands before the text, begins; `None` if it is not closed, or begins none.
pub fn end_of_group(text: &str, open: &str) -> Option<usize> {
    let close = match open {
        "{" => "}",
        "(" => ")",
        "[" => "]",
        _ => return None,
    };
    let mut inner = 0_usize;
    for piece in pieces(text).filter(|piece| piece.kind == PieceKind::Symbol) {
        if piece.text == open {
            inner += 1;
        } else if piece.text == close {
            if inner == 0 {
                return Some(piece.start);
            }
            inner -= 1;
        }
    }
    None
}

/// Where the first semicolon ends that stands in no group of the text; `None` if there is none.
pub fn end_of_statement(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for piece in pieces(text).filter(|piece| piece.kind == PieceKind::Symbol) {
        match piece.text {
            "(" | "[" | "{" => open += 1,
            ")" | "]" | "}" => open = open.checked_sub(1)?,
            ";" if open == 0 => return Some(piece.range().end),
            _ => {}
        }
    }
    None
}

/// The pieces of `text`, which together are the whole text.
pub fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let (length, kind) = first_piece(&text[start..])?;
        let piece = Piece { start, text: &text[start..start + length], kind };
        start += length;
        Some(piece)
    })
}

/// The pieces of `text` that are tokens.
pub fn tokens(text: &str) -> impl Iterator<Item = Piece<'_>> {
    pieces(text).filter(|piece| piece.kind.is_token())
}

/// The words of `text`, keywords among them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter(|piece| piece.kind == PieceKind::Word).map(|piece| piece.text)
}

/// What comes first in a text, by its first character where that says it: each candidate is cut into pieces.
fn first_piece(rest: &str) -> Option<(usize, PieceKind)> {
    let first = rest.chars().next()?;
    let until =
        |is_part: fn(char) -> bool| rest.find(|symbol| !is_part(symbol)).unwrap_or(rest.len());
    let special = match first {
        '/' if rest.starts_with("//") => {
            Some((rest.find('\n').unwrap_or(rest.len()), PieceKind::Comment))
        }
        '/' if rest.starts_with("/*") => Some((block_comment(rest), PieceKind::Comment)),
        'r' | 'b' | 'c' => raw_string(rest).map(|length| (length, PieceKind::Str)),
        '"' => Some((quoted(rest, '"'), PieceKind::Str)),
        '\'' => char_literal(rest).map(|length| (length, PieceKind::Str)),
        _ => None,
    };
    Some(special.unwrap_or_else(|| {
        if is_word(first) {
            (until(is_word), PieceKind::Word)
        } else if first.is_whitespace() {
            (until(char::is_whitespace), PieceKind::Space)
        } else {
            (first.len_utf8(), PieceKind::Symbol)
        }
    }))
}

fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of `r"…"`, `r#"…"#`, `br…` or `cr…` at the start.
fn raw_string(rest: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
        rest.strip_prefix(prefix).is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'))
    })?;
    let opening = &rest[prefix.len()..];
    let hashes = opening.len() - opening.trim_start_matches('#').len();
    let end = format!("\"{}", "#".repeat(hashes));
    let body = prefix.len() + hashes + 1;
    Some(rest[body..].find(&end).map_or(rest.len(), |length| body + length + end.len()))
}

/// The length of a quoted text at the start, backslashes considered.
pub fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, symbol) in rest.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if symbol == '\\' {
            is_escaped = true;
        } else if symbol == quote {
            return at + 1;
        }
    }
    rest.len()
}

/// What a literal or a text as `Debug` shows it has between such quotes, its escapes replaced by what they mean.
pub fn unquoted(word: &str, quote: char) -> Option<String> {
    let inner = word.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(it) = chars.next() {
        if it != '\\' {
            text.push(it);
            continue;
        }
        text.push(match chars.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let rest = chars.as_str().strip_prefix('{')?;
                let (digits, rest) = rest.split_once('}')?;
                chars = rest.chars();
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            other => other,
        });
    }
    Some(text)
}

/// The length of a `char` literal at the start; `None` for a lifetime.
fn char_literal(rest: &str) -> Option<usize> {
    let mut symbols = rest.chars().skip(1);
    let first = symbols.next()?;
    let is_char = first == '\\' || symbols.next() == Some('\'');
    is_char.then(|| quoted(rest, '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let all: Vec<_> = pieces(text).collect();
        assert_eq!(all.iter().map(|piece| piece.text).collect::<String>(), text);
        all.into_iter().filter(|piece| piece.kind.is_token()).map(|piece| piece.text).collect()
    }

    #[test]
    fn strings_chars_and_lifetimes_are_told_apart() {
        assert_eq!(cut(r#"'a 'b' '\'' "c\"d" é"#), ["'", "a", "'b'", r"'\''", r#""c\"d""#, "é"]);
    }

    #[test]
    fn what_follows_in_brackets_is_found() {
        let text = "f (a, [')'], \"}\") + 1";
        assert_eq!(group_after(text, 1).map(|group| &text[group]), Some("a, [')'], \"}\""));
        assert_eq!(group_after(text, 2).map(|group| group.start), Some(3));
        assert_eq!(group_after(text, 0), None);
        assert_eq!(group_after("f(", 1), None);
    }

    #[test]
    fn raw_strings_end_at_their_hashes() {
        assert_eq!(cut(r##"r#"a"b"# r"\" br"c""##), [r##"r#"a"b"#"##, r#"r"\""#, "br\"c\""]);
    }

    #[test]
    fn comments_nest_and_what_is_left_open_goes_up_to_the_end() {
        assert_eq!(cut("a /* b /* c */ d */ e // f\ng"), ["a", "e", "g"]);
        assert_eq!(cut("a \"b c"), ["a", "\"b c"]);
        assert_eq!(cut("a /* b"), ["a"]);
    }
}
