//! Parameters whose value is known: that stands wherever they are used, and they go.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::{Block, Ident};

use crate::passes::signature::parameters;
use crate::reduce::RangeExt;
use crate::rust::switches::shapes::plain_parameters;
use crate::rust::{ObservedValue, Reduction, Sources, StandIn, Tree, count_tokens};

/// What the values of one parameter may take at most, all together.
const MOST_TOKENS: usize = 48;

/// The parameters that values are known of, by the file and the place of their names.
pub(crate) struct Parameters {
    by_name: HashMap<(usize, Range<usize>), Parameter>,
}

/// A parameter that is used.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    uses: Vec<Use>,
    /// Ways to remove it with the arguments of the calls.
    removals: Vec<Reduction>,
}

/// A place where it is used.
#[derive(Debug, Clone)]
struct Use {
    range: Range<usize>,
    /// What has to stand before the value: the field that is named like the parameter.
    label: String,
    /// Whether something follows that binds stronger than a sign.
    is_operand: bool,
}

impl Parameters {
    /// The parameters in `sources` at places that are `recorded`.
    pub(crate) fn of(sources: &Sources, observed: &[ObservedValue]) -> Self {
        let mut by_name = HashMap::new();
        for (file, source) in sources.files.iter().enumerate() {
            let here = observed.iter().filter(|value| value.file == file);
            let observed: HashSet<&Range<usize>> = here.map(|value| &value.range).collect();
            if observed.is_empty() {
                continue;
            }
            let read = |tree: &Tree<'_>| in_tree(tree, &observed);
            // A file that is not made of tokens has none.
            let found = Tree::with(&source.text, StandIn::Panic, read).unwrap_or_default();
            by_name.extend(found.into_iter().map(|(name, it)| ((file, name), it)));
        }
        Parameters { by_name }
    }

    /// The parameter that is named there.
    pub(crate) fn get(&self, file: usize, name: &Range<usize>) -> Option<&Parameter> {
        self.by_name.get(&(file, name.clone()))
    }
}

fn in_tree(tree: &Tree<'_>, observed: &HashSet<&Range<usize>>) -> Vec<(Range<usize>, Parameter)> {
    let mut all = None;
    let mut found = Vec::new();
    for (signature, body) in tree.functions() {
        for name in plain_parameters(signature) {
            let place = tree.range(name);
            if !observed.contains(&place) {
                continue;
            }
            let all = all.get_or_insert_with(|| (parameters::PASS.propose)(tree));
            let parameter =
                Parameter { uses: uses(tree, body, name), removals: removals(all, &place) };
            found.push((place, parameter));
        }
    }
    found
}

/// Those of `all` that take away the parameter named at `place` with something else.
fn removals(all: &[Reduction], place: &Range<usize>) -> Vec<Reduction> {
    let takes = |removal: &&Reduction| {
        let mut changes = removal.changes.iter();
        removal.changes.len() > 1 && changes.any(|it| it.range.covers(place))
    };
    let mut removals: Vec<Reduction> = all.iter().filter(takes).cloned().collect();
    removals.dedup();
    removals
}

fn uses(tree: &Tree<'_>, body: &Block, name: &Ident) -> Vec<Use> {
    let mentions = tree.mentions(body, name).into_iter();
    let uses = mentions.map(|range| Use {
        label: tree.label_before_value(&range),
        is_operand: tree.text[range.end..].trim_start().starts_with(['.', '?', '[', '(']),
        range,
    });
    uses.collect()
}

impl Parameter {
    /// Ways to write `value` wherever it is used, and to remove it; none where the value is long.
    pub(crate) fn known_as(&self, value: &str) -> Vec<Reduction> {
        if self.uses.len() * count_tokens(value) > MOST_TOKENS {
            return Vec::new();
        }
        let has_sign = value.starts_with(['-', '&']);
        let with_value = |removal: &Reduction| {
            self.uses.iter().fold(removal.clone(), |all, usage| {
                let Use { range, label, is_operand } = usage;
                let text = if *is_operand && has_sign {
                    format!("{label}({value})")
                } else {
                    format!("{label}{value}")
                };
                all.and_replace(range.clone(), text)
            })
        };
        self.removals.iter().map(with_value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;
    use crate::rust::testing::sources_of;

    fn known(text: &str, name: &str, value: &str) -> Vec<String> {
        let sources = sources_of(text);
        let start = text.find(&format!("{name}:")).unwrap();
        let observed = ObservedValue {
            file: 0,
            range: start..start + name.len(),
            type_name: String::new(),
            text: String::new(),
        };
        let parameters = Parameters::of(&sources, std::slice::from_ref(&observed));
        let parameter = parameters.get(0, &observed.range).unwrap();
        let ways = parameter.known_as(value);
        ways.iter().map(|way| apply(text, [way])).collect()
    }

    #[test]
    fn a_value_stands_wherever_its_parameter_was_used() {
        assert_eq!(
            known("fn f(a: &str, b: u8) { g(a, b); a.h() } fn i() { f(&j, 2) }", "a", "\"x\""),
            ["fn f( b: u8) { g(\"x\", b); \"x\".h() } fn i() { f( 2) }"]
        );
        assert_eq!(
            known("fn f(a: i8) -> S { a.abs(); S { a } } fn i() { f(k()) }", "a", "-1"),
            ["fn f() -> S { (-1).abs(); S { a: -1 } } fn i() { f() }"]
        );
    }

    #[test]
    fn long_values_and_functions_that_nobody_calls_stay() {
        let long = format!("[{}]", "1, ".repeat(MOST_TOKENS));
        assert!(known("fn f(a: A) { g(a) } fn i() { f(j) }", "a", &long).is_empty());
        assert!(known("fn f(a: A) { g(a) }", "a", "1").is_empty());
    }
}
