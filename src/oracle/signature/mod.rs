//! What identifies "the same failure".
//!
//! A [`Signature`] has a kind, a message and a location. Messages carry the input itself (`byte
//! index 5 is not a char boundary; it is inside 'é' …`), and so change with every candidate:
//! comparing them literally would block every reduction, ignoring them would let a reduction slip
//! into another failure. Their [`template`] is the middle: what depends on the input is blanked,
//! what names the failure stays. A [`Matcher`] says whether a candidate's failure is the original one.

mod blank;
mod difference;
mod heap;
mod kind;
mod location;
mod matching;
mod own_words;
mod panic_head;
mod sets;
mod template;

pub(crate) use difference::{Change, changes, operations, tokens};
pub use heap::{ALLOCATOR_COMPLAINTS, told_of_damage};
pub(crate) use kind::sides;
pub use kind::{FailureKind, Signature};
pub use location::Location;
pub use matching::{Match, Matcher};
pub(crate) use own_words::Given;
pub(super) use panic_head::PanicHead;
pub use template::template;
