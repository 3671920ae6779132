//! Blocks of texts that are structured by indentation, as Python and YAML are.
//!
//! `"if x:\n    a\n"` → `""` or `"a\n"`

use std::ops::Range;

use crate::reduce::Result;
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::text::{indent, lines, text_leaves};

/// Removes each block with its head, or swaps it for the lines inside, moved to the left.
pub(in super::super) fn reduce_blocks(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        let mut line = 0;
        loop {
            // What comes before this line does not change any more.
            let chars = leaf.chars(search.best());
            let lines = lines(&chars);
            let Some(block) = (line..lines.len()).find_map(|head| Block::at(&chars, &lines, head))
            else {
                break;
            };
            let before = &chars[..lines[block.head].start];
            let after = &chars[lines[block.end - 1].end..];
            let inside = lines[block.head + 1..block.end].iter().map(|line| {
                let line = &chars[line.clone()];
                if indent(line).is_some() { &line[block.further..] } else { line }
            });
            let inside: Vec<char> = inside.flatten().copied().collect();
            let base = search.best().clone();
            let candidates = [&[], inside.as_slice()]
                .map(|inside| leaf.with_chars(&base, &[before, inside, after].concat()));
            let is_smaller = search.consider_first(candidates)?.is_some();
            line = block.head + usize::from(!is_smaller);
        }
    }
    Ok(())
}

/// A line that ends in a colon, and the lines below it that stand further to the right.
struct Block {
    head: usize,
    /// The line after the last one.
    end: usize,
    /// How much further to the right.
    further: usize,
}

impl Block {
    /// The block that begins with the line `head`.
    fn at(chars: &[char], lines: &[Range<usize>], head: usize) -> Option<Block> {
        let line = &chars[lines[head].clone()];
        let last = line.iter().rfind(|symbol| !symbol.is_whitespace())?;
        let here = indent(line).filter(|_| *last == ':')?;
        let indents = lines[head + 1..].iter().map(|line| indent(&chars[line.clone()]));
        let inside: Vec<Option<usize>> =
            indents.take_while(|it| it.is_none_or(|it| it > here)).collect();
        // Blank lines at the end belong to what follows.
        let length = inside.iter().rposition(Option::is_some)? + 1;
        let least = inside.iter().flatten().min()?;
        Some(Block { head, end: head + 1 + length, further: least - here })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{inputs, reduce_by, text, the_text};

    const PROGRAM: &str = "def f():\n    if x:\n        a\n\n    b\n\nc\n";

    #[track_caller]
    fn check(original: &str, fails: impl Fn(&str) -> bool, expected: &str) {
        let (best, _) =
            reduce_by(inputs([text(original)]), reduce_blocks, |inputs| fails(the_text(inputs)));
        assert_eq!(the_text(&best), expected);
    }

    #[test]
    fn a_block_goes_as_a_whole_or_leaves_its_lines() {
        check(PROGRAM, |text| text.contains('c'), "\nc\n");
        check(PROGRAM, |text| text.contains('b'), "\nb\n\nc\n");
        let fails = |text: &str| text.starts_with("def") && text.contains("    a");
        check(PROGRAM, fails, "def f():\n    a\n\n    b\n\nc\n");
    }

    #[test]
    fn text_without_such_lines_stays() {
        let text = "int f() {\n    a;\n}\nlabel:\n";
        check(text, |_| true, text);
    }
}
