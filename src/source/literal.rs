//! A value as the literal that a person would write.

use crate::reduce::inputs::{Int, Value};

use super::ValueKind;

/// The types of whole numbers.
pub const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// The source of `value` where `original` (the source of a literal of kind `kind`) stood.
///
/// Prefix, suffix, base and digit groups are those of the original as far as they suit the value.
/// A text is written plain or raw, whichever needs fewer escapes, and on several lines only if the
/// original was and three or more of them are left.
pub fn write_literal(original: &str, kind: ValueKind, value: &Value) -> String {
    let is_multi_line = original.contains('\n');
    match (kind, value) {
        (ValueKind::CStr, Value::Bytes(bytes)) => {
            let body: String = bytes.utf8_chunks().map(|chunk| c_chunk(&chunk)).collect();
            format!("c\"{body}\"")
        }
        (_, Value::Bytes(bytes)) => byte_string(bytes, is_multi_line),
        (_, Value::Text(text)) => string(text, is_multi_line),
        (_, Value::Char(char)) => format!("'{}'", escaped_char(*char, '\'')),
        (ValueKind::Byte, Value::Int(int)) => match u8::try_from(int.magnitude) {
            Ok(byte) if !int.negative => format!("b'{}'", escaped_byte(byte, b'\'')),
            _ => integer("", *int),
        },
        (_, Value::Int(int)) => integer(original, *int),
        (_, Value::Float(float)) => floating(original, float.0),
        (_, Value::Bool(value)) => value.to_string(),
    }
}

/// So many equal characters in a row are not written one by one.
const LONG_RUN: usize = 60;

/// A `String` in which one character stands again and again, as an expression: `"a".repeat(984)`; `None` for other texts.
pub fn write_repeated(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let runs: Vec<&[char]> = chars.chunk_by(|one, next| one == next).collect();
    let mut long = runs.iter().enumerate().filter(|(_, run)| run.len() >= LONG_RUN);
    let (Some((at, run)), None) = (long.next(), long.next()) else { return None };
    let repeated = format!("{}.repeat({})", string(&run[0].to_string(), false), run.len());
    let around = |runs: &[&[char]]| {
        let text: String = runs.concat().iter().collect();
        text.replace('{', "{{").replace('}', "}}")
    };
    let format = format!("{}{{}}{}", around(&runs[..at]), around(&runs[at + 1..]));
    Some(match format.as_str() {
        "{}" => repeated,
        format => format!("format!({}, {repeated})", string(format, false)),
    })
}

fn string(text: &str, was_multi_line: bool) -> String {
    let is_multi_line = was_multi_line && text.matches('\n').count() > 2;
    let is_plain = |c: char| match c {
        '\n' => is_multi_line,
        c => matches!(c, '"' | '\\' | '\'') || escaped_char(c, '"').len() == c.len_utf8(),
    };
    if let Some(raw) = raw("r", text, is_plain) {
        return raw;
    }
    let mut body = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' if is_multi_line => body.push('\n'),
            char => body.push_str(&escaped_char(char, '"')),
        }
    }
    format!("\"{body}\"")
}

/// A raw string, if that saves escapes and can hold all characters.
fn raw(prefix: &str, text: &str, is_plain: impl Fn(char) -> bool) -> Option<String> {
    if !text.contains(['"', '\\']) || !text.chars().all(is_plain) {
        return None;
    }
    let runs = text.split('"').skip(1);
    let runs = runs.map(|after| 1 + after.len() - after.trim_start_matches('#').len());
    let hashes = "#".repeat(runs.max().unwrap_or(0));
    Some(format!("{prefix}{hashes}\"{text}\"{hashes}"))
}

/// One char inside quotes of the kind `quote`.
fn escaped_char(char: char, quote: char) -> String {
    match char {
        '\0' => "\\0".to_owned(),
        '"' | '\'' if char != quote => char.to_string(),
        char => char.escape_debug().to_string(),
    }
}

