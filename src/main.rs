//! The `cargo-reduce` binary: `cargo reduce …`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cargo_reduce::cli::main(std::env::args_os())
}
