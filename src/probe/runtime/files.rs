// The part of the runtime for inputs that puts files into the state that a candidate says, before the test begins. It
// stands as the module `files`.

extern crate std;

use self::std::fs;
use self::std::io::ErrorKind;
use self::std::option::Option::{self, None, Some};
use self::std::path::PathBuf;
use self::std::prelude::v1::*;
use self::std::sync::Mutex;

use super::drive::{give_up, lock, Input};
use super::{kept, look, Change};

/// Names the file that tells which files are inputs, and their content.
const FILES: &str = "__CARGO_REDUCE_FILES";

/// A file that is an input.
struct File {
    id: u32,
    /// The list in which it is, and its place there.
    list: u32,
    ordinal: u32,
    path: PathBuf,
    original: Vec<u8>,
    /// What this process has left there last, if it did; nothing if the file was removed.
    left: Option<Option<Vec<u8>>>,
}

static ALL: Mutex<Option<Vec<File>>> = Mutex::new(None);

/// Comes before the first statement of the test.
pub fn begin() {
    let mut all = lock(&ALL);
    for file in all.get_or_insert_with(load) {
        let wanted: Option<Vec<u8>> = look(|table| {
            if !kept(table, file.list, file.ordinal as usize) {
                return None;
            }
            Some(match table.get(file.id) {
                Some(Change::Text(text)) => text.as_bytes().to_vec(),
                Some(Change::Bytes(bytes)) => bytes.to_vec(),
                _ => file.original.clone(),
            })
        });
        if file.left.as_ref() != Some(&wanted) {
            put(&file.path, wanted.as_deref());
            file.left = Some(wanted);
        }
    }
}

fn load() -> Vec<File> {
    let mut all = Vec::new();
    let bytes = match self::std::env::var_os(FILES).map(fs::read) {
        Some(Ok(bytes)) => bytes,
        _ => return all,
    };
    let mut input = Input { bytes: &bytes, at: 0 };
    for _ in 0..input.u32() {
        let (id, list, ordinal) = (input.u32(), input.u32(), input.u32());
        let path = PathBuf::from(input.string());
        let length = input.u32() as usize;
        let original = input.take(length).to_vec();
        all.push(File { id, list, ordinal, path, original, left: None });
    }
    all
}

/// Brings a file into that state, if it is not.
fn put(path: &PathBuf, wanted: Option<&[u8]>) {
    let done = match wanted {
        Some(wanted) if fs::read(path).map_or(false, |there| there == wanted) => Ok(()),
        Some(wanted) => fs::write(path, wanted),
        None => match fs::remove_file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done,
        },
    };
    if let Err(error) = done {
        give_up(&self::std::format!("cannot change {}: {}", path.display(), error));
    }
}
