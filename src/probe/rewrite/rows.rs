//! Rows of literals: a long list stays as it is written, in the program's data, and one closure puts the
//! candidate's values into each row. Code of its own for each row would take the compiler minutes, and
//! would not fit on the stack of a test.

use super::copy::{RUNTIME, runtime_function};
use crate::reduce::inputs::NodeId;
use crate::source::RowShape;

/// The ids of the literals in a list.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The first of each row; 0 where a row has none.
    firsts: Vec<u32>,
    /// All of them.
    pub leaves: Vec<NodeId>,
}

impl Rows {
    /// Adds a row; none if its ids do not follow one another.
    pub(super) fn push(&mut self, leaves: &[NodeId]) -> Option<()> {
        let first = leaves.first().map_or(0, |leaf| leaf.0);
        let in_order = (first..).zip(leaves).all(|(id, leaf)| leaf.0 == id);
        self.firsts.push(first);
        self.leaves.extend_from_slice(leaves);
        in_order.then_some(())
    }

    /// What the runtime needs besides the list: the first ids, and what makes a row of another one.
    pub(super) fn arguments(&self, shapes: &[RowShape]) -> String {
        let firsts: Vec<String> = self.firsts.iter().map(u32::to_string).collect();
        let arms: Vec<String> = shapes.iter().map(arm).collect();
        format!(
            "&[{}], |at, row| match row {{ {} #[allow(unreachable_patterns)] _ => {RUNTIME}::other_row() }}",
            firsts.join(","),
            arms.join(" ")
        )
    }
}

/// `Put { key: v0 } => Put { key: num(at, *v0) },`
fn arm(shape: &RowShape) -> String {
    let pattern = shape.with(|hole| format!("v{hole}"));
    let value = shape.with(|hole| {
        let function = runtime_function(shape.kinds[hole]).unwrap_or("num");
        format!("{RUNTIME}::{function}(at + {hole}, *v{hole})")
    });
    format!("{pattern} => {value},")
}