fn byte_string(bytes: &[u8], was_multi_line: bool) -> String {
    let newlines = bytes.split(|byte| *byte == b'\n').count() - 1;
    let is_multi_line = was_multi_line && newlines > 2;
    let is_plain = |c: char| (' '..='~').contains(&c) || c == '\n' && is_multi_line;
    if let Some(raw) = raw("br", &String::from_utf8_lossy(bytes), is_plain) {
        return raw;
    }
    let mut body = String::with_capacity(bytes.len());
    let mut bytes = bytes.iter().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\n' if is_multi_line => body.push('\n'),
            // `\07` looks like an octal number.
            0 if bytes.peek().is_some_and(|it| it.is_ascii_digit()) => body.push_str("\\x00"),
            byte => body.push_str(&escaped_byte(*byte, b'"')),
        }
    }
    format!("b\"{body}\"")
}

/// One byte inside quotes of the kind `quote`.
fn escaped_byte(byte: u8, quote: u8) -> String {
    match byte {
        0 => "\\0".to_owned(),
        b'"' | b'\'' if byte != quote => char::from(byte).to_string(),
        byte => byte.escape_ascii().to_string(),
    }
}

fn c_chunk(chunk: &std::str::Utf8Chunk<'_>) -> String {
    let valid = chunk.valid().chars().map(|char| escaped_char(char, '"'));
    let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
    valid.chain(invalid).collect()
}

/// The parts of a number's source.
struct NumberStyle<'o> {
    base: u32,
    is_upper: bool,
    is_grouped: bool,
    suffix: &'o str,
}

impl<'o> NumberStyle<'o> {
    fn of(original: &'o str) -> Self {
        let number = original.trim_start_matches(['-', ' ']);
        let (base, digits) = match number.get(..2) {
            Some("0x") => (16, &number[2..]),
            Some("0o") => (8, &number[2..]),
            Some("0b") => (2, &number[2..]),
            _ => (10, number),
        };
        let ends_digits = |c: char| !(c == '_' || c.is_digit(base));
        let suffix = digits.find(ends_digits).map_or("", |at| &digits[at..]);
        let digits = &digits[..digits.len() - suffix.len()];
        NumberStyle {
            base,
            is_upper: digits.contains(|c: char| c.is_ascii_uppercase()),
            is_grouped: digits.trim_end_matches('_').contains('_'),
            suffix,
        }
    }
}

fn integer(original: &str, int: Int) -> String {
    let style = NumberStyle::of(original);
    let magnitude = int.magnitude;
    let is_small = magnitude < 10;
    let (prefix, digits) = match style.base {
        16 if !is_small && style.is_upper => ("0x", format!("{magnitude:X}")),
        16 if !is_small => ("0x", format!("{magnitude:x}")),
        8 if !is_small => ("0o", format!("{magnitude:o}")),
        2 if !is_small => ("0b", format!("{magnitude:b}")),
        _ => ("", magnitude.to_string()),
    };
    let group = if prefix.is_empty() { 3 } else { 4 };
    let digits =
        if style.is_grouped && digits.len() > 4 { grouped(&digits, group, '_') } else { digits };
    let sign = if int.negative { "-" } else { "" };
    // `0xb1` with the suffix of a decimal `f32` cannot be: such numbers are floats.
    format!("{sign}{prefix}{digits}{}", style.suffix)
}

/// The digits with a sign between groups of `size`, from the right.
pub fn grouped(digits: &str, size: usize, between: char) -> String {
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(size) {
            text.push(between);
        }
        text.push(digit);
    }
    text
}

