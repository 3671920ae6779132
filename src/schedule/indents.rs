//! Blocks of text that is structured by indentation, as Python and YAML are.

use std::ops::Range;

use crate::rust::Reduction;

/// A line that ends in a colon, and the lines below it that stand further to the right.
struct Block {
    head: Range<usize>,
    lines: Vec<Range<usize>>,
    /// How much further to the right.
    further: usize,
}

/// Removes a block with its head; swaps it for the lines inside, moved to the left.
pub(crate) fn blocks(text: &str) -> Vec<Reduction> {
    let blocks = find(text);
    let removed = blocks.iter().map(|block| {
        let end = block.lines.last().map_or(block.head.end, |line| line.end);
        Reduction::remove(block.head.start..end)
    });
    let hoisted = blocks.iter().map(|block| {
        let inside = block.lines.iter().filter(|line| indent(&text[(*line).clone()]).is_some());
        inside.fold(Reduction::remove(block.head.clone()), |hoisted, line| {
            hoisted.and_remove(line.start..line.start + block.further)
        })
    });
    removed.chain(hoisted).collect()
}

fn find(text: &str) -> Vec<Block> {
    let mut start = 0;
    let lines: Vec<Range<usize>> = text
        .split_inclusive('\n')
        .map(|line| {
            start += line.len();
            start - line.len()..start
        })
        .collect();
    let indents: Vec<Option<usize>> =
        lines.iter().map(|line| indent(&text[line.clone()])).collect();
    (0..lines.len())
        .filter(|head| text[lines[*head].clone()].trim_end().ends_with(':'))
        .filter_map(|head| {
            let here = indents[head]?;
            let below = &indents[head + 1..];
            let length =
                below.iter().position(|it| it.is_some_and(|it| it <= here)).unwrap_or(below.len());
            // Blank lines at the end belong to what follows.
            let length = below[..length].iter().rposition(Option::is_some)? + 1;
            let least = below[..length].iter().flatten().min()?;
            Some(Block {
                head: lines[head].clone(),
                lines: lines[head + 1..=head + length].to_vec(),
                further: least - here,
            })
        })
        .collect()
}

/// How many spaces or tabs a line begins with; `None` for a blank line.
fn indent(line: &str) -> Option<usize> {
    let inside = line.trim_start_matches([' ', '\t']);
    (!inside.trim().is_empty()).then_some(line.len() - inside.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::apply;

    #[test]
    fn a_block_goes_as_a_whole_or_leaves_its_lines() {
        let text = "def f():\n    if x:\n        a\n\n    b\n\nc\n";
        let results: Vec<String> = blocks(text).iter().map(|it| apply(text, [it])).collect();
        assert_eq!(
            results,
            [
                "c\n",
                "def f():\n    b\n\nc\n",
                "if x:\n    a\n\nb\n\nc\n",
                "def f():\n    a\n\n    b\n\nc\n",
            ]
        );
    }

    #[test]
    fn text_without_such_lines_has_no_blocks() {
        assert!(blocks("int f() {\n    a;\n}\nlabel:\n").is_empty());
    }
}
