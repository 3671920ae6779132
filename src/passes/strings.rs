//! What the string literals of a source say: a message of its program may repeat one of them.

use syn::LitStr;

use super::scan;

/// The values of the string literals in a text, raw ones among them, in their order.
///
/// ```
/// use cargo_reduce::passes::string_values;
///
/// let values: Vec<String> = string_values(r##"f("a\n", b"b", 'c', r#"d"#) // "e""##).collect();
/// assert_eq!(values, ["a\n", "d"]);
/// ```
pub fn string_values(text: &str) -> impl Iterator<Item = String> {
    scan::pieces(text)
        .filter(|piece| piece.kind == scan::Kind::Str)
        .filter_map(|piece| syn::parse_str::<LitStr>(piece.text).ok())
        .map(|literal| literal.value())
}
