//! What a rule makes of a call that it matches.

use proc_macro2::{Group, TokenStream, TokenTree};

use super::matching::{Binding, Bindings, variables};
use super::rules::Part;

/// The tokens that the parts stand for; `None` if a repetition has no variable, or variables that
/// matched differently often.
pub(super) fn transcribed(parts: &[Part], bindings: &Bindings) -> Option<TokenStream> {
    let mut made = TokenStream::new();
    for part in parts {
        match part {
            Part::Token(token) => made.extend([token.clone()]),
            Part::Group(delimiter, parts) => {
                let inside = transcribed(parts, bindings)?;
                made.extend([TokenTree::Group(Group::new(*delimiter, inside))]);
            }
            Part::Variable { name, .. } => match bindings.get(name) {
                Some(Binding::One(found)) => made.extend(found.clone()),
                Some(Binding::Many(_)) | None => return None,
            },
            Part::Repetition {
                parts, separator, ..
            } => {
                for index in 0..times(parts, bindings)? {
                    if let (Some(separator), true) = (separator, index > 0) {
                        made.extend([separator.clone()]);
                    }
                    made.extend(transcribed(parts, &at(index, parts, bindings))?);
                }
            }
        }
    }
    Some(made)
}

/// How often a repetition is written out.
fn times(parts: &[Part], bindings: &Bindings) -> Option<usize> {
    let mut counts = variables(parts)
        .into_iter()
        .filter_map(|name| match bindings.get(&name) {
            Some(Binding::Many(each)) => Some(each.len()),
            _ => None,
        });
    let first = counts.next()?;
    counts.all(|count| count == first).then_some(first)
}

/// The bindings inside the repetition, the time of that index.
fn at(index: usize, parts: &[Part], bindings: &Bindings) -> Bindings {
    let mut inside = bindings.clone();
    for name in variables(parts) {
        if let Some(Binding::Many(each)) = bindings.get(&name) {
            inside.insert(name, each[index].clone());
        }
    }
    inside
}
