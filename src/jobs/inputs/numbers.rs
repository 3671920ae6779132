//! The numbers by which the user calls inputs.

use std::collections::BTreeMap;

use crate::app::config::InputChoice;
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

    /// Whether `choice` takes an input; those without a number are always taken.
    pub fn takes(&self, choice: &InputChoice, root: NodeId) -> bool {
        self.0.get(&root).is_none_or(|number| choice.takes(*number))
    }

    /// Whether an input has this number.
    pub fn is_known(&self, number: usize) -> bool {
        self.0.values().any(|known| *known == number)
    }
}
