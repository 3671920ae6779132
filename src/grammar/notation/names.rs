//! Rule names that a notation can say.

use std::collections::HashSet;

use crate::grammar::Grammar;

/// A name for each rule, in order: characters that `allowed` refuses are replaced by `stand_in`, and
/// a number is appended where that makes two rules equal.
pub(super) fn distinct(
    grammar: &Grammar,
    allowed: impl Fn(char) -> bool,
    stand_in: char,
    reserved: &[&str],
) -> Vec<String> {
    let mut taken: HashSet<String> = reserved.iter().map(|&name| name.to_owned()).collect();
    let mut names = vec![String::new(); grammar.rules().len()];
    let mut changed = Vec::new();
    for (index, rule) in grammar.rules().iter().enumerate() {
        let name: String =
            rule.name.chars().map(|c| if allowed(c) { c } else { stand_in }).collect();
        // Names that need no change keep theirs.
        if name == rule.name && taken.insert(name.clone()) {
            names[index] = name;
        } else {
            changed.push((index, name));
        }
    }
    for (index, name) in changed {
        let numbered = (2..).map(|number| format!("{name}{stand_in}{number}"));
        let mut choices = std::iter::once(name.clone()).chain(numbered);
        names[index] = choices.find(|choice| taken.insert(choice.clone())).unwrap_or_default();
    }
    names
}
