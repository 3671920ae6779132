//! The values of leaves.

use std::cmp::Ordering;

/// The value of a leaf.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A string literal, or a text file.
    Text(String),
    /// A byte or C string literal (without the final NUL), or a binary file.
    Bytes(Vec<u8>),
    /// A `char` literal.
    Char(char),
    /// An integer literal of any type, its sign included; also `b'x'`.
    Int(Int),
    /// A floating-point literal.
    Float(Float),
    /// `true` or `false`.
    Bool(bool),
}

impl Value {
    /// How many elements can be removed from it: characters of a text, bytes, 0 for a scalar.
    pub fn size(&self) -> usize {
        match self {
            Value::Text(text) => text.chars().count(),
            Value::Bytes(bytes) => bytes.len(),
            Value::Char(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => 0,
        }
    }

    /// It without each character, or each byte; nothing for a scalar.
    pub fn without_each(&self) -> Vec<Value> {
        match self {
            Value::Text(text) => {
                let rest =
                    |(at, c): (usize, char)| [&text[..at], &text[at + c.len_utf8()..]].concat();
                text.char_indices().map(rest).map(Value::Text).collect()
            }
            Value::Bytes(bytes) => {
                let rest = |at: usize| [&bytes[..at], &bytes[at + 1..]].concat();
                (0..bytes.len()).map(rest).map(Value::Bytes).collect()
            }
            Value::Char(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => Vec::new(),
        }
    }

    /// The bytes of a file with this text, or these bytes.
    pub fn content(&self) -> Vec<u8> {
        match self {
            Value::Text(text) => text.clone().into_bytes(),
            Value::Bytes(bytes) => bytes.clone(),
            Value::Char(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => Vec::new(),
        }
    }

    /// What a file with these bytes holds: text where it is UTF-8.
    pub fn of_content(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Value::Text(text),
            Err(error) => Value::Bytes(error.into_bytes()),
        }
    }

    /// The text that it is: a string, or bytes that are UTF-8 and hold no control characters but white
    /// space.
    pub fn as_text(&self) -> Option<&str> {
        let is_written = |c: char| !c.is_control() || c.is_whitespace();
        match self {
            Value::Text(text) => Some(text),
            Value::Bytes(bytes) => {
                let text = std::str::from_utf8(bytes).ok()?;
                text.chars().all(is_written).then_some(text)
            }
            Value::Char(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => None,
        }
    }

    /// The simplest value of the same type.
    #[must_use]
    pub fn trivial(&self) -> Value {
        match self {
            Value::Text(_) => Value::Text(String::new()),
            Value::Bytes(_) => Value::Bytes(Vec::new()),
            Value::Char(_) => Value::Char('a'),
            Value::Int(_) => Value::Int(Int::from(0)),
            Value::Float(_) => Value::Float(Float(0.0)),
            Value::Bool(_) => Value::Bool(false),
        }
    }

    /// `text` as a value of the same type: bytes if this are bytes.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Value {
        match self {
            Value::Bytes(_) => Value::Bytes(text.as_bytes().to_vec()),
            _ => Value::Text(text.to_owned()),
        }
    }
}

/// An integer of any Rust type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Int {
    /// Whether it is below zero (never set for 0).
    pub negative: bool,
    /// Its absolute value.
    pub magnitude: u128,
}

impl Int {
    /// The integer with this sign and absolute value; zero has no sign.
    pub fn new(negative: bool, magnitude: u128) -> Self {
        Int { negative: negative && magnitude != 0, magnitude }
    }

    /// The integer with the same sign whose absolute value is `magnitude`.
    #[must_use]
    pub fn with_magnitude(self, magnitude: u128) -> Self {
        Int::new(self.negative, magnitude)
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (own, others) => others.cmp(&own),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u32> for Int {
    fn from(magnitude: u32) -> Self {
        Int::new(false, u128::from(magnitude))
    }
}

impl std::fmt::Display for Int {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad_integral(!self.negative, "", &self.magnitude.to_string())
    }
}

/// A float, compared by its bits so that it can be hashed.
#[derive(Debug, Clone, Copy)]
pub struct Float(pub f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Float {}

impl std::hash::Hash for Float {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_as_text_holds() {
        use crate::reduce::inputs::Value;
        assert_eq!(Value::Bytes(b"a b\n".to_vec()).as_text(), Some("a b\n"));
        assert_eq!(Value::Bytes(b"a\0b".to_vec()).as_text(), None);
    }
}
