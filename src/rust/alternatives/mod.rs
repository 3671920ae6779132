//! Sources that differ only inside of functions, as one source.
//!
//! A mutant schema (Untch, Offutt, Harrold, "Mutation Analysis Using Mutant Schemata", 1993) whose unit is
//! the body of a function: each body that a candidate has and the base has not becomes a function beside that of
//! the base (or stands in front of its body), and is run instead of it where it is picked. So any reduction inside of a
//! function can be tried without a build of its own, and what the compiler says of each body is said of it alone.
//!
//! * [`Cut`]: a source cut at the bodies of its functions;
//! * [`Alternatives`]: candidates that have the same text as the base around their bodies;
//! * [`Joined`]: one source for all of them.

mod bodies;
mod joined;

use bodies::Body;
pub use bodies::{Cut, Likeness, bodies};
pub use joined::{Alternatives, Joined};
