//! Reading what `Debug` prints of a value.

use super::scan::quoted;

/// Values in values are read to this depth: nobody prints more, and reading is recursive.
const DEEPEST: usize = 500;

/// A piece of debug output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DebugValue {
    /// A number, a name, or a text or character in its quotes.
    Word(String),
    /// What stands in brackets, and the name before these; behind a colon, the value of the field of that name, or a key
    /// without a name and its value.
    Parts { name: String, open: char, parts: Vec<DebugValue> },
}

impl DebugValue {
    /// Reads a text that shows one value.
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text.trim(), depth: 0 };
        let shown = reader.value()?;
        reader.rest.is_empty().then_some(shown)
    }

    /// Its word or name, the bracket behind that or a blank where there is none, and what the brackets hold.
    pub fn view(&self) -> (&str, char, &[DebugValue]) {
        match self {
            DebugValue::Word(word) => (word, ' ', &[]),
            DebugValue::Parts { name, open, parts } => (name, *open, parts),
        }
    }

    /// What it is made of.
    pub fn parts(&self) -> &[DebugValue] {
        self.view().2
    }

    /// What stands alone inside, as in `Ok(…)`.
    pub fn inner(&self) -> Option<&DebugValue> {
        self.parts().first().filter(|_| self.parts().len() == 1)
    }

    /// Whether another one has the same name and brackets, or both are words.
    pub fn is_like(&self, other: &DebugValue) -> bool {
        match (self.view(), other.view()) {
            ((_, ' ', _), (_, ' ', _)) => true,
            ((name, open, _), (other_name, other_open, _)) => {
                (name, open) == (other_name, other_open)
            }
        }
    }

    /// Whether it may be a list.
    pub fn is_list(&self) -> bool {
        matches!(self.view(), ("", '[' | '{', _))
    }

    /// Its words, one after the other.
    pub fn words(&self) -> Vec<String> {
        match self {
            DebugValue::Word(word) => vec![word.clone()],
            DebugValue::Parts { parts, .. } => parts.iter().flat_map(DebugValue::words).collect(),
        }
    }
}

/// Reads debug output from its beginning on.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn value(&mut self) -> Option<DebugValue> {
        let name = self.word()?.to_owned();
        self.blank();
        let (open, close) = match self.rest.chars().next() {
            Some('(') => ('(', ')'),
            Some('[') => ('[', ']'),
            Some('{') => ('{', '}'),
            _ => return (!name.is_empty()).then_some(DebugValue::Word(name)),
        };
        self.rest = &self.rest[1..];
        self.depth += 1;
        let parts = if self.depth > DEEPEST { None } else { self.parts(close, !name.is_empty()) };
        self.depth -= 1;
        Some(DebugValue::Parts { name, open, parts: parts? })
    }

    /// The parts up to the bracket that closes them, which behind a name are fields if they have colons.
    fn parts(&mut self, close: char, are_fields: bool) -> Option<Vec<DebugValue>> {
        let mut parts = Vec::new();
        loop {
            self.blank();
            if let Some(rest) = self.rest.strip_prefix(close) {
                self.rest = rest;
                return Some(parts);
            }
            let mut part = self.value()?;
            self.blank();
            if let Some(rest) = self.rest.strip_prefix(':') {
                self.rest = rest;
                self.blank();
                let value = self.value()?;
                let (name, parts) = match part {
                    DebugValue::Word(name) if are_fields => (name, vec![value]),
                    key => (String::new(), vec![key, value]),
                };
                part = DebugValue::Parts { name, open: ':', parts };
                self.blank();
            }
            parts.push(part);
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None if self.rest.starts_with(close) => {}
                None => return None,
            }
        }
    }

    /// A text in quotes, or what stands before the next sign; nothing if a bracket is next.
    fn word(&mut self) -> Option<&'t str> {
        let length = if let quote @ ('"' | '\'') = self.rest.chars().next()? {
            quoted(self.rest, quote)
        } else {
            self.plain_length()
        };
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(word)
    }

    /// How long what stands before the next sign is; `a::B` is one word.
    fn plain_length(&self) -> usize {
        let ends = |it: char| "()[]{},: \n\"'".contains(it);
        let mut length = 0;
        loop {
            let rest = &self.rest[length..];
            length += rest.find(ends).unwrap_or(rest.len());
            if !self.rest[length..].starts_with("::") {
                return length;
            }
            length += 2;
        }
    }

    fn blank(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> DebugValue {
        DebugValue::Word(text.to_owned())
    }

    fn parts<const N: usize>(name: &str, open: char, parts: [DebugValue; N]) -> DebugValue {
        DebugValue::Parts { name: name.to_owned(), open, parts: parts.into() }
    }

    #[test]
    fn derived_texts_are_read() {
        let text = "Err(Unclosed { depth: 2, at: -6.5, why: \"a, \\\"b\" })";
        let fields = [("depth", "2"), ("at", "-6.5"), ("why", "\"a, \\\"b\"")];
        let fields = fields.map(|(name, value)| parts(name, ':', [word(value)]));
        let shown = parts("Err", '(', [parts("Unclosed", '{', fields)]);
        assert_eq!(DebugValue::read(text), Some(shown));
    }

    #[test]
    fn lists_maps_sets_and_tuples_are_told_apart() {
        let one = || word("1");
        for (text, shown) in [
            ("[1, 1]", parts("", '[', [one(), one()])),
            ("{1: 1}", parts("", '{', [parts("", ':', [one(), one()])])),
            ("{A: 1}", parts("", '{', [parts("", ':', [word("A"), one()])])),
            ("{1}", parts("", '{', [one()])),
            ("(1,)", parts("", '(', [one()])),
            ("None", word("None")),
        ] {
            assert_eq!(DebugValue::read(text), Some(shown));
        }
    }

    #[test]
    fn what_is_no_debug_output_is_not_read() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        for text in ["a b", "[a b]", "[1", "[\"a]", &deep] {
            assert_eq!(DebugValue::read(text), None);
        }
    }
}
