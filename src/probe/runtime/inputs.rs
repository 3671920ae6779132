// The runtime that is put into the crate of the test under reduction (by `#[path]`, as the module
// `__cargo_reduce`). It answers, at run time, which value each rewritten literal has and which
// elements of each rewritten sequence are kept. The loop that runs the test is in `drive.rs`.
//
// Standard library only, no unsafe code, and nothing newer than Rust 1.63 or an edition: it must
// compile inside any crate, also one that is `no_std` or forbids unsafe code.
#![allow(warnings, clippy::all, clippy::pedantic)]

extern crate std;

use self::std::any::Any;
use self::std::boxed::Box;
use self::std::cell::RefCell;
use self::std::collections::HashMap;
use self::std::ffi::{CStr, CString};
use self::std::fs;
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::{Once, PoisonError, RwLock};

pub use self::drive::drive;
use self::drive::{give_up, give_up_candidate, show_later_panics_plainly, Input};
pub use self::reached::reached;
pub use self::report::Report;

/// What the types of rewritten arrays become.
pub use self::std::vec::Vec;

/// Names the file that holds one candidate, for a process that runs just that one.
const CANDIDATE: &str = "__CARGO_REDUCE_CANDIDATE";
/// Names the file with the values at the boundary.
const OBSERVED: &str = "__CARGO_REDUCE_OBSERVED";
/// Memory handed out is never reused; past this many bytes the process asks to be replaced.
const LEAK_LIMIT: usize = 64 << 20;

