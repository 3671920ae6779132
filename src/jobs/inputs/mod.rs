//! The inputs of a failing test: found, searched for smaller ones, written back and confirmed.

mod addition;
pub mod agreement;
pub mod best_inputs;
pub mod call;
pub mod choose;
pub mod confirm;
pub mod crossing;
pub mod derived;
pub mod doubt;
pub mod flaky_search;
pub mod form;
pub mod keeping;
pub mod last_round;
pub mod listing;
pub mod numbers;
pub mod one_of;
pub mod origin;
pub mod other_version;
pub mod prober;
pub mod reaching;
pub mod reading;
pub mod rebuild;
pub mod regression;
pub mod run_folders;
pub mod search;
pub mod search_inputs;
pub mod second_look;
pub mod start;
pub mod store_at;
pub mod story;
pub mod subject;
pub mod unsettled;
pub mod why_left;
pub mod write_out;

pub use story::run;
