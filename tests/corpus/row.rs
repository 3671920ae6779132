//! One line of the table.

use std::fmt;

/// What came out for a case.
#[derive(Debug, Default)]
pub struct Row {
    pub name: String,
    pub before: Option<u64>,
    pub after: Option<u64>,
    pub by_hand: Option<u64>,
    pub tier: String,
    pub builds: u64,
    pub candidates: u64,
    pub wall_seconds: f64,
    /// Wall time without the builds.
    pub search_seconds: f64,
    pub cold_seconds: f64,
    pub confirmed: bool,
    /// Why it is not confirmed.
    pub note: String,
}

impl Row {
    pub fn header() -> String {
        format!(
            "{:<24} {:>16} {:>8} {:<10} {:>6} {:>10} {:>9} {:>8} {:>8} {:>8}  confirmed",
            "case",
            "before -> after",
            "by hand",
            "tier",
            "builds",
            "candidates",
            "cand./s",
            "wall s",
            "search s",
            "cold s"
        )
    }

    /// How many times as large the result is as the one made by hand.
    pub fn times_by_hand(&self) -> Option<f64> {
        let (after, by_hand) = (self.after?, self.by_hand?);
        Some(as_float(after) / as_float(by_hand.max(1)))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number =
            |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |it| it.to_string());
        let sizes = format!("{} -> {}", number(self.before), number(self.after));
        let rate = as_float(self.candidates) / self.search_seconds.max(0.001);
        write!(
            f,
            "{:<24} {sizes:>16} {:>8} {:<10} {:>6} {:>10} {rate:>9.0} {:>8.1} {:>8.1} {:>8.1}  {}",
            self.name,
            number(self.by_hand),
            self.tier,
            self.builds,
            self.candidates,
            self.wall_seconds,
            self.search_seconds,
            self.cold_seconds,
            if self.confirmed { "yes" } else { "NO" },
        )
    }
}

fn as_float(count: u64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}
