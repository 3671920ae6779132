//! Parse time and memory-relevant sizes against the length of the text, and texts per second while a
//! pattern is made.
//!
//! `cargo bench --bench grammar`

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::error::Error;
use std::time::Instant;

use cargo_reduce::Outcome;
use cargo_reduce::generalize::{Options, ddset};
use cargo_reduce::grammar::{Parser, builtin};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

const JSON: &str =
    r#"{"id": 17, "name": "a \"quoted\" word", "tags": ["x", "y", null], "rate": -1.5e3},"#;
const HTML: &str = "<p class=\"lead\">Some <b>bold</b> text &amp; more</p>\n<img src='x.png'/>\n";

fn parse(name: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let grammar = builtin(name).ok_or("no such grammar")?;
    let parser = Parser::new(&grammar);
    let start = Instant::now();
    let tree = parser.parse(text)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name:10}{:>10} bytes{:>10} nodes{seconds:>10.4} s",
        text.len(),
        tree.len()
    );
    Ok(())
}

fn generalize() -> Result<(), Box<dyn Error>> {
    let grammar = builtin("html").ok_or("no such grammar")?;
    let tree = Parser::new(&grammar).parse("<foo>\"bar</foo>")?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut quoted = |text: &str| {
        Ok(if text.contains('"') {
            Outcome::Fail
        } else {
            Outcome::Pass
        })
    };
    let start = Instant::now();
    let found = ddset(&grammar, &tree, &mut quoted, Options::default(), &mut rng);
    let seconds = start.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a rate to look at")]
    let rate = found.tests as f64 / seconds;
    println!(
        "{}: {} texts, {rate:.0} texts/s",
        found.pattern, found.tests
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    for times in [10, 100, 1000] {
        parse("json", &format!("[{}0]", JSON.repeat(times)))?;
        parse("html", &HTML.repeat(times))?;
    }
    generalize()
}