/// What a candidate says of one node.
#[derive(Clone)]
enum Change {
    Text(&'static str),
    Bytes(&'static [u8]),
    Char(char),
    Int(bool, u128),
    Float(f64),
    Bool(bool),
    Kept(Vec<bool>),
    /// A value at the boundary.
    Whole(&'static [u8]),
}

/// The base is the best so far; a candidate is a few changes on top of it.
struct Table {
    base: Vec<Option<Change>>,
    candidate: Vec<Option<Change>>,
    generation: u64,
    leaked: usize,
    /// The folder in which values at the boundary are shown.
    record: Option<&'static str>,
}

static TABLE: RwLock<Table> = RwLock::new(Table {
    base: Vec::new(),
    candidate: Vec::new(),
    generation: 0,
    leaked: 0,
    record: None,
});
static LOAD: Once = Once::new();

impl Table {
    fn get(&self, id: u32) -> Option<&Change> {
        let place = id as usize;
        let changed = self.candidate.get(place).and_then(Option::as_ref);
        changed.or_else(|| self.base.get(place)?.as_ref())
    }
}

fn put(table: &mut Vec<Option<Change>>, id: u32, change: Change) {
    let id = id as usize;
    if table.len() <= id {
        table.resize(id + 1, None);
    }
    table[id] = Some(change);
}

/// Looks a node up; in a process for one candidate the first look-up loads it.
fn look<R>(read: impl FnOnce(&Table) -> R) -> R {
    LOAD.call_once(load_single);
    read(&TABLE.read().unwrap_or_else(PoisonError::into_inner))
}

fn load_single() {
    load_observed();
    let path = match self::std::env::var_os(CANDIDATE) {
        Some(path) => path,
        None => return,
    };
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => give_up_candidate(&self::std::format!("cannot read the candidate: {}", error)),
    };
    let mut input = Input { bytes: &bytes, at: 0 };
    let mut table = write_table();
    let table = &mut *table;
    load_changes(&mut input, &mut table.base, &mut table.leaked);
    show_later_panics_plainly();
}

/// Loads the values at the boundary that all candidates have unless they say otherwise.
fn load_observed() {
    let record = self::std::env::var(self::observed::RECORD).ok();
    let bytes = self::std::env::var_os(OBSERVED).and_then(|path| fs::read(path).ok());
    let mut table = write_table();
    let table = &mut *table;
    table.record = record.map(|folder| &*Box::leak(folder.into_boxed_str()));
    if let Some(bytes) = bytes {
        let mut input = Input { bytes: &bytes, at: 0 };
        load_changes(&mut input, &mut table.base, &mut table.leaked);
        table.leaked = 0;
    }
}

fn write_table() -> self::std::sync::RwLockWriteGuard<'static, Table> {
    TABLE.write().unwrap_or_else(PoisonError::into_inner)
}

// ------------------------------------------------------------------ what rewritten code calls

pub fn text(id: u32, original: &'static str) -> &'static str {
    look(|table| match table.get(id) {
        Some(Change::Text(text)) => *text,
        _ => original,
    })
}

pub fn bytes(id: u32, original: &'static [u8]) -> &'static [u8] {
    look(|table| match table.get(id) {
        Some(Change::Bytes(bytes)) => *bytes,
        Some(Change::Text(text)) => text.as_bytes(),
        _ => original,
    })
}

pub fn cstr(id: u32, original: &'static CStr) -> &'static CStr {
    let changed = look(|table| match table.get(id) {
        Some(Change::Bytes(bytes)) => Some(*bytes),
        _ => None,
    });
    match changed.map(CString::new) {
        Some(Ok(text)) => Box::leak(text.into_boxed_c_str()),
        // Not the original, which would count as this candidate's failure.
        Some(Err(_)) => self::std::panic!("a C string with a NUL inside cannot be written"),
        None => original,
    }
}

pub fn character(id: u32, original: char) -> char {
    look(|table| match table.get(id) {
        Some(Change::Char(character)) => *character,
        _ => original,
    })
}

pub fn boolean(id: u32, original: bool) -> bool {
    look(|table| match table.get(id) {
        Some(Change::Bool(value)) => *value,
        _ => original,
    })
}

pub fn num<T: Num>(id: u32, original: T) -> T {
    look(|table| numeric(table, id, original))
}

fn numeric<T: Num>(table: &Table, id: u32, original: T) -> T {
    match table.get(id) {
        Some(Change::Int(negative, magnitude)) => T::from_int(*negative, *magnitude),
        Some(Change::Float(value)) => T::from_float(*value),
        _ => original,
    }
}

/// The path of a file with the candidate's content, or the original path.
pub fn path(id: u32, original: &'static str) -> &'static str {
    let content: &'static [u8] = match look(|table| table.get(id).cloned()) {
        Some(Change::Text(text)) => text.as_bytes(),
        Some(Change::Bytes(bytes)) => bytes,
        _ => return original,
    };
    let name = self::std::path::Path::new(original)
        .file_name()
        .map_or(self::std::string::String::new(), |name| name.to_string_lossy().into_owned());
    let folder = self::std::env::temp_dir()
        .join(self::std::format!("cargo-reduce-{}-{}", self::std::process::id(), id));
    let file = folder.join(name);
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, content));
    if let Err(error) = written {
        give_up_candidate(&self::std::format!("cannot write {}: {}", file.display(), error));
    }
    let path = file.to_string_lossy().into_owned();
    let mut table = write_table();
    table.leaked += path.len();
    Box::leak(path.into_boxed_str())
}

/// Whether the element with that ordinal in the original sequence is kept.
pub fn on(id: u32, ordinal: u32) -> bool {
    look(|table| kept(table, id, ordinal as usize))
}

fn kept(table: &Table, id: u32, ordinal: usize) -> bool {
    match table.get(id) {
        Some(Change::Kept(kept)) => kept.get(ordinal).copied().unwrap_or(false),
        _ => true,
    }
}

pub fn list<T, const N: usize>(_id: u32, elements: [Option<T>; N]) -> Vec<T> {
    let mut list = Vec::with_capacity(N);
    list.extend(IntoIterator::into_iter(elements).flatten());
    list
}

/// What the standard library makes of an array, made of a list.
pub trait FromList<T> {
    fn from_list(list: Vec<T>) -> Self;
}

macro_rules! from_lists {
    ($($of:ty, $made:ty, [$($generic:tt)*];)*) => { $(
        impl<$($generic)*> FromList<$of> for $made {
            fn from_list(list: Vec<$of>) -> Self {
                list.into_iter().collect()
            }
        }
    )* };
}
from_lists! {
    (K, V), self::std::collections::BTreeMap<K, V>, [K: Ord, V];
    (K, V), HashMap<K, V>, [K: Eq + self::std::hash::Hash, V];
    T, self::std::collections::BTreeSet<T>, [T: Ord];
    T, self::std::collections::HashSet<T>, [T: Eq + self::std::hash::Hash];
    T, self::std::collections::LinkedList<T>, [T];
}

/// A collection by another name, made of a list; of those above it would not tell the hasher.
pub trait Collection<T> {
    fn of_list(list: Vec<T>) -> Self;
}

impl<T, C: self::std::iter::FromIterator<T>> Collection<T> for C {
    fn of_list(list: Vec<T>) -> Self {
        list.into_iter().collect()
    }
}

pub fn slice<'a, T: 'a, const N: usize>(id: u32, elements: [Option<T>; N]) -> &'a [T] {
    leak(list(id, elements))
}

// Lists of plain literals come by reference: these stand in the program's data, and a long one would not
// fit on the stack of a test.

pub fn nums<T: Num>(id: u32, first: u32, elements: &[T]) -> Vec<T> {
    pick(id, elements, |table, ordinal, original| numeric(table, first + ordinal, original))
}

pub fn num_slice<'a, T: Num + 'a>(id: u32, first: u32, elements: &[T]) -> &'a [T] {
    leak(nums(id, first, elements))
}