fn floating(original: &str, value: f64) -> String {
    let ty = ["f16", "f32", "f64", "f128"].into_iter().find(|ty| original.ends_with(ty));
    if !value.is_finite() {
        let name = match value {
            value if value.is_nan() => "NAN",
            value if value > 0.0 => "INFINITY",
            _ => "NEG_INFINITY",
        };
        return format!("{}::{name}", ty.unwrap_or("f64"));
    }
    format!("{value:?}{}", ty.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::Float;

    #[test]
    fn digits_stand_in_groups() {
        let all = ["0", "12", "999", "1000", "11222", "1000000"].map(|it| grouped(it, 3, ','));
        assert_eq!(all, ["0", "12", "999", "1,000", "11,222", "1,000,000"]);
    }

    fn text(original: &str, value: &str) -> String {
        write_literal(original, ValueKind::Str, &Value::Text(value.to_owned()))
    }

    fn int(original: &str, negative: bool, magnitude: u128) -> String {
        write_literal(original, ValueKind::Int, &Value::Int(Int { negative, magnitude }))
    }

    #[test]
    fn a_text_is_raw_only_where_that_saves_escapes() {
        assert_eq!(text("r#\"\"#", "a"), r#""a""#);
        assert_eq!(text("\"\"", "a\"b"), r##"r#"a"b"#"##);
        assert_eq!(text("\"\"", "\\d"), r#"r"\d""#);
        assert_eq!(text("\"\"", "\"#\\"), "r##\"\"#\\\"##");
        assert_eq!(text("\"\"", "it's"), "\"it's\"");
        assert_eq!(text("\"\"", "\"\t"), r#""\"\t""#);
    }

    #[test]
    fn a_long_run_of_one_character_is_repeated() {
        let written = |text: &str| write_repeated(text);
        assert_eq!(written(&"a".repeat(984)).as_deref(), Some("\"a\".repeat(984)"));
        let framed = format!("{{{}\r\n", "-".repeat(60));
        assert_eq!(written(&framed).as_deref(), Some(r#"format!("{{{}\r\n", "-".repeat(60))"#));
        assert_eq!(written(&"a".repeat(59)), None);
        assert_eq!(written(&["a", "b"].map(|it| it.repeat(60)).concat()), None);
    }

    #[test]
    fn lines_are_kept_only_where_there_were_and_still_are_several() {
        assert_eq!(text("\"x\ny\"", "a\nb"), r#""a\nb""#);
        assert_eq!(text("\"x\ny\"", "a\nb\nc\nd"), "\"a\nb\nc\nd\"");
        assert_eq!(text("\"x\"", "a\nb\nc\nd"), r#""a\nb\nc\nd""#);
    }

    #[test]
    fn invisible_chars_are_escaped() {
        assert_eq!(text("\"\"", "é\u{200b}\u{a0}\0\u{1b}"), r#""é\u{200b}\u{a0}\0\u{1b}""#);
    }

    #[test]
    fn bytes_and_chars_have_their_own_escapes() {
        let bytes =
            |value: &[u8]| write_literal("b\"\"", ValueKind::Bytes, &Value::Bytes(value.to_vec()));
        assert_eq!(bytes(b"\x0007\0a"), r#"b"\x0007\0a""#);
        assert_eq!(bytes(b"a\xff\"\n\0"), r#"b"a\xff\"\n\0""#);
        assert_eq!(bytes(b"a=\"1\""), "br#\"a=\"1\"\"#");
        let cstr =
            write_literal("c\"\"", ValueKind::CStr, &Value::Bytes("é\u{1}".as_bytes().to_vec()));
        assert_eq!(cstr, r#"c"é\u{1}""#);
        assert_eq!(write_literal("'a'", ValueKind::Char, &Value::Char('\'')), r"'\''");
        assert_eq!(write_literal("'a'", ValueKind::Char, &Value::Char('"')), "'\"'");
        let byte = Value::Int(Int { negative: false, magnitude: 0x80 });
        assert_eq!(write_literal("b'a'", ValueKind::Byte, &byte), r"b'\x80'");
    }

    #[test]
    fn numbers_keep_their_base_suffix_and_groups() {
        assert_eq!(int("0xFF_u8", false, 171), "0xABu8");
        assert_eq!(int("0xff", false, 3), "3");
        assert_eq!(int("-79_228_157", true, 12_345), "-12_345");
        assert_eq!(int("79_228_157", false, 345), "345");
        assert_eq!(int("1usize", false, 0), "0usize");
        assert_eq!(int("0b1111_0000", false, 0b1010_1010), "0b1010_1010");
        let float = |original: &str, value| {
            write_literal(original, ValueKind::Float, &Value::Float(Float(value)))
        };
        assert_eq!(float("1.50f32", 0.0), "0.0f32");
        assert_eq!(float("1e300", 2.5), "2.5");
        assert_eq!(float("1e300", f64::INFINITY), "f64::INFINITY");
    }
}
