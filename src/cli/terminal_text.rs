//! The Markdown of the guide as a terminal shows it: paragraphs as wide as the screen, tables as lists.

use std::fmt::Write;
use std::sync::LazyLock;

use anstyle::{AnsiColor, Style};
use regex::Regex;
use textwrap::Options;

const HEADING: Style = AnsiColor::Green.on_default().bold();
const CODE: Style = AnsiColor::Cyan.on_default();
const BOLD: Style = Style::new().bold();

/// Columns of a line that is still read with ease.
const WIDEST: usize = 100;
/// Columns that even a small window has.
const NARROWEST: usize = 20;

/// The text for a terminal of so many columns.
pub fn terminal_text(markdown: &str, columns: usize) -> String {
    let width = columns.clamp(NARROWEST, WIDEST);
    let mut shown = Shown { text: String::new(), width, block: String::new(), columns: Vec::new() };
    let mut is_code = false;
    // Comments are for the tests of the guide.
    for line in markdown.lines().filter(|line| !line.starts_with("<!--")) {
        if line.starts_with("```") {
            shown.end_block();
            is_code = !is_code;
        } else if is_code {
            shown.line(&format!("    {CODE}{line}{CODE:#}"));
        } else if let Some(row) = line.strip_prefix("| ") {
            shown.end_block();
            shown.row(row.trim_end_matches('|').trim_end());
        } else if line.starts_with("|--") {
            // It only says that the row before has the names of columns.
        } else if line.starts_with('#') {
            shown.end_block();
            shown.line(&format!("{HEADING}{}{HEADING:#}", line.trim_start_matches(['#', ' '])));
        } else if line.is_empty() {
            shown.end_block();
            shown.columns.clear();
            shown.line("");
        } else {
            if is_item(line) {
                shown.end_block();
            }
            let gap = if shown.block.is_empty() { "" } else { " " };
            shown.block.extend([gap, line.trim_start()]);
        }
    }
    shown.end_block();
    shown.text
}

struct Shown {
    text: String,
    width: usize,
    /// The paragraph or list item that is being read.
    block: String,
    /// The names of the columns of the table that is being read.
    columns: Vec<String>,
}

impl Shown {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn end_block(&mut self) {
        let block = plain(&std::mem::take(&mut self.block));
        if !block.is_empty() {
            let indent = if is_item(&block) { "  " } else { "" };
            self.wrapped(&block, "", indent);
        }
    }

    fn wrapped(&mut self, text: &str, first: &str, other: &str) {
        let options = Options::new(self.width).initial_indent(first).subsequent_indent(other);
        for line in textwrap::wrap(text, options) {
            self.line(&line);
        }
    }

    /// A row of a table: its first cell as a term, the others below it.
    fn row(&mut self, row: &str) {
        let cells: Vec<String> =
            row.split(" | ").map(|cell| plain(&cell.replace("\\|", "|"))).collect();
        if self.columns.is_empty() {
            self.columns = cells;
            return;
        }
        let mut named = cells.iter().zip(self.columns.clone());
        if let Some((term, _)) = named.next() {
            self.line(&format!("  {BOLD}{term}{BOLD:#}"));
        }
        let is_alone = cells.len() == 2;
        for (cell, name) in named.filter(|(cell, _)| !cell.is_empty()) {
            let text = if is_alone { cell.clone() } else { format!("{name}: {cell}") };
            self.wrapped(&text, "      ", "      ");
        }
    }
}

/// Whether an item of a list begins here.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    line.starts_with("- ") || (number.len() < line.len() && number.starts_with(". "))
}

/// The text without the marks of links and of what is bold; in code these are no marks.
fn plain(text: &str) -> String {
    MARKS.replace_all(text, "$code$label").into_owned()
}

static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?<code>`[^`]*`)|\[(?<label>[^\]]*)\]\([^)]*\)|\*\*")
        .unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
});

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(markdown: &str, columns: usize) -> String {
        anstream::adapter::strip_str(&terminal_text(markdown, columns)).to_string()
    }

    #[test]
    fn paragraphs_and_items_are_as_wide_as_the_screen() {
        let text =
            "# Head\n\nOne **two**\n[three](a.md) four.\n\n- five six\n  seven eight\n1. nine\n";
        assert_eq!(
            shown(text, 20),
            "Head\n\nOne two three four.\n\n- five six seven\n  eight\n1. nine\n"
        );
    }

    #[test]
    fn tables_are_lists() {
        let text = "| code | meaning |\n|---|---|\n| 0 | good `a\\|b` |\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n";
        assert_eq!(shown(text, 80), "  0\n      good `a|b`\n\n  1\n      b: 2\n      c: 3\n");
    }

    #[test]
    fn code_stays_as_it_is_and_comments_go() {
        let text = "<!-- run -->\n```console\n$ a\n| b\n```\nText `[](x)` [y](z.md).\n";
        assert_eq!(shown(text, 80), "    $ a\n    | b\nText `[](x)` y.\n");
    }
}