pub fn texts(id: u32, first: u32, elements: &[&'static str]) -> Vec<&'static str> {
    pick(id, elements, |table, ordinal, original| match table.get(first + ordinal) {
        Some(Change::Text(text)) => *text,
        _ => original,
    })
}

pub fn text_slice<'a>(id: u32, first: u32, elements: &[&'static str]) -> &'a [&'static str] {
    leak(texts(id, first, elements))
}

/// Rows of literals: `change` makes a row with the candidate's values of one that has the original ones,
/// the first of which has the id that it gets.
pub fn rows<T>(id: u32, rows: &[T], firsts: &[u32], change: impl Fn(u32, &T) -> T) -> Vec<T> {
    let mut list = Vec::with_capacity(rows.len());
    for (ordinal, (row, first)) in rows.iter().zip(firsts).enumerate() {
        if on(id, ordinal as u32) {
            list.push(change(*first, row));
        }
    }
    list
}

pub fn row_slice<'a, T: 'a>(
    id: u32,
    elements: &[T],
    firsts: &[u32],
    change: impl Fn(u32, &T) -> T,
) -> &'a [T] {
    leak(rows(id, elements, firsts, change))
}

/// A row has none of the shapes that were found in the source.
pub fn other_row() -> ! {
    give_up("a row has another shape than in the source")
}

fn pick<T: Copy>(id: u32, elements: &[T], value: impl Fn(&Table, u32, T) -> T) -> Vec<T> {
    look(|table| {
        let mut picked = Vec::with_capacity(elements.len());
        for (ordinal, element) in elements.iter().enumerate() {
            if kept(table, id, ordinal) {
                picked.push(value(table, ordinal as u32, *element));
            }
        }
        picked
    })
}

/// One call of a chain, if it is kept.
pub fn chain<T>(id: u32, ordinal: u32, it: T, call: impl FnOnce(T) -> T) -> T {
    if on(id, ordinal) { call(it) } else { it }
}

pub fn repeat<T: Clone>(element: T, times: usize) -> Vec<T> {
    self::std::vec![element; times]
}

fn leak<'a, T: 'a>(list: Vec<T>) -> &'a [T] {
    let size = self::std::mem::size_of::<T>() * list.len();
    let leaked = Box::leak(list.into_boxed_slice());
    write_table().leaked += size;
    leaked
}

self::std::thread_local! {
    static MEMO: RefCell<HashMap<u32, (u64, Box<dyn Any>)>> = RefCell::new(HashMap::new());
}

