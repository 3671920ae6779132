//! Tokens of EBNF and BNF.

use std::iter::Peekable;
use std::str::CharIndices;

use crate::grammar::CharClass;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A rule name, bare or in angle brackets.
    Name(String),
    /// A quoted text or a `#x41`.
    Text(String),
    /// A character class.
    Class(CharClass),
    /// `::=`, `:=` or `=`.
    Defines,
    /// `{2}`, `{2,}` or `{2,5}`.
    Repeat(u32, Option<u32>),
    /// `| ( ) * + ? ; -`
    Mark(char),
}

/// A token and where it starts, as a byte offset.
pub(super) type Placed = (usize, Token);

/// What is wrong, and at which byte offset.
pub(super) type LexError = (usize, String);

/// Splits `text` into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, LexError> {
    let mut lexer = Lexer { chars: text.char_indices().peekable(), end: text.len() };
    let mut tokens = Vec::new();
    while let Some(&(at, c)) = lexer.chars.peek() {
        if c.is_whitespace() {
            lexer.chars.next();
        } else if !lexer.skip_comment(text, at)? {
            tokens.push((at, lexer.token(text, at, c)?));
        }
    }
    Ok(tokens)
}

/// Reads a class such as `[a-z0-9]`, the whole of `text`.
pub(super) fn parse_class(text: &str) -> Result<CharClass, String> {
    match tokens(text).map_err(|(_, message)| message)?.as_slice() {
        [(_, Token::Class(class))] => Ok(class.clone()),
        _ => Err(format!("`{text}` is not a character class")),
    }
}

struct Lexer<'a> {
    chars: Peekable<CharIndices<'a>>,
    end: usize,
}

