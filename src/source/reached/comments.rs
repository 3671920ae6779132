//! Comments on statements that are gone.

use std::ops::Range;

use super::outline::Function;
use crate::reduce::RangeExt;
use crate::source::Edits;
use crate::source::position::lines;

/// Takes comments out of `function` that stand right before nothing but what these edits remove.
pub(super) fn leave_out(text: &str, function: &Function, edits: &mut Edits) {
    let span = &function.span;
    let lines = lines(&text[span.clone()]);
    let mut lines = lines.map(|(at, line)| (at..at + line.len()).offset_by(span.start)).peekable();
    while let Some(first) = lines.next() {
        if !is_comment(&text[first.clone()]) {
            continue;
        }
        let mut comment = first;
        while let Some(next) = lines.next_if(|line| is_comment(&text[line.clone()])) {
            comment.end = next.end;
        }
        let mut is_alone = false;
        while let Some(line) = lines.next_if(|line| {
            let line = &text[line.clone()];
            !line.trim().is_empty() && !is_comment(line)
        }) {
            is_alone = is_gone(text, line, edits);
            if !is_alone {
                break;
            }
        }
        if is_alone {
            edits.cover(comment, "");
        }
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") && !line.starts_with("///")
}

/// Whether nothing is left of a line.
fn is_gone(text: &str, line: Range<usize>, edits: &Edits) -> bool {
    let own = text[line.clone()].trim();
    let start = line.start + text[line.clone()].find(own).unwrap_or(0);
    let own = start..start + own.len();
    edits.covers(&own) || edits.edited(text, &line).trim().is_empty()
}
