//! The memory of outcomes: what was asked before need not be asked again.
//!
//! An append-only journal of fixed-size records. Of the alternatives, a database (`SQLite`, redb)
//! would bring transactions that nothing here needs: a record is written once, is never changed,
//! and losing the last one costs one candidate. What is needed is that a record outlives us when we
//! are killed, which a plain `write` gives (the data is the kernel's by then), that a torn record
//! does no harm, which a check sum gives, and that looking up costs nothing, which a table in memory
//! gives: 25 bytes on disk and about 40 in memory for an outcome.
//!
//! The store is an optimization. When its file cannot be read or written the run goes on without
//! it; [`Store::trouble`] says so.

mod journal;
mod key;

pub use journal::Store;
pub use key::Key;
