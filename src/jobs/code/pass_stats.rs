//! What each pass brought and what it cost, for `--verbose`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::compile::{CompileCounts, Compiler};
use crate::rust::PassStats;

/// All turns of one pass.
#[derive(Default)]
struct Row {
    pass: &'static str,
    turns: u64,
    candidates: u64,
    accepted: u64,
    tokens: usize,
    /// Calls of rustc: those that linked, and the others.
    rustc: CompileCounts,
    time: Duration,
}

/// Adds up the turns of the passes.
pub struct PassStatsTable<'a> {
    compiler: &'a Compiler,
    rows: Vec<Row>,
    /// When the turn under way began, and what was compiled until then.
    began: Instant,
    before: CompileCounts,
}

impl<'a> PassStatsTable<'a> {
    /// The first turn begins now; compilations are those of `compiler`.
    pub fn new(compiler: &'a Compiler) -> Self {
        PassStatsTable {
            compiler,
            rows: Vec::new(),
            began: Instant::now(),
            before: compiler.counts(),
        }
    }

    /// A turn is over, and the next one begins.
    pub fn add(&mut self, stats: PassStats) {
        let (now, counts) = (Instant::now(), self.compiler.counts());
        let row = self.row(stats.pass);
        self.rows[row].turns += 1;
        self.rows[row].candidates += stats.candidates;
        self.rows[row].accepted += stats.accepted;
        self.rows[row].tokens += stats.tokens;
        self.rows[row].rustc.builds += counts.builds - self.before.builds;
        self.rows[row].rustc.checks += counts.checks - self.before.checks;
        self.rows[row].time += now - self.began;
        (self.began, self.before) = (now, counts);
    }

    fn row(&mut self, pass: &'static str) -> usize {
        let known = self.rows.iter().position(|row| row.pass == pass);
        known.unwrap_or_else(|| {
            self.rows.push(Row { pass, ..Row::default() });
            self.rows.len() - 1
        })
    }

    /// One line for each pass, in the order of their first turns.
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:>16} {:>6} {:>6} {:>9} {:>7} {:>7} {:>7} {:>8}\n",
            "pass", "turns", "tried", "accepted", "tokens", "checks", "builds", "seconds"
        );
        for row in &self.rows {
            let _ = writeln!(
                table,
                "{:>16} {:>6} {:>6} {:>9} {:>7} {:>7} {:>7} {:>8.2}",
                row.pass,
                row.turns,
                row.candidates,
                row.accepted,
                row.tokens,
                row.rustc.checks,
                row.rustc.builds,
                row.time.as_secs_f64()
            );
        }
        table
    }
}
