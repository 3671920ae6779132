//! Flags that a compiler test file asks for in its header.

/// The flags in lines such as `//@ compile-flags: -Zx` and `//@ edition: 2021`, at the top of the file
/// or anywhere else.
pub fn header_flags(source: &str) -> Vec<String> {
    let mut flags = Vec::new();
    for line in source.lines() {
        let Some(directive) = directive(line) else { continue };
        if let Some(list) = directive.strip_prefix("compile-flags:") {
            flags.extend(list.split_whitespace().map(str::to_owned));
        } else if let Some(edition) = directive.strip_prefix("edition:") {
            flags.push(format!("--edition={}", edition.trim()));
        }
    }
    flags
}

/// What stands behind `//@`, or behind `//` as in older files.
fn directive(line: &str) -> Option<&str> {
    let comment = line.trim_start().strip_prefix("//")?;
    Some(comment.strip_prefix('@').unwrap_or(comment).trim_start())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_header_flags_holds() {
        use crate::oracle::ice::header_flags;

        let source = "//@ compile-flags: -Zpolonius -O\n//@ edition:2021\nfn main() {}";
        assert_eq!(header_flags(source), ["-Zpolonius", "-O", "--edition=2021"]);
    }
}
