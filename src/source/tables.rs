//! The tables through which a test goes: each of their elements is a check of its own.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprArray, Ident, Pat, Type};

use super::exprs::{constants, exprs, functions, lent, locals, statics, without_adapters};
use super::methods::goes_through;
use super::parse::{look_at_file, range};
use super::patterns::named_closure;
use super::tokens::{called_name, expressions};
use super::{Crate, FileIndex, last_word};

/// A list that is written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its bytes, those of a reference to it included.
    pub range: Range<usize>,
    /// Those of each of its elements.
    pub elements: Vec<Range<usize>>,
    /// Those of how many elements it has by its type, if that says so.
    pub length: Option<Range<usize>>,
    /// Those of the constant that holds it, if one does, without attributes.
    pub constant: Option<Range<usize>>,
}

impl Crate {
    /// The bytes of the lists that the loops around a byte of a source go through, or around calls there that lead to it, where
    /// they are written out.
    pub fn tables_around(&self, file: FileIndex, offset: usize) -> Vec<Range<usize>> {
        let tables = look_at_file(&self.file(file).text, |tree, base| {
            let places = leading_to(&tree, base, offset);
            tables_of(&tree, base, gone_through_around(&tree, base, &places))
        });
        tables.into_iter().map(|table| table.range).collect()
    }
}

/// The lists that the loops around a byte of a text go through, where they are written out, and those that other variables of
/// the same name hold.
pub fn tables_around(text: &str, offset: usize) -> Vec<Table> {
    look_at_file(text, |tree, base| {
        tables_of(&tree, base, gone_through_around(&tree, base, &[offset]))
    })
}

/// The lists of several parts each that variables in a text hold, and all that its loops go through, where they are written out.
pub fn tables_in(text: &str) -> Vec<Table> {
    look_at_file(text, |tree, base| {
        let lists = loops(&tree).map(|(list, _)| list).collect();
        let mut tables = tables_of(&tree, base, lists);
        let has_parts = |element: &Range<usize>| {
            text[element.clone()].trim_start_matches('&').contains(['(', '[', '{'])
        };
        let held = held(&tree, base, None).into_iter();
        tables.extend(held.filter(|table| table.elements.iter().all(has_parts)));
        tables.sort_by_key(|table| table.range.start);
        tables.dedup();
        tables
    })
}

/// Those that these lists are, which loops in `tree` go through.
pub(super) fn tables_of(tree: &syn::File, base: usize, lists: Vec<&Expr>) -> Vec<Table> {
    let (mut tables, mut names) = (Vec::new(), Vec::new());
    for list in lists {
        match without_adapters(list, goes_through) {
            Expr::Path(path) => names.extend(last_word(&path.path).map(ToString::to_string)),
            list => tables.extend(table(list, None, base)),
        }
    }
    tables.extend(held(tree, base, Some(&names)));
    tables
}

/// A byte, and the calls in its file of the helpers in which it stands: functions, and closures that have a name. Those that
/// work on something which they are lent are steps, not checks by themselves.
fn leading_to(tree: &syn::File, base: usize, offset: usize) -> Vec<usize> {
    let functions = functions(|it| it.visit_file(tree)).into_iter();
    let functions = functions.map(|it| (&it.sig.ident, range(it.block.span(), base)));
    let closures = locals(|it| it.visit_file(tree)).into_iter().filter_map(named_closure);
    let closures = closures.map(|(name, it)| (name, range(it.body.span(), base)));
    let helpers: Vec<_> = functions.chain(closures).collect();
    let calls = exprs(|it| it.visit_file(tree)).into_iter().filter_map(|expr| match expr {
        Expr::Call(call) => Some((called_name(&call.func)?, call)),
        _ => None,
    });
    let lends = |call: &syn::ExprCall| call.args.iter().any(|argument| lent(argument).is_some());
    let calls: Vec<_> = calls.filter(|(_, call)| !lends(call)).collect();
    let mut places = vec![offset];
    let mut next = 0;
    while let Some(place) = places.get(next).copied() {
        next += 1;
        for (name, _) in helpers.iter().filter(|(_, body)| body.contains(&place)) {
            let of_helper = calls.iter().filter(|(called, _)| called == name);
            for start in of_helper.map(|(_, call)| range(call.span(), base).start) {
                if !places.contains(&start) {
                    places.push(start);
                }
            }
        }
    }
    places
}

/// What the loops around any of these bytes go through.
fn gone_through_around<'t>(tree: &'t syn::File, base: usize, places: &[usize]) -> Vec<&'t Expr> {
    let gone_through = loops(tree).filter_map(|(list, body)| {
        let body = range(body, base);
        places.iter().any(|place| body.contains(place)).then_some(list)
    });
    gone_through.collect()
}

/// What the loops of a file go through, and where the body of each stands.
fn loops(tree: &syn::File) -> impl Iterator<Item = (&Expr, Span)> {
    exprs(|it| it.visit_file(tree)).into_iter().filter_map(|expr| match expr {
        Expr::ForLoop(it) => Some((&*it.expr, it.body.span())),
        Expr::MethodCall(call) if call.method == "for_each" => match call.args.first() {
            Some(Expr::Closure(closure)) => Some((&*call.receiver, closure.body.span())),
            _ => None,
        },
        _ => None,
    })
}

