//! Finding the places of a text.

use super::SwitchPlaces;
use super::collect::Collector;
use crate::rust::{NotTokens, StandIn, Tree};

/// The places of `text`.
///
/// # Errors
/// When the text is not made of Rust tokens.
pub fn find(text: &str) -> Result<SwitchPlaces, NotTokens> {
    Tree::with(text, StandIn::Panic, |tree| {
        let mut collector = Collector::new(tree);
        syn::visit::Visit::visit_file(&mut collector, tree.file);
        collector.finish()
    })
}
