//! How long each pass takes to list its reductions: seconds for sources of 3,000, 11,000 and 45,000 lines, which are
//! files of this repository, each in a module of its own. `cargo bench --features bench --bench passes`

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark may panic and prints figures"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cargo_reduce::internals::{StandIn, Tree, all_passes};

const SIZES: [usize; 3] = [3_000, 11_000, 45_000];

fn main() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    // Those of the passes first, and always in the same order.
    files.sort_by_key(|path| (!path.to_string_lossy().contains("/passes/"), path.clone()));
    let columns: Vec<Vec<f64>> =
        SIZES.iter().map(|lines| seconds(&joined(&files, *lines))).collect();
    print!("{:16}", "lines");
    for lines in SIZES {
        print!("{lines:>9}");
    }
    println!();
    let names = std::iter::once("parsing").chain(all_passes().map(|pass| pass.name));
    for (row, name) in names.enumerate() {
        print!("{name:16}");
        for column in &columns {
            print!("{:>9.3}", column[row]);
        }
        println!();
    }
    print!("{:16}", "all");
    for column in &columns {
        print!("{:>9.3}", column.iter().sum::<f64>());
    }
    println!();
}

/// The seconds that parsing takes, and each pass.
fn seconds(text: &str) -> Vec<f64> {
    let start = Instant::now();
    Tree::with(text, StandIn::Loop, |tree| {
        let mut all_seconds = vec![start.elapsed().as_secs_f64()];
        for pass in all_passes() {
            let start = Instant::now();
            let found = (pass.propose)(tree);
            all_seconds.push(start.elapsed().as_secs_f64());
            drop(found);
        }
        all_seconds
    })
    .unwrap()
}

/// Files as modules of one text, up to so many lines.
fn joined(files: &[PathBuf], lines: usize) -> String {
    let mut text = String::new();
    for (place, path) in files.iter().enumerate() {
        let source = std::fs::read_to_string(path).unwrap();
        // Inner documentation may not stand behind the brace of a module on the same line.
        writeln!(text, "mod m{place} {{\n{source}\n}}").unwrap();
        if text.lines().count() >= lines {
            break;
        }
    }
    text
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
