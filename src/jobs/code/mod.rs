//! `--code`: the smallest source that still fails the test.

mod adopt;
mod call;
mod catalogue;
mod clock;
mod code_job;
mod companions;
mod compile_plan;
mod contrast;
mod data;
mod difference;
mod expand;
mod expectations;
mod failing;
mod files;
mod first_inputs;
mod flat_layout;
mod layout;
mod left_package;
mod literals;
mod make_buildable;
mod nearest;
mod nearest_tests;
mod necessity_report;
mod neighbours;
mod other;
mod package;
mod pass_stats;
mod recorded;
mod search;
mod shape;
mod story;
mod subject;
mod switches;
mod with_runs;

pub use catalogue::list_passes;
pub use story::run;
