//! Calls and what they stand for.

use super::{MacroCalls, expanded};
use crate::rust::scan;
use crate::rust::testing::sources_of;

fn tokens(text: &str) -> Vec<String> {
    let pieces = scan::pieces(text).filter(|piece| piece.kind.is_token());
    pieces.map(|piece| piece.text.to_owned()).collect()
}

fn expands(before: &str, after: &str) {
    let sources = expanded(&sources_of(before), MacroCalls::All, &|_| None);
    let text = &sources.files[0].text;
    let rest = text.split_once("//").map_or(&**text, |(_, rest)| rest);
    assert_eq!(tokens(rest.split_once('\n').unwrap().1), tokens(after));
}

#[test]
fn items_are_made_for_each_turn() {
    expands(
        "macro_rules! ids { ($($(#[$m:meta])* $n:ident($t:ty)),+ $(,)?) => { $( $(#[$m])* struct $n($t); )+ } }\n//\n\
         ids! { #[derive(Debug)] #[x] A(u8), B(Vec<(u8, u8)>), }",
        "#[derive(Debug)] #[x] struct A(u8); struct B(Vec<(u8, u8)>);",
    );
}

#[test]
fn comments_that_document_items_become_attributes_of_these() {
    expands(
        "macro_rules! all { ($(#[$m:meta] $n:ident)*) => { $( #[$m] struct $n; )* } }\n//\n\
         all! {\n/// Is A.\nA\n/// Is B.\nB }",
        "#[doc = \" Is A.\"] struct A; #[doc = \" Is B.\"] struct B;",
    );
}

#[test]
fn members_are_made_where_a_call_is_one() {
    expands(
        "macro_rules! either { (if true { $($a:tt)* } else { $($b:tt)* }) => { $($a)* } }\n//\n\
         impl A { either!(if true { fn a() -> u8 {} } else {}); } trait B { either! { if true { fn b(); } else {} } }",
        "impl A { fn a() -> u8 {} } trait B { fn b(); }",
    );
}

#[test]
fn the_first_arm_that_matches_is_taken() {
    let rules = "macro_rules! m { () => { 0 }; ($a:literal) => { $a }; (@max $a:expr, $b:expr) => { if $a > $b { $a } else { $b } } }\n//\n";
    expands(
        &format!("{rules}fn f() {{ g(m!(), m!(-1), m!(@max x + 1, y)); }}"),
        "fn f() { g((0), (-1), (if (x + 1) > y { x + 1 } else { y })); }",
    );
}

#[test]
fn macros_that_call_macros_are_expanded_to_the_end() {
    expands(
        "macro_rules! sum { ($a:expr) => { $a }; ($a:expr, $($b:expr),+) => { $a + sum!($($b),+) } }\n//\n\
         fn f() -> u8 { sum!(1, 2, 3) }",
        "fn f() -> u8 { (1 + (2 + (3))) }",
    );
}

#[test]
fn statements_keep_their_semicolon_and_blocks_are_not_wrapped() {
    expands(
        "macro_rules! say { ($($x:tt)*) => { println!($($x)*); done() } }\n\
         macro_rules! made { ($($k:expr => $v:expr),*) => {{ let mut m = $crate::M::new(); $( m.insert($k, $v); )* m }} }\n//\n\
         fn f() { say!(\"{}\", 'a' as u8); let x = made!(1 => \"a\", 2 => g(\"b\")); }",
        "fn f() { println!(\"{}\", 'a' as u8); done(); \
         let x = { let mut m = crate::M::new(); m.insert(1, \"a\"); m.insert(2, g(\"b\")); m }; }",
    );
}

#[test]
fn what_matches_no_arm_and_macros_from_elsewhere_stay() {
    let text = "fn f() { m!(1 2); vec![1]; }";
    expands(&format!("macro_rules! m {{ ($a:lifetime) => {{ 1 }} }}\n//\n{text}"), text);
}

#[test]
fn places_are_followed_into_the_text() {
    let text = "macro_rules! m { ($e:expr) => { f($e) } } fn g() { m!(a[1]) }";
    let after = expanded(&sources_of(text), MacroCalls::All, &|_| None);
    let new = after.files[0].text.find("a[1]").unwrap();
    let origin = after.origin(0, new).unwrap();
    assert_eq!(origin.offset, text.find("a[1]").unwrap());
}

#[test]
fn closures_among_the_arguments_are_expressions() {
    expands(
        "macro_rules! ops { ($($n:ident => $f:expr),* $(,)?) => { fn apply(n: &str, a: u32) -> u32 { match n { $(stringify!($n) => { let f: fn(u32) -> u32 = $f; f(a) })* _ => 0 } } } }\n//\n\
         ops! { add => |a| a + 1, div => |a| 1 / a, }",
        "fn apply(n: &str, a: u32) -> u32 { match n { stringify!(add) => { let f: fn(u32) -> u32 = (|a| a + 1); f(a) } \
         stringify!(div) => { let f: fn(u32) -> u32 = (|a| 1 / a); f(a) } _ => 0 } }",
    );
}
