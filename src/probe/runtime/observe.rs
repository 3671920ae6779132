// The part of the runtime with switches that tells what values of any type are, by the text that
// `Debug` makes of them, where their type has it. It stands as the module `observe`.

extern crate std;

use self::std::any::type_name;
use self::std::fmt::{self, Debug, Write};
use self::std::option::Option::{self, None, Some};
use self::std::prelude::v1::*;
use self::std::sync::atomic::Ordering;

use super::values::{is_settled, see, ValueForm};
use super::{hit, IS_TRACING};

/// A longer text is no expression that anyone would want.
const LONGEST: usize = 1 << 11;

/// Passes a value on, and tells its text when that is asked for.
pub fn observe<T>(id: u32, value: T, text: impl FnOnce(&T) -> Option<String>) -> T {
    hit(id);
    if IS_TRACING.load(Ordering::Relaxed) && !is_settled(id) {
        see(ValueForm::Text, id, type_name::<T>(), text(&value).map(String::into_bytes));
    }
    value
}

/// A value whose text is asked for. The compiler takes the first trait that its type has: that for
/// `&Shown` needs one dereference less.
pub struct Shown<'v, T>(pub &'v T);

pub trait ByDebug {
    fn text(&self) -> Option<String>;
}

impl<'v, T: Debug> ByDebug for &Shown<'v, T> {
    fn text(&self) -> Option<String> {
        let mut text = Bounded(String::new());
        match self::std::write!(text, "{:?}", self.0) {
            Ok(()) => Some(text.0),
            Err(_) => None,
        }
    }
}

pub trait ByNothing {
    fn text(&self) -> Option<String>;
}

impl<'v, T> ByNothing for Shown<'v, T> {
    fn text(&self) -> Option<String> {
        None
    }
}

/// A text that does not grow without end: the value may be a cycle.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.0.len() + more.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(more);
        Ok(())
    }
}
