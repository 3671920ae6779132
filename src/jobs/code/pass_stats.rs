//! What each pass brought and what it cost, for `--verbose`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::compile::{CompileCounts, Compiler};
use crate::rust::PassStats;

/// All turns of one pass.
struct Row {
    /// Added up.
    stats: PassStats,
    turns: u64,
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
        let (time, before) = (now - self.began, self.before);
        let rustc = CompileCounts {
            builds: counts.builds - before.builds,
            checks: counts.checks - before.checks,
        };
        (self.began, self.before) = (now, counts);
        let Some(row) = self.rows.iter_mut().find(|row| row.stats.pass == stats.pass) else {
            return self.rows.push(Row { stats, turns: 1, rustc, time });
        };
        row.turns += 1;
        row.stats.candidates += stats.candidates;
        row.stats.accepted += stats.accepted;
        row.stats.tokens += stats.tokens;
        row.rustc.builds += rustc.builds;
        row.rustc.checks += rustc.checks;
        row.time += time;
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
                row.stats.pass,
                row.turns,
                row.stats.candidates,
                row.stats.accepted,
                row.stats.tokens,
                row.rustc.checks,
                row.rustc.builds,
                row.time.as_secs_f64()
            );
        }
        table
    }
}
