//! What no reduction may touch: values where only failing runs get, which no run that passes would miss, and what has to
//! stay as it is.

use std::cell::LazyCell;
use std::ops::Range;

use crate::passes::PassId;
use crate::reduce::RangeExt;
use crate::rust::{
    Change, Check, FixedRange, FreeArms, InputLiterals, OriginalRange, Reduction, Sources, Stays,
    adds_literals, apply, calls_of, changes_check, changes_step, defined_functions, dense_text,
    inlines, loses_call, takes_needed_sign,
};

/// What is guarded in some sources.
pub(super) struct Guard<'a> {
    sources: &'a Sources,
    only_failing: &'a [OriginalRange],
    fixed: Vec<FixedPart>,
}

/// A part of which something has to stay.
struct FixedPart {
    file: usize,
    range: Range<usize>,
    stays: Staying,
}

/// What of a part has to stay, as it is now.
enum Staying {
    /// Its tokens, of a helper all but arms.
    Tokens { dense: String, free: FreeArms },
    /// Its literals.
    Literals(InputLiterals),
    /// The name that it gives to a value.
    Name,
    /// What makes it a step.
    Step,
    /// These calls.
    Calls(Vec<String>),
    /// What makes it a check of what stands there.
    Check(Range<usize>),
}

impl FixedPart {
    /// Whether a reduction of its file, with this text, changes what has to stay.
    fn is_changed(&self, text: &str, reduction: &Reduction) -> bool {
        let range = &self.range;
        match &self.stays {
            Staying::Literals(literals) => literals.are_changed_by(text, reduction),
            Staying::Name => inlines(range, reduction),
            Staying::Step => changes_step(text, range, reduction),
            Staying::Calls(calls) => loses_call(text, range, calls, reduction),
            Staying::Check(guarded) => changes_check(text, range, guarded, reduction),
            Staying::Tokens { dense, free } => {
                let part = &text[range.clone()];
                let inside = self.inside(reduction);
                !free.are_all_of(part, inside.changes.iter())
                    && *dense != dense_text(&apply(part, [&inside]))
            }
        }
    }

    /// What a reduction changes within it.
    fn inside(&self, reduction: &Reduction) -> Reduction {
        let range = &self.range;
        let within = |change: &&Change| range.covers(&change.range);
        let mut inside = Reduction::default();
        for change in reduction.changes.iter().filter(within) {
            let moved = change.range.counted_from(range.start);
            inside = inside.and_replace(moved, &*change.text);
        }
        inside
    }
}

impl<'a> Guard<'a> {
    pub(super) fn new(check: &'a dyn Check, sources: &'a Sources) -> Self {
        let defined = LazyCell::new(|| defined_functions(sources));
        let part = |FixedRange { file, range, stays }: FixedRange| {
            let text = &sources.files[file].text;
            let stays = match stays {
                Stays::Tokens | Stays::AllButArms => {
                    let part = &text[range.clone()];
                    let has_free = stays == Stays::AllButArms;
                    let free = if has_free { FreeArms::of(part) } else { FreeArms::default() };
                    Staying::Tokens { dense: dense_text(part), free }
                }
                Stays::Literals => Staying::Literals(InputLiterals::of(text, range.clone())),
                Stays::Inputs => {
                    let literals = InputLiterals::of(text, range.clone());
                    Staying::Literals(literals.with_variables(text))
                }
                Stays::Name => Staying::Name,
                Stays::Step => Staying::Step,
                Stays::Calls => Staying::Calls(calls_of(&text[range.clone()], &defined)),
                Stays::Check { guarded } => Staying::Check(guarded),
            };
            FixedPart { file, range, stays }
        };
        let fixed = check.fixed_in(sources).into_iter().map(part).collect();
        Guard { sources, only_failing: check.only_failing(), fixed }
    }