impl Lexer<'_> {
    /// Skips `/* … */`, `(* … *)`, `// …` and `# …` (but not `#x41`).
    fn skip_comment(&mut self, text: &str, at: usize) -> Result<bool, LexError> {
        let rest = &text[at..];
        let closed = |open: &str, close: &str| {
            rest.strip_prefix(open)
                .map(|body| body.find(close).map(|length| open.len() + length + close.len()))
        };
        let length = match closed("/*", "*/").or_else(|| closed("(*", "*)")) {
            Some(Some(length)) => length,
            Some(None) => return Err((at, "comment is not closed".to_owned())),
            None => {
                let hash = rest.starts_with('#') && !rest.starts_with("#x");
                if !hash && !rest.starts_with("//") {
                    return Ok(false);
                }
                rest.find('\n').unwrap_or(rest.len())
            }
        };
        while self.chars.next_if(|&(place, _)| place < at + length).is_some() {}
        Ok(true)
    }

    fn token(&mut self, text: &str, at: usize, c: char) -> Result<Token, LexError> {
        match c {
            '"' | '\'' => self.quoted(at, c),
            '[' => self.class(at),
            '#' => {
                self.chars.next();
                self.code_point(at).map(|c| Token::Text(c.to_string()))
            }
            '<' => self.bracketed(text, at),
            '{' => self.repeat(text, at),
            ':' | '=' => self.defines(at),
            '|' | '(' | ')' | '*' | '+' | '?' | ';' | '-' => {
                self.chars.next();
                Ok(Token::Mark(c))
            }
            'ε' => {
                self.chars.next();
                Ok(Token::Text(String::new()))
            }
            c if is_name_start(c) => {
                let mut name = String::new();
                while let Some((_, c)) = self.chars.next_if(|&(_, c)| is_name_part(c)) {
                    name.push(c);
                }
                Ok(Token::Name(name))
            }
            c => Err((at, format!("unexpected {c:?}"))),
        }
    }

    fn quoted(&mut self, at: usize, quote: char) -> Result<Token, LexError> {
        self.chars.next();
        let mut content = String::new();
        loop {
            match self.chars.next() {
                None | Some((_, '\n')) => return Err((at, "quoted text is not closed".to_owned())),
                Some((_, c)) if c == quote => return Ok(Token::Text(content)),
                Some((at, '\\')) => content.push(self.escape(at)?),
                Some((_, c)) => content.push(c),
            }
        }
    }

    /// What follows a backslash: as in Rust, and any punctuation stands for itself.
    fn escape(&mut self, at: usize) -> Result<char, LexError> {
        let escaped = match self.chars.next() {
            Some((_, 'n')) => Some('\n'),
            Some((_, 'r')) => Some('\r'),
            Some((_, 't')) => Some('\t'),
            Some((_, '0')) => Some('\0'),
            Some((_, 'x')) => {
                let digits: String = self.chars.by_ref().take(2).map(|(_, c)| c).collect();
                scalar(&digits).filter(|_| digits.len() == 2)
            }
            Some((_, 'u')) => {
                let rest = self.chars.by_ref().map(|(_, c)| c);
                let digits: String = rest.take_while(|&c| c != '}').collect();
                digits.strip_prefix('{').and_then(scalar)
            }
            Some((_, c)) => c.is_ascii_punctuation().then_some(c),
            None => None,
        };
        escaped.ok_or_else(|| (at, "unknown escape".to_owned()))
    }

    /// `x41` after a `#`.
    fn code_point(&mut self, at: usize) -> Result<char, LexError> {
        let mut digits = String::new();
        if self.chars.next_if(|&(_, c)| c == 'x').is_some() {
            while let Some((_, c)) = self.chars.next_if(|&(_, c)| c.is_ascii_hexdigit()) {
                digits.push(c);
            }
        }
        scalar(&digits).ok_or_else(|| (at, "expected a code point such as #x20".to_owned()))
    }

    fn class(&mut self, at: usize) -> Result<Token, LexError> {
        self.chars.next();
        let negative = self.chars.next_if(|&(_, c)| c == '^').is_some();
        let mut ranges = Vec::new();
        loop {
            let low = match self.chars.next() {
                None => return Err((at, "character class is not closed".to_owned())),
                Some((_, ']')) => break,
                Some((at, c)) => self.member(at, c)?,
            };
            if self.chars.next_if(|&(_, c)| c == '-').is_none() {
                ranges.push((low, low));
                continue;
            }
            match self.chars.next() {
                None => return Err((at, "character class is not closed".to_owned())),
                Some((_, ']')) => {
                    ranges.extend([(low, low), ('-', '-')]);
                    break;
                }
                Some((at, c)) => ranges.push((low, self.member(at, c)?)),
            }
            if ranges.last().is_some_and(|(low, high)| low > high) {
                return Err((at, "the ends of a range are the wrong way round".to_owned()));
            }
        }
        let class = CharClass::new(ranges);
        Ok(Token::Class(if negative { class.negated() } else { class }))
    }

    fn member(&mut self, at: usize, c: char) -> Result<char, LexError> {
        match c {
            '\\' => self.escape(at),
            '#' if self.chars.peek().is_some_and(|&(_, c)| c == 'x') => self.code_point(at),
            c => Ok(c),
        }
    }

    fn bracketed(&mut self, text: &str, at: usize) -> Result<Token, LexError> {
        let name = text[at + 1..].split('>').next().unwrap_or_default();
        let end = at + name.len() + 1;
        if end >= self.end || name.is_empty() || name.contains(['\n', '<', '"']) {
            return Err((at, "expected <name>".to_owned()));
        }
        while self.chars.next_if(|&(place, _)| place <= end).is_some() {}
        Ok(Token::Name(name.to_owned()))
    }

    fn repeat(&mut self, text: &str, at: usize) -> Result<Token, LexError> {
        let body = text[at + 1..].split('}').next().unwrap_or_default();
        let end = at + body.len() + 1;
        let (low, high) = body.split_once(',').unwrap_or((body, body));
        let low = low.trim().parse().ok();
        let high = match high.trim() {
            "" => Some(None),
            high => high.parse().ok().map(Some),
        };
        match (low, high) {
            (Some(low), Some(high)) if end < self.end && high.is_none_or(|high| low <= high) => {
                while self.chars.next_if(|&(place, _)| place <= end).is_some() {}
                Ok(Token::Repeat(low, high))
            }
            _ => Err((at, "expected a repetition such as {2} or {2,5}".to_owned())),
        }
    }

    fn defines(&mut self, at: usize) -> Result<Token, LexError> {
        while self.chars.next_if(|&(_, c)| c == ':').is_some() {}
        match self.chars.next_if(|&(_, c)| c == '=') {
            Some(_) => Ok(Token::Defines),
            None => Err((at, "expected ::=".to_owned())),
        }
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn scalar(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}
