//! What an outcome is filed under.

/// A digest of an oracle and a candidate; 128 bits of `BLAKE2b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub(super) [u8; Key::LENGTH]);

impl Key {
    pub(super) const LENGTH: usize = 16;

    /// The key of a candidate. `oracle` says all that the outcome depends on besides the candidate:
    /// the subject, the signature and how it is matched, limits, compiler.
    pub fn new(oracle: &str, candidate: &[u8]) -> Key {
        Key::of_parts([oracle.as_bytes(), candidate])
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
        let mut params = blake2b_simd::Params::new();
        let mut hasher = params.hash_length(Key::LENGTH).to_state();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut key = [0; Key::LENGTH];
        key.copy_from_slice(hasher.finalize().as_bytes());
        Key(key)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_new_holds() {
        use crate::oracle::store::Key;

        assert_eq!(Key::new("test a", b"x"), Key::new("test a", b"x"));
        assert_ne!(Key::new("test a", b"x"), Key::new("test ", b"ax"));
    }
}
