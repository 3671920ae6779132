# Recipes for working on cargo-reduce; `just` lists them.

_default:
    @just --list

# All that has to pass before a change is merged.
ci:
    .ci/run

# Format the code.
fmt:
    cargo fmt --all

# The lints, warnings denied.
lint:
    cargo clippy --all-targets --features bench -- -D warnings

# The tests; NAMES select some of them.
test *NAMES:
    cargo test {{NAMES}}

# The main job, on a fixture.
demo:
    cargo run --quiet -- reduce --manifest-path fixtures/release-notes/Cargo.toml keeps_every_version

# One bench of `benches/`.
bench NAME:
    cargo bench --features bench --bench {{NAME}}

# Licences, sources and advisories of the dependencies (needs cargo-deny).
deny:
    cargo deny check

# Tests of whole searches that take long.
slow:
    cargo test --test it -- --ignored --skip many_kills

# 200 kills at random moments, of all jobs.
kills:
    cargo test --test it -- --ignored --nocapture many_kills

# Every case of a corpus of real failures, with a table of what came out.
corpus DIR:
    CARGO_REDUCE_CORPUS={{DIR}} cargo test --release --test corpus -- --ignored --nocapture

# Mutated inputs for the readers of what others have written: so many for each of them.
fuzz-readers INPUTS="100000":
    READERS_INPUTS={{INPUTS}} cargo test --release --lib -- --include-ignored readers_tests::
