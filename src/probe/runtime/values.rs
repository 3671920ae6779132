// The part of the runtime with switches that looks at values of simple types, and puts a value that
// was always the same in the place of what it was computed by. It stands as the module `values`.
//
// What a type is, is asked of the compiler by name, so that values of any type can be passed through.

extern crate std;

use self::std::any::type_name;
use self::std::boxed::Box;
use self::std::collections::HashMap;
use self::std::env;
use self::std::fs;
use self::std::mem::ManuallyDrop;
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::atomic::Ordering;
use self::std::sync::Mutex;

use super::drive::{give_up, lock, Input};
use super::{trace, trace_with, IS_TRACING};

/// Names the file with the values of places that always have the same one.
const VALUES: &str = "__CARGO_REDUCE_VALUES";
/// A longer text is no literal that anyone would want.
const LONGEST: usize = 200;

/// After so many looks a place that always yielded the same is not looked at again.
const LOOKS: u32 = 64;

/// A place that changes more often is not looked at any more.
const CHANGES: u32 = 256;

/// What a place was seen to yield.
struct Seen {
    /// Its value; none where that is not of interest any more.
    last: Option<Vec<u8>>,
    /// How often it was that.
    looks: u32,
    /// How often it was another one before.
    changes: u32,
}

static SEEN: Mutex<Option<HashMap<u32, Seen>>> = Mutex::new(None);
/// The values to put in.
static KNOWN: Mutex<Option<HashMap<u32, Vec<u8>>>> = Mutex::new(None);

/// Passes a value on, and tells what it is when that is asked for.
pub fn value<T>(id: u32, value: T) -> T {
    if IS_TRACING.load(Ordering::Relaxed) {
        see(ValueForm::Simple, id, type_name::<T>(), written(&value));
    }
    value
}

/// The value that the place always had.
pub fn literal<T>(id: u32) -> T {
    let bytes = match known(id) {
        Some(bytes) => bytes,
        None => give_up("a value is not known"),
    };
    match read(&bytes) {
        Some(value) => value,
        // A generic function may be called with other types than the one that was seen.
        None => self::std::panic!("removed"),
    }
}

/// How a value is told.
#[derive(Clone, Copy)]
pub enum ValueForm {
    /// As the bytes of a simple type.
    Simple = 3,
    /// As the text that `Debug` makes of it.
    Text = 5,
}

/// Remembers what a place yields, and tells it when it is new. Of a place that changes, texts are told
/// all the same: the last one is of interest.
pub fn see(form: ValueForm, id: u32, name: &str, bytes: Option<Vec<u8>>) {
    let mut seen = lock(&SEEN);
    let seen = seen.get_or_insert_with(HashMap::new);
    let bytes = bytes.map(|bytes| [name.as_bytes(), &[0][..], &bytes[..]].concat());
    let changes = match seen.get_mut(&id) {
        None => 0,
        Some(before) if before.last.is_none() => return,
        Some(before) if before.last == bytes => {
            before.looks += 1;
            return;
        }
        Some(before) => before.changes + 1,
    };
    let is_wanted = match form {
        ValueForm::Simple => changes == 0,
        ValueForm::Text => changes <= CHANGES,
    };
    let last = if is_wanted { bytes } else { None };
    match &last {
        Some(bytes) => trace_with(form as u8, id, bytes),
        None => trace(4, id),
    }
    seen.insert(id, Seen { last, looks: 1, changes });
}

/// Whether nothing new is to be expected of a place.
pub fn is_settled(id: u32) -> bool {
    let seen = lock(&SEEN);
    let place = seen.as_ref().and_then(|seen| seen.get(&id));
    match place {
        Some(Seen { last: None, .. }) => true,
        Some(Seen { looks, changes, .. }) => *changes == 0 && *looks >= LOOKS,
        None => false,
    }
}

fn known(id: u32) -> Option<Vec<u8>> {
    let mut known = lock(&KNOWN);
    let found = known.as_ref().and_then(|known| known.get(&id).cloned());
    if found.is_some() {
        return found;
    }
    // More may have become known.
    let bytes = fs::read(env::var_os(VALUES)?).ok()?;
    let mut input = Input { bytes: &bytes, at: 0 };
    let mut all = HashMap::new();
    while input.at < bytes.len() {
        let id = input.u32();
        let length = input.u32() as usize;
        all.insert(id, input.take(length).to_vec());
    }
    let found = all.get(&id).cloned();
    *known = Some(all);
    found
}

/// Calls `$do` with the simple type that has the name of `T`.
macro_rules! simple {
    ($name:expr, $do:ident, $($ty:ty)*) => { match $name {
        $(name if name == type_name::<$ty>() => $do!($ty),
        name if name == type_name::<Option<$ty>>() => $do!(Option<$ty>),)*
        _ => None,
    } };
}

macro_rules! all_simple {
    ($name:expr, $do:ident) => {
        simple!($name, $do, () bool char &'static str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize)
    };
}

/// A value of a simple type as bytes.
fn written<T>(value: &T) -> Option<Vec<u8>> {
    macro_rules! write {
        ($ty:ty) => {{
            // SAFETY: the names are equal, so `T` is `$ty`, but for the life time of a text, which is
            // only looked at here.
            let value = unsafe { &*(value as *const T as *const $ty) };
            Simple::write(value)
        }};
    }
    all_simple!(type_name::<T>(), write)
}

/// The value of a simple type that these bytes stand for.
fn read<T>(bytes: &[u8]) -> Option<T> {
    macro_rules! read {
        ($ty:ty) => {{
            let value: ManuallyDrop<$ty> = ManuallyDrop::new(Simple::read(bytes)?);
            // SAFETY: the names are equal, so `$ty` is `T`; a text lives as long as any.
            Some(unsafe { self::std::mem::transmute_copy::<ManuallyDrop<$ty>, T>(&value) })
        }};
    }
    all_simple!(type_name::<T>(), read)
}

trait Simple: Sized {
    fn write(&self) -> Option<Vec<u8>>;
    fn read(bytes: &[u8]) -> Option<Self>;
}

impl Simple for () {
    fn write(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }
    fn read(_: &[u8]) -> Option<()> {
        Some(())
    }
}

impl Simple for &'static str {
    fn write(&self) -> Option<Vec<u8>> {
        if self.len() > LONGEST { None } else { Some(self.as_bytes().to_vec()) }
    }
    fn read(bytes: &[u8]) -> Option<&'static str> {
        let text = String::from_utf8(bytes.to_vec()).ok()?;
        Some(Box::leak(text.into_boxed_str()))
    }
}

impl<S: Simple> Simple for Option<S> {
    fn write(&self) -> Option<Vec<u8>> {
        match self {
            None => Some(self::std::vec![0]),
            Some(inner) => Some([&[1][..], &inner.write()?[..]].concat()),
        }
    }
    fn read(bytes: &[u8]) -> Option<Option<S>> {
        match bytes.split_first()? {
            (0, _) => Some(None),
            (_, inner) => Some(Some(S::read(inner)?)),
        }
    }
}

macro_rules! parsed {
    ($($ty:ty)*) => { $(
        impl Simple for $ty {
            fn write(&self) -> Option<Vec<u8>> {
                Some(self::std::string::ToString::to_string(self).into_bytes())
            }
            fn read(bytes: &[u8]) -> Option<$ty> {
                self::std::str::from_utf8(bytes).ok()?.parse().ok()
            }
        }
    )* };
}
parsed!(bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
