//! Time and memory that a parse takes against the length of the text, and texts per second while a
//! pattern is made.
//!
//! `cargo bench --features bench --bench grammar`; `benches/grammar_reference.py` does the same with the parser of the
//! Fuzzing Book.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::error::Error;
use std::fs;
use std::time::Instant;

use cargo_reduce::Outcome;
use cargo_reduce::internals::{Options, ddset};
use cargo_reduce::internals::{Parser, builtin};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

const JSON: &str =
    r#"{"id": 17, "name": "a \"quoted\" word", "tags": ["x", "y", null], "rate": -1.5e3},"#;
const HTML: &str = "<p class=\"lead\">Some <b>bold</b> text &amp; more</p>\n<img src='x.png'/>\n";
/// Lengths of texts in bytes, about.
const LENGTHS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

fn parse(name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let grammar = builtin(name).ok_or("no such grammar")?;
    let parser = Parser::new(&grammar);
    let before = reset_peak();
    let start = Instant::now();
    let tree = parser.parse(text)?;
    let seconds = start.elapsed().as_secs_f64();
    let memory = peak()
        .zip(before)
        .map_or("?".to_owned(), |(peak, before)| peak.saturating_sub(before).to_string());
    println!(
        "{name:10}{:>10} bytes{:>10} nodes{seconds:>10.4} s{memory:>10} KiB",
        text.len(),
        tree.len()
    );
    Ok(())
}

/// Forgets the peak of the memory in use, and returns what is in use now, in KiB. Linux only.
fn reset_peak() -> Option<u64> {
    fs::write("/proc/self/clear_refs", "5").ok()?;
    status("VmRSS:")
}

/// The most memory that was in use since then, in KiB.
fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

fn generalize(name: &str, text: &str, fails: fn(&str) -> bool) -> Result<(), Box<dyn Error>> {
    let grammar = builtin(name).ok_or("no such grammar")?;
    let tree = Parser::new(&grammar).parse(text)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut tests = 0;
    let mut ask = |text: &str| {
        tests += 1;
        Ok(if fails(text) { Outcome::Fail } else { Outcome::Pass })
    };
    let start = Instant::now();
    let found = ddset(&grammar, &tree, &mut ask, Options::default(), &mut rng);
    let seconds = start.elapsed().as_secs_f64();
    let rate = f64::from(tests) / seconds;
    println!("{text} by {name}: {}, {tests} texts, {rate:.0} texts/s", found.pattern);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    for length in LENGTHS {
        parse("json", &format!("[{}0]", JSON.repeat(length / JSON.len())))?;
        parse("html", &HTML.repeat(length / HTML.len()))?;
        parse("text", &HTML.repeat(length / HTML.len()))?;
    }
    generalize("html", "<foo>\"bar</foo>", |text| text.contains('"'))?;
    generalize("json", "[1, null]", |text| text.contains("null"))?;
    generalize("arithmetic", "1+2*3/0", |text| text.contains("/0"))
}
