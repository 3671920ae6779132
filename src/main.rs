//! The `cargo-reduce` binary.

fn main() {}
