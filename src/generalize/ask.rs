//! Who runs the texts.

use crate::reduce::{Outcome, Result};

/// Runs texts. A closure that runs one text is one.
pub trait Ask {
    /// Runs a text.
    ///
    /// # Errors
    /// When the search must stop.
    fn ask(&mut self, text: &str) -> Result<Outcome>;

    /// Runs all of `texts` and returns their outcomes, in order; together, where that is faster.
    ///
    /// # Errors
    /// As [`Ask::ask`].
    fn ask_all(&mut self, texts: &[&str]) -> Result<Vec<Outcome>> {
        texts.iter().map(|text| self.ask(text)).collect()
    }
}

impl<F: FnMut(&str) -> Result<Outcome>> Ask for F {
    fn ask(&mut self, text: &str) -> Result<Outcome> {
        self(text)
    }
}
