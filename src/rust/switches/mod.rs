//! Places of a source that can be switched off at run time, and the source with those switches in it.
//!
//! The classic way tries each reduction by a build of its own. Here one build holds many of them, each
//! behind a switch, as mutation testing does with its meta-mutants (Untch, Offutt, Harrold, "Mutation
//! Analysis Using Mutant Schemata", 1993):
//!
//! * [`find()`] lists the [`SwitchPlace`]s of a text: statements, conditions, arms, bodies, initial values;
//! * [`instrument()`] puts a switch and a counter at each of them, without adding a line;
//! * what the compiler rejects is taken back: [`Instrumented::blame`] tells which places;
//! * [`reductions()`] writes a set of switches out as edits of the plain text.
//!
//! Constant expressions, patterns, types and the bodies of macros are left alone.

mod blame;
mod collect;
mod instrument;
mod place;
pub(crate) mod shapes;
mod written;

pub use blame::{InstrumentedError, Reach};
pub use collect::find;
pub use instrument::{Instrumented, Mode, instrument};
pub use place::{SwitchKind, SwitchPlace, SwitchPlaces};
pub use written::{Chosen, reductions};

#[cfg(test)]
mod tests;
