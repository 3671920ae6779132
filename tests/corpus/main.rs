//! The binary on a folder of real failures: a table of what came out, and the criteria it has to meet.
//!
//! ```sh
//! CARGO_REDUCE_CORPUS=path/to/corpus cargo test --release --test corpus -- --ignored --nocapture
//! ```
//!
//! The folder's `literals/` holds one cargo project a case, with a `case.json` that says how the test is
//! selected, what its failure shows and which size was reached by hand. `CARGO_REDUCE_CASES=a,b` selects
//! some of the cases.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "the table is the point")]

mod case;
#[path = "../fixtures/copy.rs"]
mod copy;
mod measure;
mod row;
mod size;

use std::env;
use std::path::{Path, PathBuf};

use case::Case;
use row::Row;

/// The share of cases that have to be as small as the one made by hand.
const AS_SMALL: f64 = 0.8;
/// The share of cases whose search has to end in time.
const IN_TIME: f64 = 0.9;
const SEARCH_SECONDS: f64 = 10.0;
const MOST_BUILDS: u64 = 3;

#[test]
#[ignore = "needs a corpus, and minutes"]
fn corpus() {
    let folder = env::var_os("CARGO_REDUCE_CORPUS")
        .map(PathBuf::from)
        .expect("CARGO_REDUCE_CORPUS is the folder of the corpus");
    let cases = cases(&folder.join("literals"));
    assert!(!cases.is_empty(), "no case below {}", folder.display());
    println!("{}", Row::header());
    let rows: Vec<Row> = cases.iter().map(shown).collect();
    let complaints = complaints(&rows);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn shown(case: &Case) -> Row {
    let row = measure::measure(case);
    println!("{row}");
    row
}

fn cases(folder: &Path) -> Vec<Case> {
    let wanted = env::var("CARGO_REDUCE_CASES").ok();
    let is_wanted = |case: &Case| {
        wanted.as_ref().is_none_or(|names| names.split(',').any(|name| name == case.name))
    };
    let mut cases: Vec<Case> = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("case.json").exists())
        .map(|path| Case::read(&path))
        .filter(is_wanted)
        .collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

/// The criteria that are not met.
fn complaints(rows: &[Row]) -> Vec<String> {
    let mut complaints = Vec::new();
    for row in rows {
        if !row.confirmed {
            complaints.push(format!("{}: not confirmed: {}", row.name, row.note));
        }
        if row.tier != "rebuild" && row.builds > MOST_BUILDS {
            complaints.push(format!("{}: {} builds", row.name, row.builds));
        }
        if row.times_by_hand().is_some_and(|times| times > 2.0) {
            complaints.push(format!("{}: more than twice the size made by hand", row.name));
        }
    }
    let compared: Vec<f64> = rows.iter().filter_map(Row::times_by_hand).collect();
    let as_small = share(compared.iter().map(|times| *times <= 1.0));
    if as_small < AS_SMALL {
        complaints.push(format!("only {:.0} % are as small as made by hand", as_small * 100.0));
    }
    let in_time = share(rows.iter().map(|row| row.search_seconds < SEARCH_SECONDS));
    if in_time < IN_TIME {
        complaints.push(format!("only {:.0} % of the searches end in time", in_time * 100.0));
    }
    complaints
}

fn share(answers: impl ExactSizeIterator<Item = bool>) -> f64 {
    let all = answers.len().max(1);
    let yes = answers.filter(|answer| *answer).count();
    f64::from(u32::try_from(yes).unwrap()) / f64::from(u32::try_from(all).unwrap())
}
