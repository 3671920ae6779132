//! Calls that panic, as an oracle.

use std::any::{Any, TypeId};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::reduce::Outcome;

thread_local! {
    /// Whether a panic of this thread is caught and judged here, so that it is not reported.
    static IS_JUDGED: Cell<bool> = const { Cell::new(false) };
}

/// What identifies a panic.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Panic {
    /// It has a message.
    Message(String),
    /// It was raised with a value of another type, by `std::panic::panic_any`.
    Value(TypeId),
}

impl Panic {
    fn new(payload: &(dyn Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&'static str>().copied());
        match message {
            Some(message) => Panic::Message(message.to_owned()),
            None => Panic::Value(payload.type_id()),
        }
    }

    /// The outcome of a call that ended with `panic`, where the original call ended with this one.
    pub(super) fn judge(&self, panic: Option<&Panic>) -> Outcome {
        match panic {
            None => Outcome::Pass,
            Some(panic) if panic == self => Outcome::Fail,
            Some(_) => Outcome::Unresolved,
        }
    }
}

/// Makes a call, and returns its panic if it panics.
pub(super) fn panic_of<R>(call: impl FnOnce() -> R) -> Option<Panic> {
    quiet_the_hook();
    let before = IS_JUDGED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    IS_JUDGED.set(before);
    result.err().map(|payload| Panic::new(&*payload))
}

/// Puts, once, a hook before the present one that holds back the panics judged here; those of other
/// threads are reported as before.
fn quiet_the_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_JUDGED.try_with(Cell::get).unwrap_or(false) {
                report(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::{Panic, panic_of};
    use crate::reduce::Outcome;

    #[test]
    fn messages_are_taken_from_literals_and_formatted_text() {
        let message = |text: &str| Some(Panic::Message(text.to_owned()));
        assert_eq!(panic_of(|| panic!("plain")), message("plain"));
        assert_eq!(panic_of(|| panic!("with {}", 5)), message("with 5"));
        assert_eq!(panic_of(|| 5), None);
    }

    #[test]
    fn values_are_told_by_their_type() {
        let original = panic_of(|| panic_any(5u8)).expect("it panics");
        assert_eq!(original.judge(panic_of(|| panic_any(6u8)).as_ref()), Outcome::Fail);
        assert_eq!(original.judge(panic_of(|| panic_any(6u16)).as_ref()), Outcome::Unresolved);
        assert_eq!(original.judge(panic_of(|| panic!("text")).as_ref()), Outcome::Unresolved);
        assert_eq!(original.judge(None), Outcome::Pass);
    }

    #[test]
    fn panics_can_be_judged_inside_a_judged_call() {
        let outer = panic_of(|| {
            assert!(panic_of(|| panic!("inner")).is_some());
            panic!("outer")
        });
        assert_eq!(outer, Some(Panic::Message("outer".into())));
    }
}
