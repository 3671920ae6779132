//! What an outcome is filed under.

use std::hash::{Hash, Hasher};

/// A digest of an oracle and a candidate; 128 bits of `BLAKE2b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub(super) [u8; Key::LENGTH]);

impl Key {
    pub(super) const LENGTH: usize = 16;

    /// The key of all that an outcome depends on besides the candidate: the subject, the signature and how it is
    /// matched, limits, compiler. Equal values have equal keys.
    pub fn new(asked: &impl Hash) -> Key {
        let mut hasher = KeyHasher::default();
        asked.hash(&mut hasher);
        hasher.key()
    }

    /// Its bytes, to be a part of another key.
    pub fn to_bytes(self) -> [u8; Key::LENGTH] {
        self.0
    }

    /// Its bytes as a name.
    pub fn hex(self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.0))
    }

    /// The key of a candidate of the oracle that this key stands for.
    pub fn of(&self, candidate: &[u8]) -> Key {
        Key::of_parts([self.0.as_slice(), candidate])
    }

    /// The key of a candidate that has several parts; the parts cannot run into each other.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Key {
        let mut hasher = KeyHasher::default();
        for part in parts {
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        hasher.key()
    }
}

/// Makes a key of what is written to it.
struct KeyHasher(blake2b_simd::State);

impl Default for KeyHasher {
    fn default() -> Self {
        KeyHasher(blake2b_simd::Params::new().hash_length(Key::LENGTH).to_state())
    }
}

impl KeyHasher {
    fn key(&self) -> Key {
        let mut key = [0; Key::LENGTH];
        key.copy_from_slice(self.0.finalize().as_bytes());
        Key(key)
    }
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let mut half = [0; 8];
        half.copy_from_slice(&self.key().0[..8]);
        u64::from_le_bytes(half)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_new_holds() {
        use crate::oracle::store::Key;

        assert_eq!(Key::new(&("test a", "x")), Key::new(&("test a", "x")));
        assert_ne!(Key::new(&("test a", "x")), Key::new(&("test ", "ax")));
        assert_ne!(Key::new(&"test").of(b"a"), Key::new(&"test").of(b"b"));
    }
}
