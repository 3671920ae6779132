//! Sources of the edition of 2015 as later ones write them, where the parser takes nothing else: `&mut FnMut()` without a
//! `dyn`, and parameters of methods without a name.

use super::Reduction;
use crate::source::{Tokens, is_file, nameless_parameters};

/// The edit after which syn can parse the text; `None` if it can already, or cannot then either.
pub fn modern(text: &str) -> Option<Reduction> {
    if is_file(text) {
        return None;
    }
    let tokens = Tokens::of(text);
    let traits = (0..tokens.0.len()).filter(|place| is_bare_trait(&tokens, *place));
    let traits = traits.map(|place| (tokens.0[place].start, "dyn "));
    let nameless = nameless_parameters(text).into_iter().map(|range| (range.start, "_: "));
    // What has no name may be such a trait: the name comes first.
    let edit = nameless
        .chain(traits)
        .fold(Reduction::default(), |edit, (start, text)| edit.and_replace(start..start, text));
    is_file(&super::apply(text, [&edit])).then_some(edit)
}

/// Whether a trait of functions stands here as a type.
fn is_bare_trait(tokens: &Tokens<'_>, place: usize) -> bool {
    let is_trait = matches!(tokens.text(place), "Fn" | "FnMut" | "FnOnce");
    let before_that = place.checked_sub(1).map_or("", |before| tokens.before(before));
    let is_behind_reference = match tokens.before(place) {
        // Its bounds follow.
        "(" => before_that == "&",
        "&" | "mut" | "<" => true,
        // A lifetime.
        _ => before_that == "'",
    };
    is_trait && tokens.text(place + 1) == "(" && is_behind_reference
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;

    fn modernized(text: &str) -> Option<String> {
        modern(text).map(|edit| apply(text, [&edit]))
    }

    #[test]
    fn traits_get_their_dyn_and_parameters_a_name() {
        let text = "trait T { fn a(&self, u8, &mut FnMut(u8) -> u8); fn b<F: Fn(u8)>(self: Self, x: Box<Fn() + 'static>); } \
                    fn c<F>(f: F) where F: Fn(&'static Fn(), &(FnOnce() + Send)) { d(Fn::call, ::e::g); }";
        let expected = "trait T { fn a(&self, _: u8, _: &mut dyn FnMut(u8) -> u8); fn b<F: Fn(u8)>(self: Self, x: Box<dyn Fn() + 'static>); } \
                        fn c<F>(f: F) where F: Fn(&'static dyn Fn(), &(dyn FnOnce() + Send)) { d(Fn::call, ::e::g); }";
        assert_eq!(modernized(text).as_deref(), Some(expected));
        let both = "trait T { fn a(Self, &FnMut()); }";
        assert_eq!(
            modernized(both).as_deref(),
            Some("trait T { fn a(_: Self, _: &dyn FnMut()); }")
        );
    }

    #[test]
    fn what_parses_stays_and_so_does_what_never_will() {
        assert_eq!(modernized("trait T { fn a(&self, f: &Fn); }"), None);
        assert_eq!(modernized("fn a(f: &Fn(), b: ) { $ }"), None);
    }
}
