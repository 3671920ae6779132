//! From a line of a file to the code block that it opens.

use super::{DocTest, DocTestError, Line};
use crate::source::position::lines;

impl DocTest {
    /// The code block that is opened on line `line` (from 1) of a file, in `///`, `//!` or `/** */`.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(text: &str, line: usize) -> Result<Self, DocTestError> {
        let lines = lines(text).map(|(at, line)| (at, line.trim_end_matches(['\n', '\r'])));
        let lines: Vec<(usize, &str)> = lines.collect();
        let index = line.checked_sub(1).filter(|index| *index < lines.len());
        let index = index.ok_or(DocTestError::NoFence(line))?;
        let style = Style::of(&lines, index).ok_or(DocTestError::NoComment(line))?;
        let indent = style.indent(&lines, index);
        let opening = style.content(lines[index].1).ok_or(DocTestError::NoComment(line))?.trim();
        let (fence, words) = fence_of(opening).ok_or(DocTestError::NoFence(line))?;
        let words = words.split([',', ' ', '\t']).filter(|word| !word.is_empty());
        let mut test = DocTest {
            code: String::new(),
            words: words.map(str::to_owned).collect(),
            lines: Vec::new(),
            prefix: style.prefix(lines[index].1, indent),
        };
        for (start, line) in &lines[index + 1..] {
            let Some(content) = style.content(line) else { break };
            let is_closing = content.trim().starts_with(fence)
                && content.trim().trim_start_matches(&fence[..1]).is_empty();
            if is_closing {
                break;
            }
            let content = content.get(indent..).unwrap_or("");
            let content = unhidden(content);
            let file = start + (line.len() - content.len());
            test.lines.push(Line { code: test.code.len(), file });
            test.code.push_str(content);
            test.code.push('\n');
        }
        Ok(test)
    }
}

/// How a doc comment is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Each line starts with `///` or `//!`.
    Lines(&'static str),
    /// Between `/**` and `*/`, with or without a `*` before each line.
    Block { has_stars: bool },
}

impl Style {
    fn of(lines: &[(usize, &str)], index: usize) -> Option<Self> {
        let line = lines[index].1.trim_start();
        for mark in ["///", "//!"] {
            if line.starts_with(mark) {
                return Some(Style::Lines(mark));
            }
        }
        let mut before = lines[..=index].iter().rev();
        let opening = before.find(|(_, line)| line.contains("/**") || line.contains("/*!"));
        opening.map(|_| Style::Block { has_stars: line.starts_with('*') })
    }

    /// What a line of the comment says; `None` past the comment's end.
    fn content(self, line: &str) -> Option<&str> {
        let trimmed = line.trim_start();
        match self {
            Style::Lines(mark) => trimmed.strip_prefix(mark),
            Style::Block { .. } if line.contains("*/") => None,
            Style::Block { has_stars: true } => trimmed.strip_prefix('*').or(Some(trimmed)),
            Style::Block { has_stars: false } => Some(line),
        }
    }

    /// The blanks that all lines of the comment start with, which rustdoc takes away.
    fn indent(self, lines: &[(usize, &str)], index: usize) -> usize {
        let contents = |line: &(usize, &'_ str)| self.content(line.1).map(str::len).is_some();
        let above = lines[..index].iter().rev().take_while(|line| contents(line)).count();
        let comment = lines[index - above..].iter().map_while(|(_, line)| self.content(line));
        let blanks = comment
            .filter(|content| !content.trim().is_empty() && !content.trim().starts_with("/**"))
            .map(|content| content.len() - content.trim_start().len());
        blanks.min().unwrap_or(0)
    }

    /// What stands before the code on each line.
    fn prefix(self, line: &str, indent: usize) -> String {
        let content = self.content(line).unwrap_or(line);
        let mark = line.len() - content.len();
        format!("{}{}", &line[..mark], &content[..indent.min(content.len())])
    }
}

/// The fence and what follows it.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let fence = &line[..line.len() - rest.len()];
    (fence.len() >= 3).then_some((fence, rest.trim()))
}

/// A line that starts with `# ` is hidden in the documentation, but part of the code.
fn unhidden(line: &str) -> &str {
    let trimmed = line.trim_start();
    match trimmed.strip_prefix('#') {
        Some("") => "",
        Some(rest) if rest.starts_with([' ', '\t']) => &rest[1..],
        Some(rest) if rest.starts_with('#') => rest,
        _ => line,
    }
}
