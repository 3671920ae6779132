//! Which inputs are reduced: their numbers, and what the user chooses by these.

use std::collections::{BTreeMap, BTreeSet};

use super::subject::Subject;
use crate::app::config::InputChoice;
use crate::app::failure::Failure;
use crate::reduce::inputs::NodeId;
use crate::source::FoundInputs;

/// The numbers of inputs, by their roots and by the places at which values cross the boundary.
///
/// They are those that `--list` shows, which knows of no run: inputs that only the failure tells of come behind.
#[derive(Debug, Default)]
pub struct Numbers(BTreeMap<NodeId, usize>);

impl Numbers {
    /// The numbers of `found`; `listed` is what is found without a run.
    pub fn new(listed: &FoundInputs, found: &FoundInputs) -> Self {
        let mut numbers = BTreeMap::new();
        let count = listed.inputs.0.len();
        numbers.extend(listed.inputs.0.iter().map(|root| root.id).zip(0..));
        numbers.extend(found.boundary.iter().map(|place| place.id).zip(count..));
        for root in &found.inputs.0 {
            let next = numbers.len();
            if !found.passed.contains(&root.id) {
                numbers.entry(root.id).or_insert(next);
            }
        }
        Numbers(numbers)
    }

    /// The number of an input.
    pub fn of(&self, found: &FoundInputs, root: NodeId) -> usize {
        let place = found.observed.get(&root).map_or(root, |observed| observed.place);
        self.0.get(&place).copied().unwrap_or(self.0.len())
    }

    /// Gives the next number to an input that only a run has shown.
    pub fn add(&mut self, root: NodeId) {
        let next = self.0.len();
        self.0.entry(root).or_insert(next);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl Subject {
    /// The same with only the inputs that the user wants to have reduced; `listed` is what is found without a run.
    ///
    /// # Errors
    /// When one is chosen that there is not.
    pub fn choosing(mut self, choice: &InputChoice, listed: &FoundInputs) -> Result<Self, Failure> {
        self.numbers = Numbers::new(listed, &self.found);
        if self.found.opened.files.is_empty() {
            self.check_choice(choice)?;
        }
        let numbers = &self.numbers;
        let found = &mut self.found;
        let is_chosen = |id: &NodeId| {
            let number = numbers.0.get(id);
            number.is_none_or(|number| choice.takes(*number))
        };
        found.inputs.0.retain(|root| is_chosen(&root.id));
        found.boundary.retain(|place| is_chosen(&place.id));
        Ok(self)
    }

    /// Whether there are all inputs that the user names, once all are known.
    ///
    /// # Errors
    /// When there is one not.
    pub fn check_choice(&self, choice: &InputChoice) -> Result<(), Failure> {
        let known: BTreeSet<usize> = self.numbers.0.values().copied().collect();
        let mut named = choice.only.iter().chain(&choice.skip);
        match named.find(|number| !known.contains(number)) {
            Some(unknown) => Err(self.unknown(*unknown)),
            None => Ok(()),
        }
    }

    fn unknown(&self, number: usize) -> Failure {
        let test = self.users_test();
        let there_are = match self.numbers.count() {
            0 => "has none".to_owned(),
            1 => "has only input 0".to_owned(),
            count => format!("has inputs 0 to {}", count - 1),
        };
        Failure::usage(format!("there is no input {number}: `{test}` {there_are}"))
            .hint(format!("`cargo reduce --list {test}` shows them"))
    }
}
