// The part of the runtime that shows the values that cross the boundary, and puts others in their place. It
// stands as the module `observed`.
//
// A place at the boundary becomes `finish(id, if is_open(id) { Some(expression) } else { None })`: the expression
// is computed unless a value was given for it. Which types can be written out, the compiler finds out: it takes the
// first trait that a type has. What is no `Value` (see `written`) may still be the text that it is shown as and read
// from. A value of any other type passes through.

extern crate std;

use self::std::cell::Cell;
use self::std::fmt::Display;
use self::std::fs;
use self::std::option::Option::{self, None, Some};
use self::std::path::Path;
use self::std::prelude::v1::*;
use self::std::str::FromStr;
use self::std::sync::atomic::{AtomicUsize, Ordering};

use super::drive::{give_up_candidate, Input};
use super::written::{put_bytes, put_u32, read_text, Value};
use super::{look, Change, Table};

/// Names the folder in which values are shown.
pub const RECORD: &str = "__CARGO_REDUCE_RECORD";
/// Longer values are not shown.
const LONGEST: usize = 4 << 20;
/// So many values are shown in all.
const MOST: usize = 20_000;

static SHOWN: AtomicUsize = AtomicUsize::new(0);

/// Whether the expression there is computed.
pub fn is_open(id: u32) -> bool {
    look(|table| given(table, id).is_none())
}

fn given(table: &Table, id: u32) -> Option<&'static [u8]> {
    match table.get(id) {
        Some(Change::Whole(bytes)) => Some(*bytes),
        _ => None,
    }
}

/// What was computed; nothing if it was given.
pub struct Slot<T>(Cell<Option<T>>);

impl<T> Slot<T> {
    pub fn new(value: Option<T>) -> Slot<T> {
        Slot(Cell::new(value))
    }
}

pub trait ByValue<T> {
    fn finish(&self, id: u32) -> T;
}

impl<'r, 's, T: Value> ByValue<T> for &'r &'s Slot<T> {
    fn finish(&self, id: u32) -> T {
        match self.0.take() {
            Some(value) => {
                show(id, &value);
                value
            }
            None => T::read(&mut known(id)),
        }
    }
}

pub trait ByText<T> {
    fn finish(&self, id: u32) -> T;
}

impl<'s, T: Display + FromStr> ByText<T> for &'s Slot<T> {
    fn finish(&self, id: u32) -> T {
        match self.0.take() {
            Some(value) => {
                show(id, &Text(&value));
                value
            }
            None => parsed(&mut known(id)),
        }
    }
}

fn known(id: u32) -> Input<'static> {
    match look(|table| given(table, id)) {
        Some(bytes) => Input { bytes, at: 0 },
        None => give_up_candidate("a value is not known"),
    }
}

/// A value that is told by the text that it is shown as.
struct Text<'v, T>(&'v T);

impl<'v, T: Display + FromStr> Show for Text<'v, T> {
    fn shape(&self, out: &mut String) {
        out.push_str(&self::std::format!("P{}.", self::std::any::type_name::<T>()));
    }
    fn write(&self, out: &mut Vec<u8>) {
        let text = self.0.to_string();
        let again = T::from_str(&text).map(|value| value.to_string());
        // Nothing follows where the text says less than the value.
        if again.ok().as_ref() == Some(&text) {
            put_bytes(out, 0, text.as_bytes());
        }
    }
}

/// The value of a text. A panic here is no failure of the test.
fn parsed<T: FromStr>(input: &mut Input<'_>) -> T {
    match T::from_str(&read_text(input)) {
        Ok(value) => value,
        Err(_) => self::std::panic!("the text is no value of its type"),
    }
}

pub trait ByNothing<T> {
    fn finish(&self, id: u32) -> T;
}

impl<T> ByNothing<T> for Slot<T> {
    fn finish(&self, _id: u32) -> T {
        match self.0.take() {
            Some(value) => value,
            None => give_up_candidate("a value cannot be made"),
        }
    }
}

/// What can tell its type and value.
trait Show {
    fn shape(&self, out: &mut String);
    fn write(&self, out: &mut Vec<u8>);
}

impl<T: Value> Show for T {
    fn shape(&self, out: &mut String) {
        T::shape(out);
    }
    fn write(&self, out: &mut Vec<u8>) {
        T::write(self, out);
    }
}

/// Writes the value into a file of its own, over what was there of the same place.
fn show<T: Show>(id: u32, value: &T) {
    let folder = match look(|table| table.record) {
        Some(folder) => folder,
        None => return,
    };
    let file = Path::new(folder).join(self::std::format!("{}", id));
    let mut bytes = Vec::new();
    let mut shape = String::new();
    value.shape(&mut shape);
    put_u32(&mut bytes, shape.len());
    bytes.extend_from_slice(shape.as_bytes());
    value.write(&mut bytes);
    let is_short = bytes.len() <= LONGEST && SHOWN.fetch_add(1, Ordering::Relaxed) < MOST;
    // What cannot be shown must not be taken for the last value.
    let shown = if is_short { fs::write(&file, &bytes) } else { fs::write(&file, b"") };
    let _ = shown;
}
