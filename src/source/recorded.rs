//! Values that a run has shown, written as the value is written that an assertion expects.

use proc_macro2::Span;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprLit, Lit, LitByteStr, LitFloat, LitInt, Token};

use super::printed::printed;
use super::tokens::ends_in;

/// The source of the value whose debug output is `shown`, in the form of the source `expected` of another value of the same
/// type; `None` where that form does not tell how.
///
/// `ParseError::Late(2)` and `Early(3)` make `ParseError::Early(3)`; `vec!["a".to_string()]` and `[]` make `vec![]`.
pub fn written_like(expected: &str, shown: &str) -> Option<String> {
    let mut value: Expr = syn::parse_str(expected).ok()?;
    let shown: Expr = syn::parse_str(shown).ok()?;
    show(&mut value, &shown)?;
    let text = printed(&syn::parse_quote!(fn value() { #value }))?;
    Some(text.trim_start_matches("fn value() {").trim_end().trim_end_matches('}').trim().to_owned())
}

/// Makes `made` what is `shown`, in the form that it has.
fn show(made: &mut Expr, shown: &Expr) -> Option<()> {
    let expects_option = is_option(made);
    match (&mut *made, shown) {
        (Expr::Paren(inner), _) => show(&mut inner.expr, shown)?,
        (Expr::MethodCall(call), _) if call.args.is_empty() => show(&mut call.receiver, shown)?,
        (Expr::Reference(outer), _) => show(&mut outer.expr, shown)?,
        (Expr::Macro(call), Expr::Array(list)) if call.mac.path.is_ident("vec") => {
            let parser = Exprs::parse_terminated;
            let known = parser.parse2(call.mac.tokens.clone()).ok()?;
            let elements = elements_like(&known, &list.elems)?;
            call.mac.tokens = quote!(#(#elements),*);
        }
        (Expr::Array(known), Expr::Array(list)) if known.elems.len() == list.elems.len() => {
            show_each(&mut known.elems, &list.elems)?;
        }
        (Expr::Lit(ExprLit { lit: Lit::ByteStr(known), .. }), Expr::Array(list))
            if known.value().len() == list.elems.len() =>
        {
            let bytes: Option<Vec<u8>> = list.elems.iter().map(byte).collect();
            *known = LitByteStr::new(&bytes?, Span::call_site());
        }
        (Expr::Tuple(known), Expr::Tuple(parts)) if known.elems.len() == parts.elems.len() => {
            show_each(&mut known.elems, &parts.elems)?;
        }
        (Expr::Range(known), Expr::Range(range)) => {
            show_end(known.start.as_deref_mut(), range.start.as_deref())?;
            show_end(known.end.as_deref_mut(), range.end.as_deref())?;
        }
        (Expr::Struct(known), Expr::Struct(parts)) if known.fields.len() == parts.fields.len() => {
            for field in &mut known.fields {
                let part = parts.fields.iter().find(|part| part.member == field.member)?;
                show(&mut field.expr, &part.expr)?;
            }
        }
        (Expr::Call(known), Expr::Call(call)) => show_call(known, call)?,
        // `String::from("a")`, `Box::new(1)`.
        (Expr::Call(known), _) if known.args.len() == 1 && is_of_type(&known.func) => {
            show(known.args.first_mut()?, shown)?;
        }
        (Expr::Path(_), Expr::Call(call)) if expects_option => {
            let is_number = call.args.iter().all(is_plain);
            (path_of(&call.func)?.is_ident("Some") && is_number).then_some(())?;
            *made = shown.clone();
        }
        (Expr::Call(known), Expr::Path(_)) if is_option(shown) => {
            path_of(&known.func)?.is_ident("Some").then_some(())?;
            *made = shown.clone();
        }
        (Expr::Path(known), Expr::Path(path)) => {
            let last = path.path.segments.last()?;
            (!expects_option || last.ident == "None").then_some(())?;
            *known.path.segments.last_mut()? = last.clone();
        }
        (Expr::Lit(known), Expr::Lit(value)) => known.lit = literal_like(&known.lit, &value.lit)?,
        (
            Expr::Lit(_) | Expr::Unary(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Path(_),
            value,
        ) if is_plain(value) && !expects_option => *made = value.clone(),
        _ => return None,
    }
    Some(())
}

type Exprs = Punctuated<Expr, Token![,]>;

/// Makes each of these what is shown at its place.
fn show_each(made: &mut Exprs, shown: &Exprs) -> Option<()> {
    made.iter_mut().zip(shown).try_for_each(|(made, shown)| show(made, shown))
}

/// Makes an end of a range, if it has one, what is shown there.
fn show_end(made: Option<&mut Expr>, shown: Option<&Expr>) -> Option<()> {
    match (made, shown) {
        (Some(made), Some(shown)) => show(made, shown),
        (made, shown) => (made.is_none() && shown.is_none()).then_some(()),
    }
}

/// Makes a value of the same variant have other parts, or one of another variant of the same enum.
fn show_call(made: &mut ExprCall, shown: &ExprCall) -> Option<()> {
    let Expr::Path(path) = &mut *made.func else { return None };
    let (is_variant, last) = (path.path.segments.len() > 1, path.path.segments.last_mut()?);
    let name = path_of(&shown.func)?.segments.last()?;
    if last.ident == name.ident {
        (made.args.len() == shown.args.len()).then_some(())?;
        return show_each(&mut made.args, &shown.args);
    }
    is_variant.then_some(())?;
    *last = name.clone();
    let args = shown.args.iter().map(|arg| argument_like(&made.args, arg));
    made.args = args.collect::<Option<_>>()?;
    Some(())
}

/// An argument of another variant: a plain value as it is, a text as those of the `known` variant are written.
fn argument_like(known: &Exprs, argument: &Expr) -> Option<Expr> {
    if is_plain(argument) {
        return Some(argument.clone());
    }
    let Expr::Lit(_) = argument else { return None };
    known.iter().filter(|known| !is_plain(known)).find_map(|known| {
        let mut made = known.clone();
        show(&mut made, argument).map(|()| made)
    })
}

/// The elements of a list, each as the one at its place is written, or else the last of those that are known.
fn elements_like(known: &Exprs, shown: &Exprs) -> Option<Vec<Expr>> {
    let made = shown.iter().enumerate().map(|(place, element)| {
        let Some(known) = known.iter().nth(place).or_else(|| known.last()) else {
            return is_plain(element).then(|| element.clone());
        };
        let mut made = known.clone();
        show(&mut made, element).map(|()| made)
    });
    made.collect()
}

/// A literal with the suffix of another one of its kind.
fn literal_like(known: &Lit, value: &Lit) -> Option<Lit> {
    Some(match (known, value) {
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
        | (Lit::Bool(_), Lit::Bool(_)) => value.clone(),
        _ => return None,
    })
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
    let is_maker = |path: &syn::Path| ends_in(path, "from") || ends_in(path, "new");
    path_of(function).is_some_and(|path| path.segments.len() > 1 && is_maker(path))
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
            (
                "Ok(Part::Digits(1, \"1\".to_owned()))",
                "Ok(Plain(\"a\"))",
                "Ok(Part::Plain(\"a\".to_owned()))",
            ),
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
            ("E::Late(1)", "Early(\"a\")"),
        ] {
            assert_eq!(made(expected, shown), None, "{expected}");
        }
    }
}
