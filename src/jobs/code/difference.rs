//! What the result has of the original, as a unified diff.

use super::reduced_code::ReducedCode;
use super::subject::CodeSubject;
use crate::app::session::Session;
use crate::report::{Event, unified_diff};
use crate::rust::{self, Sources};

/// Shows the difference of each file. Where all has become one file, the original is brought into one
/// file, too, and laid out in the same way, so that only what was reduced differs.
pub fn show_difference(
    session: &Session,
    subject: &CodeSubject,
    found: &ReducedCode,
    kept: &Sources,
) {
    let in_one_file = subject.original.flattened().ok();
    let before = match &in_one_file {
        Some(shape) if found.compile_plan.shape.is_flat() => &shape.sources,
        _ => &subject.original.sources,
    };
    for (before, after) in before.files.iter().zip(&kept.files) {
        let laid_out = rust::pretty(&before.text).unwrap_or_else(|| before.text.to_string());
        let text = unified_diff(&after.path, &laid_out, &after.text);
        session.tell(&Event::SourceDiff { path: after.path.to_string(), text });
    }
}
