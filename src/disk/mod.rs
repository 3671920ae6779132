//! Files written whole or not at all, and folders of results that are never half of two.

mod anchored;
mod best;
mod in_use;
mod results;
mod way;
mod write;

pub use anchored::AnchoredFile;
pub use best::{BestFile, BestSoFar};
pub use results::{NEW_RESULT, OpenError, ResultFolder, holds_result};
pub use way::{clear_way, remove};
pub use write::{DiskError, unless_gone, write_atomic, write_new};
