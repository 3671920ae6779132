//! A text leaf, as characters.

use std::cmp::Reverse;
use std::ops::Range;

use crate::reduce::inputs::chunks::without;
use crate::reduce::inputs::{Inputs, NodeId, Value};

/// A leaf that holds a text or bytes. Bytes are treated by the same algorithms: each is a character
/// from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct TextLeaf {
    pub(in super::super) id: NodeId,
    pub(in super::super) is_bytes: bool,
}

/// All text leaves that are not empty, the longest first.
pub(in super::super) fn text_leaves(inputs: &Inputs) -> Vec<TextLeaf> {
    let mut leaves: Vec<(usize, TextLeaf)> = inputs
        .leaves()
        .filter_map(|(id, value)| {
            let is_bytes = match value {
                Value::Text(_) => false,
                Value::Bytes(_) => true,
                _ => return None,
            };
            Some((value.size(), TextLeaf { id, is_bytes }))
        })
        .filter(|&(size, _)| size > 0)
        .collect();
    leaves.sort_by_key(|&(size, leaf)| (Reverse(size), leaf.id));
    leaves.into_iter().map(|(_, leaf)| leaf).collect()
}

impl TextLeaf {
    /// Its characters; none if it is not there any more.
    pub(in super::super) fn chars(self, inputs: &Inputs) -> Vec<char> {
        match inputs.value(self.id) {
            Some(Value::Text(text)) => text.chars().collect(),
            Some(Value::Bytes(bytes)) => bytes.iter().map(|&byte| char::from(byte)).collect(),
            _ => Vec::new(),
        }
    }

    /// The lengths of parts of its characters, in the bytes of its value.
    pub(in super::super) fn lengths(self, chars: &[char], parts: Vec<Range<usize>>) -> Vec<usize> {
        let length = |part: Range<usize>| {
            if self.is_bytes { part.len() } else { chars[part].iter().map(|c| c.len_utf8()).sum() }
        };
        parts.into_iter().map(length).collect()
    }

    /// The candidate that lacks these bytes of its value (for a text, whole characters).
    pub(in super::super) fn without(self, inputs: &Inputs, removed: Range<usize>) -> Inputs {
        let value = match inputs.value(self.id) {
            Some(Value::Text(text)) => {
                let mut left = String::with_capacity(text.len() - removed.len());
                left.push_str(&text[..removed.start]);
                left.push_str(&text[removed.end..]);
                Value::Text(left)
            }
            Some(Value::Bytes(bytes)) => Value::Bytes(without(bytes, removed)),
            _ => return inputs.clone(),
        };
        inputs.with_value(self.id, value)
    }

    /// The candidate in which it has these characters.
    pub(in super::super) fn with_chars(self, inputs: &Inputs, chars: &[char]) -> Inputs {
        let value = if self.is_bytes {
            let byte = |&c| u8::try_from(u32::from(c)).unwrap_or(b'?');
            Value::Bytes(chars.iter().map(byte).collect())
        } else {
            let mut text = String::with_capacity(chars.len());
            text.extend(chars);
            Value::Text(text)
        };
        inputs.with_value(self.id, value)
    }
}