    /// Whether a reduction of a file may not be tried: it would write a value of its own in the place of what is computed, where
    /// only failing runs get, takes the sign of a number that needs it, or changes what has to stay.
    pub(super) fn holds_back(&self, pass: &str, file: usize, reduction: &Reduction) -> bool {
        let replaces = pass == PassId::ReplaceExprs.pass().name;
        let text = &self.sources.files[file].text;
        let makes_up_value = |change: &&Change| replaces || adds_literals(text, change);
        reduction.changes.iter().any(|change| takes_needed_sign(text, change))
            || self.is_of_failing_runs(file, reduction.changes.iter().filter(makes_up_value))
            || self.changes_fixed(file, reduction)
    }

    fn is_of_failing_runs<'c>(
        &self,
        file: usize,
        mut changes: impl Iterator<Item = &'c Change>,
    ) -> bool {
        changes.any(|change| {
            let place = self.sources.origin(file, change.range.start);
            place.is_some_and(|place| self.only_failing.iter().any(|range| range.contains(place)))
        })
    }

    fn changes_fixed(&self, file: usize, reduction: &Reduction) -> bool {
        let text = &self.sources.files[file].text;
        let mut here = self.fixed.iter().filter(|part| part.file == file);
        here.any(|part| part.is_changed(text, reduction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::Answer;
    use crate::rust::CompileError;
    use crate::rust::testing::{sources_of, without};

    struct Guarding {
        only_failing: Vec<OriginalRange>,
        fixed: Vec<FixedRange>,
    }

    impl Check for Guarding {
        fn compile_errors(&mut self, _: &Sources) -> Answer<Vec<CompileError>> {
            Ok(Vec::new())
        }

        fn only_failing(&self) -> &[OriginalRange] {
            &self.only_failing
        }

        fn fixed_in(&self, _: &Sources) -> Vec<FixedRange> {
            self.fixed.clone()
        }
    }

    #[test]
    fn no_value_is_made_up_where_only_failing_runs_get_wherever_that_has_moved() {
        let text = "fn f() { g(); a[h()]; b[h()] }";
        let sources = sources_of(text);
        let statement = text.find("a[").unwrap();
        let only_failing = sources.original_range(0, &(statement..statement + 7));
        let check =
            Guarding { only_failing: only_failing.into_iter().collect(), fixed: Vec::new() };
        let moved = sources.edit([(0, &Reduction::remove(9..13))]);
        let text = &moved.files[0].text;
        let zero_for = |index: &str| {
            let start = text.find(index).unwrap() + 2;
            Reduction::replace(start..start + 3, "0")
        };
        let name = PassId::ReplaceExprs.pass().name;
        let guard = Guard::new(&check, &moved);
        let guarded = |pass: &str, reduction: &Reduction| guard.holds_back(pass, 0, reduction);
        assert!(guarded(name, &zero_for("a[")));
        assert!(!guarded(name, &zero_for("b[")));
        assert!(guarded("another pass", &zero_for("a[")));
        let moved = Reduction::replace(zero_for("a[").changes[0].range.clone(), "g()");
        assert!(!guarded("another pass", &moved));
    }

    #[test]
    fn what_has_to_stay_may_lose_nothing_but_layout_and_the_modules_around_it() {
        let text = "mod m { #[test] fn t() { super::f(1, 2,) } } fn f() {}";
        let sources = sources_of(text);
        let kept = text.find("#[test]").unwrap()..text.find(" } fn f").unwrap();
        let fixed = vec![FixedRange { file: 0, range: kept, stays: Stays::Tokens }];
        let check = Guarding { only_failing: Vec::new(), fixed };
        let guard = Guard::new(&check, &sources);
        for changed in [&["#[test]"][..], &["1, "], &["f(1, 2,)"], &["mod m {", "1, "]] {
            assert!(guard.holds_back("any", 0, &without(text, changed)), "{changed:?}");
        }
        for free in [&["fn f() {}"][..], &["super::"], &[" fn f()"], &["mod m {", "super::"]] {
            assert!(!guard.holds_back("any", 0, &without(text, free)), "{free:?}");
        }
    }
}
