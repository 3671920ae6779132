//! The libraries that were compiled for a subject: several compilers of it want the same ones.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use camino::Utf8PathBuf;

use crate::reduce::{Answer, digest};

/// Compiled libraries, for all compile folders of a subject.
#[derive(Debug, Clone, Default)]
pub struct Libraries(Arc<Mutex<BTreeMap<u128, Utf8PathBuf>>>);

impl Libraries {
    /// The path of a library with this name and text: one that was compiled before, if it is still there, or that which
    /// `compile` makes in a folder of this name.
    ///
    /// # Errors
    /// Those of `compile`.
    pub fn get_or_compile(
        &self,
        name: &str,
        text: &str,
        compile: impl FnOnce(&str) -> Answer<Utf8PathBuf>,
    ) -> Answer<Utf8PathBuf> {
        let key = digest(&(name, text));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = known.get(&key).filter(|library| library.exists()) {
            return Ok(library.clone());
        }
        // One of the same name and with another text would take its place in the same folder.
        let library = compile(&format!("{name}-{key:032x}"))?;
        known.insert(key, library.clone());
        Ok(library)
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8Path;

    use super::*;

    #[test]
    fn the_same_library_is_compiled_once_and_others_stand_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        let libraries = Libraries::default();
        let mut compiled = 0;
        let mut get = |name: &str, text: &str| {
            let compile = |place: &str| {
                compiled += 1;
                let path = folder.join(place);
                std::fs::write(&path, text)?;
                Ok(path)
            };
            libraries.clone().get_or_compile(name, text, compile).unwrap()
        };
        let first = get("rt", "fn a() {}");
        assert_eq!(get("rt", "fn a() {}"), first);
        assert_ne!(get("rt", "fn b() {}"), first);
        assert_ne!(get("runs", "fn a() {}"), first);
        std::fs::remove_file(&first).unwrap();
        assert_eq!(get("rt", "fn a() {}"), first);
        assert_eq!(compiled, 4);
    }
}
