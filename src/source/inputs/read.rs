//! The value of a literal.

use std::borrow::Cow;

use syn::{Expr, Lit};

use crate::reduce::inputs::{Float, Int, Value};
use crate::source::ValueKind;

/// The kind and value of a literal; `None` if it has no value that a reduction could handle (an
/// integer beyond 128 bits, a literal that syn does not interpret).
pub(crate) fn literal(lit: &Lit, is_negative: bool) -> Option<(ValueKind, Value)> {
    let lit = &*with_plain_line_ends(lit);
    Some(match lit {
        Lit::Str(text) => (ValueKind::Str, Value::Text(text.value())),
        Lit::ByteStr(bytes) => (ValueKind::Bytes, Value::Bytes(bytes.value())),
        Lit::CStr(text) => (ValueKind::CStr, Value::Bytes(text.value().into_bytes())),
        Lit::Char(char) => (ValueKind::Char, Value::Char(char.value())),
        Lit::Byte(byte) => (ValueKind::Byte, Value::Int(Int::new(false, u128::from(byte.value())))),
        Lit::Int(number) if is_float_suffix(number.suffix()) => {
            (ValueKind::Float, float(number.base10_digits(), is_negative)?)
        }
        Lit::Int(number) => {
            let magnitude = number.base10_digits().parse().ok()?;
            (ValueKind::Int, Value::Int(Int::new(is_negative, magnitude)))
        }
        Lit::Float(number) => (ValueKind::Float, float(number.base10_digits(), is_negative)?),
        Lit::Bool(value) => (ValueKind::Bool, Value::Bool(value.value)),
        _ => return None,
    })
}

/// A literal as rustc reads it: of two signs that end a line of the source it sees one. Those that are escaped stay.
fn with_plain_line_ends(lit: &Lit) -> Cow<'_, Lit> {
    let written = match lit {
        Lit::Str(text) => text.token().to_string(),
        Lit::ByteStr(bytes) => bytes.token().to_string(),
        Lit::CStr(text) => text.token().to_string(),
        _ => return Cow::Borrowed(lit),
    };
    let read = written.contains("\r\n").then(|| syn::parse_str(&written.replace("\r\n", "\n")));
    read.and_then(Result::ok).map_or(Cow::Borrowed(lit), Cow::Owned)
}

fn is_float_suffix(suffix: &str) -> bool {
    matches!(suffix, "f16" | "f32" | "f64" | "f128")
}

fn float(digits: &str, is_negative: bool) -> Option<Value> {
    let value: f64 = digits.parse().ok()?;
    Some(Value::Float(Float(if is_negative { -value } else { value })))
}

/// The number in `-5`.
pub(super) fn negative(unary: &syn::ExprUnary) -> Option<&Lit> {
    match (&unary.op, &*unary.expr) {
        (syn::UnOp::Neg(_), Expr::Lit(literal)) => match &literal.lit {
            lit @ (Lit::Int(_) | Lit::Float(_)) => Some(lit),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (ValueKind, Value) {
        let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        literal(&syn::parse_str(text).unwrap(), is_negative).unwrap()
    }

    #[test]
    fn every_kind_of_literal_has_its_value() {
        let text = |text: &str| Value::Text(text.to_owned());
        assert_eq!(read(r#""a\u{e9}\n""#), (ValueKind::Str, text("aé\n")));
        assert_eq!(read("\"a\\\n   b\""), (ValueKind::Str, text("ab")));
        assert_eq!(read("r#\"\\\"#"), (ValueKind::Str, text("\\")));
        assert_eq!(read(r#""a\r\n""#), (ValueKind::Str, text("a\r\n")));
        assert_eq!(read("\"a\\r\\n\r\nb\""), (ValueKind::Str, text("a\r\n\nb")));
        assert_eq!(read("r\"a\r\nb\""), (ValueKind::Str, text("a\nb")));
        assert_eq!(read("b\"a\r\nb\""), (ValueKind::Bytes, Value::Bytes(b"a\nb".to_vec())));
        assert_eq!(read("c\"a\r\nb\""), (ValueKind::CStr, Value::Bytes(b"a\nb".to_vec())));
        assert_eq!(read(r#"b"\xff\0""#), (ValueKind::Bytes, Value::Bytes(vec![0xff, 0])));
        assert_eq!(read(r#"c"\xff""#), (ValueKind::CStr, Value::Bytes(vec![0xff])));
        assert_eq!(read("-0x_ff_i64"), (ValueKind::Int, Value::Int(Int::new(true, 255))));
        assert_eq!(read("b'a'"), (ValueKind::Byte, Value::Int(Int::new(false, 97))));
        assert_eq!(read("-1_0.5e1"), (ValueKind::Float, Value::Float(Float(-105.0))));
        assert_eq!(read("1f32"), (ValueKind::Float, Value::Float(Float(1.0))));
        assert_eq!(read("'\\''"), (ValueKind::Char, Value::Char('\'')));
        assert_eq!(read("true"), (ValueKind::Bool, Value::Bool(true)));
    }

    #[test]
    fn carriage_returns_in_source_are_not_in_the_value() {
        assert_eq!(read("r\"a\r\nb\"").1, Value::Text("a\nb".to_owned()));
    }
}
