//! Values that a run has shown, written as the value is written that an assertion expects.

use proc_macro2::Span;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitByteStr, LitFloat, LitInt, Token};

use super::printed::printed;

/// The source of the value whose debug output is `shown`, in the form of the source `expected` of another value of the same
/// type; `None` where that form does not tell how.
///
/// `ParseError::Late(2)` and `Early(3)` make `ParseError::Early(3)`; `vec!["a".to_string()]` and `[]` make `vec![]`.
pub fn written_like(expected: &str, shown: &str) -> Option<String> {
    let expected: Expr = syn::parse_str(expected).ok()?;
    let shown: Expr = syn::parse_str(shown).ok()?;
    let value = like(&expected, &shown)?;
    let text = printed(&syn::parse_quote!(fn value() { #value }))?;
    Some(text.trim_start_matches("fn value() {").trim_end().trim_end_matches('}').trim().to_owned())
}

fn like(expected: &Expr, shown: &Expr) -> Option<Expr> {
    match (expected, shown) {
        (Expr::Paren(inner), _) => Some(Expr::Paren(syn::ExprParen {
            expr: Box::new(like(&inner.expr, shown)?),
            ..inner.clone()
        })),
        (Expr::MethodCall(call), _) if call.args.is_empty() => {
            let receiver = Box::new(like(&call.receiver, shown)?);
            Some(Expr::MethodCall(syn::ExprMethodCall { receiver, ..call.clone() }))
        }
        (Expr::Reference(outer), _) => {
            let expr = Box::new(like(&outer.expr, shown)?);
            Some(Expr::Reference(syn::ExprReference { expr, ..outer.clone() }))
        }
        (Expr::Macro(call), Expr::Array(list)) if call.mac.path.is_ident("vec") => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            let known = parser.parse2(call.mac.tokens.clone()).ok()?;
            let elements = elements_like(&known, &list.elems)?;
            let mut made = call.clone();
            made.mac.tokens = quote!(#(#elements),*);
            Some(Expr::Macro(made))
        }
        (Expr::Array(known), Expr::Array(list)) if known.elems.len() == list.elems.len() => {
            let elements = elements_like(&known.elems, &list.elems)?;
            Some(Expr::Array(syn::ExprArray {
                elems: elements.into_iter().collect(),
                ..known.clone()
            }))
        }
        (Expr::Lit(ExprLit { lit: Lit::ByteStr(known), .. }), Expr::Array(list))
            if known.value().len() == list.elems.len() =>
        {
            let bytes: Option<Vec<u8>> = list.elems.iter().map(byte).collect();
            let lit = Lit::ByteStr(LitByteStr::new(&bytes?, Span::call_site()));
            Some(Expr::Lit(ExprLit { attrs: Vec::new(), lit }))
        }
        (Expr::Tuple(known), Expr::Tuple(parts)) if known.elems.len() == parts.elems.len() => {
            let parts = known.elems.iter().zip(&parts.elems).map(|(known, part)| like(known, part));
            Some(Expr::Tuple(syn::ExprTuple {
                elems: parts.collect::<Option<_>>()?,
                ..known.clone()
            }))
        }
        (Expr::Range(known), Expr::Range(range)) => {
            let part = |known: &Option<Box<Expr>>, part: &Option<Box<Expr>>| match (known, part) {
                (Some(known), Some(part)) => Some(Some(Box::new(like(known, part)?))),
                (None, None) => Some(None),
                _ => None,
            };
            let (start, end) = (part(&known.start, &range.start)?, part(&known.end, &range.end)?);
            Some(Expr::Range(syn::ExprRange { start, end, ..known.clone() }))
        }
        (Expr::Struct(known), Expr::Struct(parts)) if known.fields.len() == parts.fields.len() => {
            let mut made = known.clone();
            for field in &mut made.fields {
                let part = parts.fields.iter().find(|part| part.member == field.member)?;
                field.expr = like(&field.expr, &part.expr)?;
            }
            Some(Expr::Struct(made))
        }
        (Expr::Call(known), Expr::Call(call)) => {
            let (known_path, path) = (path_of(&known.func)?, path_of(&call.func)?);
            let is_same = known_path.segments.last()?.ident == path.segments.last()?.ident;
            // Another variant of an enum.
            if !is_same && known_path.segments.len() > 1 && call.args.iter().all(is_plain) {
                let mut made = call.clone();
                let mut path = known_path.clone();
                *path.segments.last_mut()? = path_of(&call.func)?.segments.last()?.clone();
                made.func = Box::new(syn::parse_quote!(#path));
                return Some(Expr::Call(made));
            }
            (is_same && known.args.len() == call.args.len()).then_some(())?;
            let args = known.args.iter().zip(&call.args).map(|(known, part)| like(known, part));
            Some(Expr::Call(syn::ExprCall { args: args.collect::<Option<_>>()?, ..known.clone() }))
        }
        // `String::from("a")`, `Box::new(1)`.
        (Expr::Call(known), _) if known.args.len() == 1 && is_of_type(&known.func) => {
            let arg = like(known.args.first()?, shown)?;
            Some(Expr::Call(syn::ExprCall { args: [arg].into_iter().collect(), ..known.clone() }))
        }
        (Expr::Path(_), Expr::Call(call)) if is_option(expected) => {
            let is_number = call.args.iter().all(is_plain);
            (path_of(&call.func)?.is_ident("Some") && is_number).then(|| shown.clone())
        }
        (Expr::Call(known), Expr::Path(_)) if is_option(shown) => {
            path_of(&known.func)?.is_ident("Some").then(|| shown.clone())
        }
        (Expr::Path(known), Expr::Path(path)) => {
            let mut made = known.clone();
            let last = path.path.segments.last()?.clone();
            if is_option(expected) && last.ident != "None" {
                return None;
            }
            *made.path.segments.last_mut()? = last;
            Some(Expr::Path(made))
        }
        (Expr::Lit(known), Expr::Lit(value)) => literal_like(&known.lit, value),
        (
            Expr::Lit(_) | Expr::Unary(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Path(_),
            value,
        ) if is_plain(value) && !is_option(expected) => Some(value.clone()),
        _ => None,
    }
}

/// The elements of a list, each as the one at its place is written, or else the last of those that are known.
fn elements_like<'e>(
    known: &Punctuated<Expr, Token![,]>,
    shown: impl IntoIterator<Item = &'e Expr>,
) -> Option<Vec<Expr>> {
    let made = shown.into_iter().enumerate().map(|(place, element)| {
        match known.iter().nth(place).or_else(|| known.last()) {
            Some(known) => like(known, element),
            None => is_plain(element).then(|| element.clone()),
        }
    });
    made.collect()
}

/// A literal with the suffix of another one of its kind.
fn literal_like(known: &Lit, value: &ExprLit) -> Option<Expr> {
    let lit = match (known, &value.lit) {
        (Lit::Int(known), Lit::Int(int)) => {
            let text = format!("{}{}", int.base10_digits(), known.suffix());
            Lit::Int(LitInt::new(&text, Span::call_site()))
        }
        (Lit::Float(known), Lit::Float(float)) => {
            let text = format!("{}{}", float.base10_digits(), known.suffix());
            Lit::Float(LitFloat::new(&text, Span::call_site()))
        }
        (Lit::Str(_), Lit::Str(_))
        | (Lit::Char(_), Lit::Char(_))
        | (Lit::Bool(_), Lit::Bool(_)) => value.lit.clone(),
        _ => return None,
    };
    Some(Expr::Lit(ExprLit { attrs: Vec::new(), lit }))
}

/// Whether a value is a number, character or truth value.
fn is_plain(value: &Expr) -> bool {
    match value {
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)) && is_plain(&unary.expr),
        Expr::Lit(literal) => !matches!(literal.lit, Lit::Str(_) | Lit::ByteStr(_)),
        _ => false,
    }
}

fn byte(element: &Expr) -> Option<u8> {
    let Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) = element else {
        return None;
    };
    int.base10_parse().ok()
}

fn path_of(function: &Expr) -> Option<&syn::Path> {
    match function {
        Expr::Path(path) => Some(&path.path),
        _ => None,
    }
}

/// Whether a function is one of a type, as `String::from` is: what it makes shows as its argument does.
fn is_of_type(function: &Expr) -> bool {
    let last = path_of(function).and_then(|path| {
        let last = path.segments.last().filter(|_| path.segments.len() > 1)?;
        Some(last.ident.to_string())
    });
    last.is_some_and(|last| last == "from" || last == "new")
}

fn is_option(value: &Expr) -> bool {
    path_of(value).is_some_and(|path| path.is_ident("None"))
}

#[cfg(test)]
mod tests {
    use super::written_like;

    fn made(expected: &str, shown: &str) -> Option<String> {
        Some(written_like(expected, shown)?.split_whitespace().collect())
    }

    #[test]
    fn values_take_the_form_of_the_expected_one() {
        for (expected, shown, made_of_it) in [
            ("5_u8", "7", "7u8"),
            ("-2", "3", "3"),
            ("1.0 / 9.0", "-9.0", "-9.0"),
            ("\"a\".to_string()", "\"b\\n\"", "\"b\\n\".to_string()"),
            ("String::from(\"a\")", "\"b\"", "String::from(\"b\")"),
            (
                "vec![(1..5, false)]",
                "[(1..3, true), (4..5, false)]",
                "vec![(1..3,true),(4..5,false)]",
            ),
            ("vec![\"a\".to_owned()]", "[]", "vec![]"),
            ("&[0, 3]", "[1, 2]", "&[1,2]"),
            ("[b\"ab\"]", "[[99, 100]]", "[b\"cd\"]"),
            ("Ok(Value::Float(1.0))", "Ok(Float(-9.0))", "Ok(Value::Float(-9.0))"),
            ("Ok(Value::Float(1.0))", "Ok(Int(-9))", "Ok(Value::Int(-9))"),
            ("Err(E::Late)", "Err(Early)", "Err(E::Early)"),
            ("None", "Some(3)", "Some(3)"),
            ("Some(3)", "None", "None"),
            ("Point { x: 1, y: 2 }", "Point { x: 3, y: -4 }", "Point{x:3,y:-4}"),
        ] {
            assert_eq!(made(expected, shown).as_deref(), Some(made_of_it), "{expected}");
        }
    }

    #[test]
    fn what_the_form_does_not_tell_is_not_made_up() {
        for (expected, shown) in [
            ("Ok(1)", "Err(Late)"),
            ("[1, 2]", "[1]"),
            ("None", "Some(\"a\")"),
            ("vec![]", "[\"a\"]"),
            ("5", "<hidden>"),
            ("\"a\"", "5"),
            ("E::Late(1)", "Early"),
        ] {
            assert_eq!(made(expected, shown), None, "{expected}");
        }
    }
}
