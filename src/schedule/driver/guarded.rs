//! What must not be made up: values where only failing runs get, which no run that passes would miss.

use crate::passes::PassId;
use crate::rust::{OriginalRange, Reduction, Sources};

/// Whether the pass of that name would write a value of its own in the place of what is computed, where only failing
/// runs get.
pub(super) fn is_guarded(
    pass: &str,
    (sources, file): (&Sources, usize),
    reduction: &Reduction,
    only_failing: &[OriginalRange],
) -> bool {
    let is_inside = |start: usize| {
        let place = sources.origin(file, start);
        place.is_some_and(|place| only_failing.iter().any(|range| range.contains(place)))
    };
    let mut changes = reduction.changes.iter();
    pass == PassId::ReplaceExprs.pass().name && changes.any(|change| is_inside(change.range.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{Sameness, SourceFile};

    #[test]
    fn no_value_is_made_up_where_only_failing_runs_get_wherever_that_has_moved() {
        let text = "fn f() { g(); a[h()]; b[h()] }";
        let file = SourceFile { path: "src/lib.rs".into(), text: text.into() };
        let sources = Sources::new(vec![file], Sameness::Tokens);
        let statement = text.find("a[").unwrap();
        let only_failing = sources.original_range(0, &(statement..statement + 7));
        let only_failing = [only_failing.unwrap()];
        let moved = sources.edit([(0, &Reduction::remove(9..13))]);
        let text = &moved.files[0].text;
        let zero_for = |index: &str| {
            let start = text.find(index).unwrap() + 2;
            Reduction::replace(start..start + 3, "0")
        };
        let name = PassId::ReplaceExprs.pass().name;
        let guarded = |pass: &str, reduction: &Reduction| {
            is_guarded(pass, (&moved, 0), reduction, &only_failing)
        };
        assert!(guarded(name, &zero_for("a[")));
        assert!(!guarded(name, &zero_for("b[")));
        assert!(!guarded("another pass", &zero_for("a[")));
    }
}
