//! Names of files made from the names of tests.

/// Longer names are cut: file systems stop at 255 bytes.
const LONGEST: usize = 100;

/// A name for a file or folder: letters, digits, `-` and `_`.
pub fn file_name(test: &str) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let words: Vec<&str> =
        test.split(|character| !is_part(character)).filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    let end = name.char_indices().map(|(at, _)| at).find(|at| *at >= LONGEST).unwrap_or(name.len());
    if name.is_empty() { "test".to_owned() } else { name[..end].to_owned() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_file_name_holds() {
        use crate::emit::names::file_name;

        assert_eq!(file_name("tests::parses"), "tests-parses");
        assert_eq!(file_name("src/lib.rs - render (line 27)"), "src-lib-rs-render-line-27");
    }
}