/// The lists that variables and constants of these names hold, or all that do.
fn held(tree: &syn::File, base: usize, names: Option<&[String]>) -> Vec<Table> {
    let is_wanted =
        |name: &Ident| names.is_none_or(|names| names.iter().any(|wanted| name == wanted));
    let place = |first: Span, last: Span| Some(range(first, base).start..range(last, base).end);
    let mut tables = Vec::new();
    let mut add = |name: &Ident, ty: Option<&Type>, value: &Expr, constant| {
        let table =
            table(without_adapters(value, goes_through), ty, base).filter(|_| is_wanted(name));
        tables.extend(table.map(|table| Table { constant, ..table }));
    };
    for local in locals(|it| it.visit_file(tree)) {
        let (pattern, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        if let (Pat::Ident(name), Some(init)) = (pattern, &local.init) {
            add(&name.ident, ty, &init.expr, None);
        }
    }
    for it in constants(|all| all.visit_file(tree)) {
        let place = place(it.const_token.span, it.semi_token.span);
        add(&it.ident, Some(&it.ty), &it.expr, place);
    }
    for it in statics(|all| all.visit_file(tree)) {
        let place = place(it.static_token.span, it.semi_token.span);
        add(&it.ident, Some(&it.ty), &it.expr, place);
    }
    tables.sort_by_key(|table| table.range.start);
    tables
}

/// A list that is written out, of that type.
fn table(expr: &Expr, ty: Option<&Type>, base: usize) -> Option<Table> {
    let of = |array: &ExprArray| array.elems.iter().map(|it| range(it.span(), base)).collect();
    let elements = match expr {
        Expr::Array(array) => of(array),
        Expr::Reference(reference) => match &*reference.expr {
            Expr::Array(array) => of(array),
            _ => Vec::new(),
        },
        Expr::Macro(mac) if mac.mac.path.is_ident("vec") => {
            let elements = expressions(&mac.mac.tokens).unwrap_or_default();
            elements.iter().map(|it| range(it.span(), base)).collect()
        }
        _ => return None,
    };
    let length = ty.and_then(length).map(|length| range(length.span(), base));
    Some(Table { range: range(expr.span(), base), elements, length, constant: None })
}

fn length(ty: &Type) -> Option<&Expr> {
    match ty {
        Type::Array(array) => Some(&array.len),
        Type::Reference(reference) => length(&reference.elem),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::tests::krate;

    #[track_caller]
    fn tables(text: &str, expected: &[&str]) {
        let found = tables_around(text, text.find("assert").unwrap());
        let found: Vec<&str> = found.into_iter().map(|table| &text[table.range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn elements_lengths_and_constants_are_told() {
        let text = "static ALL: &[u8; 2] = &[1, 2,]; fn f() { for a in ALL { assert!(g(a)) } }";
        let [table] = &tables_around(text, text.find("assert").unwrap())[..] else { panic!() };
        let elements: Vec<&str> = table.elements.iter().map(|it| &text[it.clone()]).collect();
        assert_eq!(elements, ["1", "2"]);
        assert_eq!(table.length.clone().map(|it| &text[it]), Some("2"));
        assert_eq!(table.constant.clone().map(|it| &text[it]), Some(&text[..32]));
        let text = "fn f() { let a = vec![(1, 2), (3, 4)]; for b in a { assert!(b) } }";
        let [table] = &tables_around(text, text.find("assert").unwrap())[..] else { panic!() };
        assert_eq!(&text[table.elements[1].clone()], "(3, 4)");
        assert_eq!((&table.length, &table.constant), (&None, &None));
    }

    #[test]
    fn the_tables_of_a_text_are_told_from_other_lists() {
        let text = "fn f() { let all = vec![(1, 2)]; run(&all); for a in [1] { g(a) } let data = [3]; h(data, [(4, 5)]); \
                    let b = [S { a }, s(1)]; let c = [6]; for d in c.iter() { g(d) } }";
        let found: Vec<&str> = tables_in(text).into_iter().map(|it| &text[it.range]).collect();
        assert_eq!(found, ["vec![(1, 2)]", "[1]", "[S { a }, s(1)]", "[6]"]);
    }

    #[test]
    fn the_lists_of_the_loops_around_a_byte_are_found() {
        tables("fn f() { for a in [1, 2] { assert!(g(a)) } for b in [3] {} }", &["[1, 2]"]);
        tables("fn f() { for a in vec![1].iter() { { assert!(g(a)) } } }", &["vec![1]"]);
        tables("fn f() { &[(1, 2)].iter().for_each(|a| assert!(g(a))); }", &["[(1, 2)]"]);
        tables("fn f() { for a in g(&[1]) { assert!(a) } }", &[]);
    }

    #[test]
    fn loops_around_calls_of_helpers_count_where_nothing_is_lent() {
        let around = |text: &str| -> Vec<String> {
            let krate = krate(&[("/p/tests/a.rs", text)]);
            let failing = text.find("assert").unwrap();
            let tables = krate.tables_around(FileIndex(0), failing).into_iter();
            tables.map(|table| text[table].to_owned()).collect()
        };
        let text =
            "fn g(a: u8) { assert!(a) }\nfn t() { let h = |a| g(a); for a in [1, 2] { h(a) } }";
        assert_eq!(around(text), ["[1, 2]"]);
        let text = "fn g(s: &mut S, a: u8) { assert!(s.put(a)) }\nfn t() { for a in [1] { g(&mut s, a) } }";
        assert_eq!(around(text), [""; 0]);
    }

    #[test]
    fn a_table_may_be_held_by_a_variable_or_a_constant() {
        tables(
            "fn f() { let all: [u8; 1] = [1]; for a in &all { assert!(g(a)) } let b = [3]; }",
            &["[1]"],
        );
        tables("const ALL: &[u8] = &[1];\nfn f() { for a in ALL { assert!(g(a)) } }", &["&[1]"]);
    }
}
