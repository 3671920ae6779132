//! Several runs of one test: the one that fails, and others that pass, with other inputs and the same code.
//!
//! Each input that differs between the runs is a macro call in the sources, which a library answers at run time;
//! a second test, the driver, runs the first one for all runs. So a candidate cannot edit away what has to pass, nor
//! let other code pass it:
//!
//! * [`asked`]: what is asked for, and what it is in each run;
//! * [`effects`]: lets statements that are there for what they do run where an input says so;
//! * [`driver`]: puts the driver behind the test;
//! * [`own_module`]: gives a run helpers of its own;
//! * [`reach`]: marks how near to the failure a run gets;
//! * [`shown`]: shows the sources without all that;
//! * [`turns`]: lets the tests of the result run one at a time;
//! * [`written`]: writes the sources with plain literals, and a test for each run.

mod asked;
mod driver;
mod effects;
mod own_module;
mod reach;
mod shown;
mod turns;
mod written;

pub use asked::Contrast;
pub(crate) use driver::functions;
pub use driver::{DRIVER, Driven, LIBRARY, TestFunction, driver, imported, input, test_function};
pub use effects::Effects;
pub use reach::{Approach, Entries, entries};
pub use shown::shown;
pub use turns::{share_something_outside, taking_turns, waits_for_turn};
pub use written::written_out;
