//! The value of a literal.

use syn::Lit;

use crate::reduce::inputs::{Float, Int, Value};
use crate::source::Kind;

/// The kind and value of a literal; `None` if it has no value that a reduction could handle (an
/// integer beyond 128 bits, a literal that syn does not interpret).
pub(crate) fn literal(lit: &Lit, is_negative: bool) -> Option<(Kind, Value)> {
    Some(match lit {
        Lit::Str(text) => (Kind::Str, Value::Text(text.value().replace("\r\n", "\n"))),
        Lit::ByteStr(bytes) => (Kind::Bytes, Value::Bytes(bytes.value())),
        Lit::CStr(text) => (Kind::CStr, Value::Bytes(text.value().into_bytes())),
        Lit::Char(char) => (Kind::Char, Value::Char(char.value())),
        Lit::Byte(byte) => (Kind::Byte, Value::Int(int(false, u128::from(byte.value())))),
        Lit::Int(number) if is_float_suffix(number.suffix()) => {
            (Kind::Float, float(number.base10_digits(), is_negative)?)
        }
        Lit::Int(number) => {
            let magnitude = number.base10_digits().parse().ok()?;
            (Kind::Int, Value::Int(int(is_negative, magnitude)))
        }
        Lit::Float(number) => (Kind::Float, float(number.base10_digits(), is_negative)?),
        Lit::Bool(value) => (Kind::Bool, Value::Bool(value.value)),
        _ => return None,
    })
}

fn is_float_suffix(suffix: &str) -> bool {
    matches!(suffix, "f16" | "f32" | "f64" | "f128")
}

fn int(is_negative: bool, magnitude: u128) -> Int {
    Int {
        negative: is_negative && magnitude != 0,
        magnitude,
    }
}

fn float(digits: &str, is_negative: bool) -> Option<Value> {
    let value: f64 = digits.parse().ok()?;
    Some(Value::Float(Float(if is_negative {
        -value
    } else {
        value
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Kind, Value) {
        let (is_negative, text) = text
            .strip_prefix('-')
            .map_or((false, text), |rest| (true, rest));
        literal(&syn::parse_str(text).unwrap(), is_negative).unwrap()
    }

    #[test]
    fn every_kind_of_literal_has_its_value() {
        let text = |text: &str| Value::Text(text.to_owned());
        assert_eq!(read(r#""a\u{e9}\n""#), (Kind::Str, text("aé\n")));
        assert_eq!(read("\"a\\\n   b\""), (Kind::Str, text("ab")));
        assert_eq!(read("r#\"\\\"#"), (Kind::Str, text("\\")));
        assert_eq!(
            read(r#"b"\xff\0""#),
            (Kind::Bytes, Value::Bytes(vec![0xff, 0]))
        );
        assert_eq!(read(r#"c"\xff""#), (Kind::CStr, Value::Bytes(vec![0xff])));
        assert_eq!(read("-0x_ff_i64"), (Kind::Int, Value::Int(int(true, 255))));
        assert_eq!(read("b'a'"), (Kind::Byte, Value::Int(int(false, 97))));
        assert_eq!(read("-1_0.5e1"), (Kind::Float, Value::Float(Float(-105.0))));
        assert_eq!(read("1f32"), (Kind::Float, Value::Float(Float(1.0))));
        assert_eq!(read("'\\''"), (Kind::Char, Value::Char('\'')));
        assert_eq!(read("true"), (Kind::Bool, Value::Bool(true)));
    }

    #[test]
    fn carriage_returns_in_source_are_not_in_the_value() {
        assert_eq!(read("r\"a\r\nb\"").1, Value::Text("a\nb".to_owned()));
    }
}
