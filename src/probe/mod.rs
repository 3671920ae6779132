//! The probe build: compile once, try thousands of candidates.
//!
//! * [`rewrite`](rewrite()): which places can be switched, and the instrumented copy.
//! * [`switches`]: the same for places in the code that are switched off;
//! * [`bodies`]: functions with several bodies;
//! * [`runs`]: one test with several inputs;
//! * [`wire`], [`link`] and [`answers`]: how candidates are told to a running test binary, and what it says;
//! * [`candidate_file`]: how a candidate is told to a binary that runs just that one. The other side is
//!   the folder `runtime`, which is not part of this crate: it is put into the crate under test.

pub mod answers;
mod as_written;
pub mod bodies;
pub mod candidate_file;
pub mod link;
mod rewrite;
pub mod runs;
pub mod switches;
pub mod wire;

pub use as_written::as_written;
pub use rewrite::{Entry, Rewritten, blame, reached_call, rewrite};

/// Where the runtime's source is put, at the root of the scratch copy.
pub const RUNTIME_FILE: &str = "cargo_reduce_runtime.rs";

/// The environment variable that names the file in which a run tells which statements it has reached: when each was
/// reached the last time, in eight bytes.
pub const REACHED: &str = "__CARGO_REDUCE_REACHED";

/// The environment variable that holds the number of the statement at which a run ends, as if it failed there.
pub const ENDS_AT: &str = "__CARGO_REDUCE_ENDS_AT";

/// The source of the runtime that is put into the crate under test.
pub const RUNTIME: &str = concat!(
    include_str!("runtime/inputs.rs"),
    "\nmod drive {\n",
    include_str!("runtime/drive.rs"),
    "}\nmod report {\n",
    include_str!("runtime/report.rs"),
    "}\npub mod observed {\n",
    include_str!("runtime/observed.rs"),
    "}\nmod written {\n",
    include_str!("runtime/written.rs"),
    "}\npub mod files {\n",
    include_str!("runtime/files.rs"),
    "}\nmod reached {\n",
    include_str!("runtime/reached.rs"),
    "}\n",
);