/// The value of a former `const` or `static`, made once for each candidate and thread.
pub fn memo<T: Copy + 'static>(id: u32, make: impl FnOnce() -> T) -> T {
    let generation = look(|table| table.generation);
    let known = MEMO.with(|memo| {
        let memo = memo.borrow();
        let (made_for, value) = memo.get(&id)?;
        if *made_for == generation { value.downcast_ref::<T>().copied() } else { None }
    });
    if let Some(value) = known {
        return value;
    }
    let value = make();
    MEMO.with(|memo| memo.borrow_mut().insert(id, (generation, Box::new(value))));
    value
}

/// Numbers of all types, so that a rewritten literal keeps its inference.
pub trait Num: Copy {
    fn from_int(negative: bool, magnitude: u128) -> Self;
    fn from_float(value: f64) -> Self;
}

macro_rules! ints {
    ($($int:ty)*) => { $(
        impl Num for $int {
            #[allow(unused_comparisons)]
            fn from_int(negative: bool, magnitude: u128) -> $int {
                let value = if negative { (magnitude as $int).wrapping_neg() } else { magnitude as $int };
                let back = if negative { (value as u128).wrapping_neg() } else { value as u128 };
                if back != magnitude || (value < 0) != (negative && magnitude != 0) {
                    give_up_candidate(&self::std::format!("{} is out of the range of its type", magnitude));
                }
                value
            }
            fn from_float(value: f64) -> $int { value as $int }
        }
    )* };
}
ints!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($float:ty)*) => { $(
        impl Num for $float {
            fn from_int(negative: bool, magnitude: u128) -> $float {
                if negative { -(magnitude as $float) } else { magnitude as $float }
            }
            fn from_float(value: f64) -> $float { value as $float }
        }
    )* };
}
floats!(f32 f64);

// ------------------------------------------------------------------ what the loop calls

/// Changes the base.
fn load_base(input: &mut Input<'_>) {
    LOAD.call_once(load_single);
    let mut table = write_table();
    let table = &mut *table;
    load_changes(input, &mut table.base, &mut table.leaked);
}

/// Puts the next candidate in the place of the last one.
fn load_candidate(input: &mut Input<'_>) {
    let mut table = write_table();
    let table = &mut *table;
    table.generation += 1;
    table.candidate.clear();
    load_changes(input, &mut table.candidate, &mut table.leaked);
}

/// Whether this process has used up what it may.
fn is_spent() -> bool {
    write_table().leaked > LEAK_LIMIT
}

/// Whether a panic in that file is one of the runtime's own: no value panics.
fn is_own(_file: &str) -> bool {
    false
}

fn load_changes(input: &mut Input<'_>, table: &mut Vec<Option<Change>>, leaked: &mut usize) {
    for _ in 0..input.u32() {
        let id = input.u32();
        let change = load_change(input, leaked);
        put(table, id, change);
    }
}

fn load_change(input: &mut Input<'_>, leaked: &mut usize) -> Change {
    match input.byte() {
        0 => {
            let text = input.string();
            *leaked += text.len();
            Change::Text(Box::leak(text.into_boxed_str()))
        }
        1 => {
            let length = input.u32() as usize;
            *leaked += length;
            Change::Bytes(Box::leak(input.take(length).to_vec().into_boxed_slice()))
        }
        2 => Change::Char(self::std::char::from_u32(input.u32()).unwrap_or('?')),
        3 => Change::Int(input.byte() == 1, input.u128()),
        4 => Change::Float(f64::from_bits(input.u128() as u64)),
        5 => Change::Bool(input.byte() == 1),
        6 => {
            let length = input.u32() as usize;
            let mut kept = self::std::vec![false; length];
            for _ in 0..input.u32() {
                let ordinal = input.u32() as usize;
                if ordinal < length {
                    kept[ordinal] = true;
                }
            }
            Change::Kept(kept)
        }
        7 => {
            let length = input.u32() as usize;
            *leaked += length;
            Change::Whole(Box::leak(input.take(length).to_vec().into_boxed_slice()))
        }
        _ => give_up("a frame has an unknown kind of change"),
    }
}
