//! What every job needs: its configuration, the session with the user, the test, limits, and how it ends.

pub mod changes;
pub mod chosen;
pub mod config;
pub mod console;
pub mod debugger;
pub mod doc_tests;
pub mod each;
pub mod exit;
pub mod failure;
pub mod files;
pub mod find;
mod junit;
pub mod limits;
pub mod listing;
mod no_such_test;
pub mod not_reproduced;
pub mod plain_test;
pub mod proof;
mod publish;
pub mod search_driver;
mod search_teller;
pub mod session;
pub mod shard;
mod since;
mod text_config;
