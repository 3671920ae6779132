//! Which inputs are reduced: what the user chooses by their numbers.

use super::numbers::Numbers;
use super::subject::Subject;
use crate::app::config::InputChoice;
use crate::app::failure::{Failure, Result};
use crate::source::FoundInputs;

impl Subject {
    /// The same with only the inputs that the user wants to have reduced; `listed` is what is found without a run.
    ///
    /// # Errors
    /// When one is chosen that there is not.
    pub fn choosing(mut self, choice: &InputChoice, listed: &FoundInputs) -> Result<Self> {
        self.numbers = Numbers::new(listed, &self.found);
        if self.found.opened.files.is_empty() {
            self.check_choice(choice)?;
        }
        let numbers = &self.numbers;
        let found = &mut self.found;
        found.inputs.0.retain(|root| numbers.takes(choice, root.id));
        found.boundary.retain(|place| numbers.takes(choice, place.id));
        Ok(self)
    }

    /// Whether there are all inputs that the user names, once all are known.
    ///
    /// # Errors
    /// When there is one not.
    pub fn check_choice(&self, choice: &InputChoice) -> Result<()> {
        let mut named = choice.only.iter().chain(&choice.skip);
        match named.find(|number| !self.numbers.is_known(**number)) {
            Some(unknown) => Err(self.unknown(*unknown)),
            None => Ok(()),
        }
    }

    fn unknown(&self, number: usize) -> Failure {
        let test = self.users_test();
        let there_are = match self.numbers.count() {
            0 => "has none".to_owned(),
            1 => "has only one input, number 0".to_owned(),
            count => format!("has inputs 0 to {}", count - 1),
        };
        Failure::usage(format!("there is no input {number}: `{test}` {there_are}"))
            .hint(format!("`cargo reduce --list {test}` shows them"))
    }
}
