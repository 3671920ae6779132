//! Subjects brought into one file.

use super::{CrateRoot, flatten};
use crate::rust::{Sameness, SourceFile, Sources, count_tokens};

fn sources(files: &[(&str, &str)]) -> Sources {
    let files = files.iter().map(|(path, text)| SourceFile::new(*path, *text));
    Sources::new(files.collect(), Sameness::Tokens)
}

fn root(name: &str, file: &str) -> CrateRoot {
    CrateRoot { name: name.into(), file: file.into(), ..CrateRoot::default() }
}

fn flat(files: &[(&str, &str)], libraries: &[CrateRoot]) -> String {
    let tested = root("tested", files[0].0);
    let flat = flatten(&sources(files), &tested, libraries).unwrap();
    assert_eq!(flat.files.len(), 1);
    let text = flat.files[0].text.split_whitespace();
    text.collect::<Vec<_>>().join(" ")
}

#[test]
fn modules_get_their_text() {
    let files = [
        (
            "src/lib.rs",
            "//! Docs.\nmod a; #[path = \"odd.rs\"] mod b; mod c { mod d; } #[cfg(windows)] mod e;",
        ),
        ("src/a.rs", "pub mod deep; fn a() {}"),
        ("src/a/deep.rs", "fn deep() {}"),
        ("src/odd.rs", "fn odd() {}"),
        ("src/c/d/mod.rs", "fn d() {}"),
    ];
    assert_eq!(
        flat(&files, &[]),
        "//! Docs. mod a { pub mod deep { fn deep() {} } fn a() {} } mod b { fn odd() {} } \
         mod c { mod d { fn d() {} } }"
    );
}

#[test]
fn included_files_stand_in_their_places() {
    let files = [
        ("src/lib.rs", "mod a; include!(\"b.rs\"); #[path = \"x\"] mod c { mod d; }"),
        ("src/a.rs", "#![allow(unused)] fn a() {}"),
        ("src/b.rs", "fn b() {}"),
        ("src/x/d.rs", "fn d() {}"),
    ];
    assert_eq!(
        flat(&files, &[]),
        "mod a { #![allow(unused)] fn a() {} } fn b() {} mod c { mod d { fn d() {} } }"
    );
}

#[test]
fn what_only_stands_before_a_file_stays_with_the_root() {
    let files =
        [("src/lib.rs", "\u{feff}mod a;"), ("src/a.rs", "\u{feff}#!/usr/bin/env run\nfn a() {}")];
    assert_eq!(flat(&files, &[]), "\u{feff}mod a { fn a() {} }");
}

#[test]
fn a_file_that_names_itself_is_not_followed() {
    let files = [("src/lib.rs", "#[path = \"lib.rs\"] mod again;")];
    assert_eq!(flat(&files, &[]), "mod again;");
}

#[test]
fn a_library_becomes_a_module() {
    let files = [
        ("tests/t.rs", "#![allow(dead_code)]\nuse lib::f; mod m { fn g() { lib::f() } }"),
        (
            "src/lib.rs",
            "#![no_std]\npub fn f() { crate::h::<u8>() } fn h<T>() {} #[cfg(test)] mod tests {}",
        ),
    ];
    assert_eq!(
        flat(&files, &[root("lib", "src/lib.rs")]),
        "#![allow(dead_code)] #[macro_use] pub mod lib { pub fn f() { crate::lib::h::<u8>() } \
         fn h<T>() {} } use crate::lib::f; mod m { fn g() { crate::lib::f() } }"
    );
}

#[test]
fn the_tests_of_a_library_come_along_if_they_are_wanted() {
    let files = [
        ("tests/t.rs", "use lib::f;"),
        (
            "src/lib.rs",
            "pub fn f() {} #[cfg(not(test))] fn g() {} #[cfg(test)] mod tests { use crate::f; #[test] fn t() { f() } }",
        ),
    ];
    let library = CrateRoot { has_tests: true, ..root("lib", "src/lib.rs") };
    assert_eq!(
        flat(&files, &[library]),
        "#[macro_use] pub mod lib { pub fn f() {} #[cfg(not(test))] fn g() {} #[cfg(test)] mod tests { \
         use crate::lib::f; #[test] fn t() { f() } } } use crate::lib::f;"
    );
}

#[test]
fn external_crates_of_libraries_stand_at_the_root_too() {
    let files = [
        ("tests/t.rs", "#![a] extern crate core; fn t() {}"),
        (
            "src/lib.rs",
            "extern crate alloc; #[macro_use] extern crate serde as s; extern crate core; mod m;",
        ),
        ("src/m.rs", "use alloc::vec::Vec;"),
        ("other.rs", "extern crate alloc;"),
    ];
    assert_eq!(
        flat(&files, &[root("lib", "src/lib.rs"), root("other", "other.rs")]),
        "#![a] extern crate alloc; #[macro_use] extern crate serde as s; #[macro_use] pub mod lib { \
         extern crate alloc; extern crate serde as s; extern crate core; mod m { use alloc::vec::Vec; } } \
         #[macro_use] pub mod other { extern crate alloc; } extern crate core; fn t() {}"
    );
}

#[test]
fn a_crate_that_the_test_names_has_its_macros_where_a_library_uses_them() {
    let files = [
        ("tests/t.rs", "extern crate serde; #[macro_use] extern crate log; fn t() {}"),
        ("src/lib.rs", "#[macro_use] extern crate serde; #[macro_use] extern crate log;"),
    ];
    assert_eq!(
        flat(&files, &[root("lib", "src/lib.rs")]),
        "#[macro_use] extern crate serde as _; #[macro_use] pub mod lib { extern crate serde; extern crate log; } \
         extern crate serde; #[macro_use] extern crate log; fn t() {}"
    );
}

#[test]
fn macros_that_a_library_exports_are_found_in_its_module() {
    let files = [
        ("tests/t.rs", "use lib::{f, one}; fn t() { lib::two!() }"),
        (
            "src/lib.rs",
            "#[macro_use] mod m; #[cfg(a)] mod n { #[cfg(b)] #[macro_export] macro_rules! two { () => {} } }",
        ),
        (
            "src/m.rs",
            "#[macro_export] macro_rules! one { () => {} } macro_rules! own { () => {} } \
             #[cfg(test)] #[macro_export] macro_rules! gone { () => {} }",
        ),
    ];
    let text = flat(&files, &[root("lib", "src/lib.rs")]);
    let imports = "} #[cfg(a)] #[cfg(b)] pub use crate::two; pub use crate::one; } \
                   use crate::lib::{f, one as _}; fn t() { crate::lib::two!() }";
    assert!(text.ends_with(imports), "{text}");
}

#[test]
fn what_does_not_hold_for_a_library_does_not_in_its_module() {
    let files = [
        ("tests/t.rs", "#[cfg(feature = \"more\")] fn a() {} #[cfg(test)] fn b() {}"),
        (
            "src/lib.rs",
            "#[cfg(any(test, feature = \"more\", feature = \"std\"))] fn c() {} \
             fn d() { if cfg!(not(feature = \"std\")) { e!(test) } } #[cfg_attr(test, derive(test))] struct F; \
             impl F { #[cfg(all(test, unix))] fn g() {} #[test] fn h() {} } \
             #[cfg(feature = \"more\")] #[macro_export] macro_rules! m { () => {} }",
        ),
    ];
    let library = CrateRoot { features: ["more".to_owned()].into(), ..root("lib", "src/lib.rs") };
    let other = CrateRoot { features: ["std".to_owned()].into(), ..root("other", "other.rs") };
    assert_eq!(
        flat(&files, &[library, other]),
        "#[macro_use] pub mod lib { #[cfg(any(any(), feature = \"more\", any()))] fn c() {} \
         fn d() { if cfg!(not(any())) { e!(test) } } #[cfg_attr(any(), derive(test))] struct F; \
         impl F { #[cfg(all(any(), unix))] fn g() {} #[test] fn h() {} } \
         #[cfg(feature = \"more\")] #[macro_export] macro_rules! m { () => {} } \
         #[cfg(feature = \"more\")] pub use crate::m; } \
         #[cfg(any())] fn a() {} #[cfg(test)] fn b() {}"
    );
}

#[test]
fn docs_from_files_go_since_their_paths_would_lead_elsewhere() {
    let files =
        [("src/lib.rs", "#[doc = include_str!(\"../README.md\")] #[doc = \"kept\"] fn f() {}")];
    assert_eq!(flat(&files, &[]), "#[doc = \"kept\"] fn f() {}");
}

#[test]
fn only_names_in_paths_are_those_of_libraries() {
    let files = [
        (
            "tests/t.rs",
            "fn f(url: url::Url, a: ::url::Url) -> ::url::U { let url: u8 = 1; S { url: x::url::Y } ; \
             <T>::url::<u8>(); impl ::url::V for W {} }",
        ),
        ("src/lib.rs", ""),
    ];
    let text = flat(&files, &[root("url", "src/lib.rs")]);
    let (_, text) = text.split_once("} ").unwrap();
    assert_eq!(
        text,
        "fn f(url: crate::url::Url, a: crate::url::Url) -> crate::url::U { let url: u8 = 1; \
         S { url: x::url::Y } ; <T>::url::<u8>(); impl crate::url::V for W {} }"
    );
}

#[test]
fn files_of_text_are_found_from_the_folder_of_the_one_file() {
    let files = [
        ("tests/t.rs", "const A: &str = include_str!(\"a.txt\");"),
        (
            "dep/src/lib.rs",
            "doc!(include_str!(\"../README.md\")); const B: &[u8] = include_bytes!(\"b\");",
        ),
    ];
    let text = flat(&files, &[root("dep", "dep/src/lib.rs")]);
    for path in ["\"a.txt\"", "\"../dep/README.md\"", "\"../dep/src/b\""] {
        assert!(text.contains(path), "{path}: {text}");
    }
}

#[test]
fn imports_of_2015_start_at_the_root_of_their_crate() {
    let files = [
        ("tests/t.rs", "#[macro_use] extern crate old as it; use it::E;"),
        (
            "src/lib.rs",
            "extern crate serde; mod error; use error::E; pub use a::{A, b as B}; use serde::S; use std::fmt; \
             fn f() { try!(g()) } mod c { use {A, B, S as T, std::iter}; use { serde::{D} }; use ::{A as C, std::mem}; }",
        ),
        ("src/error.rs", "pub struct E;"),
    ];
    let library = CrateRoot { is_2015: true, ..root("old", "src/lib.rs") };
    let text = flat(&files, &[library]);
    assert!(
        text.contains(
            "use serde::S; use std::fmt; fn f() { r#try!(g()) } mod c { use {crate::old::A, crate::old::B, \
             crate::old::S as T, std::iter}; use { serde::{D} }; use {crate::old::A as C, std::mem}; }"
        ),
        "{text}"
    );
    assert!(text.starts_with("use crate::old as it; ") && text.ends_with(" use it::E;"), "{text}");
    assert!(text.contains("use crate::old::error::E; pub use a::{A, b as B};"), "{text}");
}

#[test]
fn a_crate_of_2015_may_have_a_module_of_its_own_name() {
    let files = [
        ("tests/t.rs", "extern crate bytes; use bytes::Bytes;"),
        ("src/lib.rs", "mod bytes; pub use bytes::{Bytes}; fn f() { bytes::g(); ::bytes::g(); }"),
        ("src/bytes.rs", "use bytes::Other; pub struct Bytes; pub fn g() {}"),
    ];
    let library = CrateRoot { is_2015: true, ..root("bytes", "src/lib.rs") };
    let text = flat(&files, &[library]);
    let own =
        "pub use crate::bytes::bytes::{Bytes}; fn f() { bytes::g(); crate::bytes::bytes::g(); }";
    let inner = "use crate::bytes::bytes::Other;";
    assert!(text.contains(own) && text.contains(inner), "{text}");
    assert!(text.ends_with("use crate::bytes::Bytes;"), "{text}");
}

#[test]
fn names_of_2015_may_come_to_the_root_with_all_of_a_module() {
    let root_of = "extern crate time; mod a; mod b; pub use a::*;";
    let files = [
        ("tests/t.rs", ""),
        ("src/lib.rs", root_of),
        ("src/a.rs", "pub struct Site;"),
        ("src/b.rs", "use Site; use ::{Site as S}; use time::Tm; use std::fmt;"),
    ];
    let library = CrateRoot { is_2015: true, ..root("old", "src/lib.rs") };
    let text = flat(&files, &[library]);
    let imports = "use crate::old::Site; use {crate::old::Site as S}; use time::Tm; use std::fmt;";
    assert!(text.contains(imports), "{text}");
}

#[test]
fn paths_of_2015_start_at_the_root_of_the_crate_of_the_test_too() {
    let text = "mod a; use a::A; pub fn random() {} fn run() { ::run(); ::a::b::<A>(); a::c(); ::std::mem::drop(1); }";
    let nested = "use random; use rand::R; use std::fmt; fn f() { try!(<A>::random()); let x = if ::random() { 1 } else { 2 }; }";
    let files = [("src/lib.rs", text), ("src/a.rs", nested)];
    let tested = CrateRoot { is_2015: true, ..root("tested", "src/lib.rs") };
    let flat = flatten(&sources(&files), &tested, &[]).unwrap();
    let words: Vec<&str> = flat.files[0].text.split_whitespace().collect();
    let text = words.join(" ");
    let nested = "use crate::random; use rand::R; use std::fmt; fn f() { r#try!(<A>::random()); let x = if crate::random()";
    let own = "fn run() { crate::run(); crate::a::b::<A>(); a::c(); ::std::mem::drop(1); }";
    assert!([nested, own].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn places_are_followed_into_the_one_file() {
    let files = [("src/lib.rs", "mod a;\nfn f() {}"), ("src/a.rs", "fn a() { b[1] }")];
    let before = sources(&files);
    let after = flatten(&before, &root("x", "src/lib.rs"), &[]).unwrap();
    let new = after.files[0].text.find("b[1]").unwrap();
    let origin = after.origin(0, new).unwrap();
    assert_eq!((origin.file, origin.offset), (1, 9));
    assert_eq!(count_tokens(&after.files[0].text), 20);
}

#[test]
fn included_files_get_their_text() {
    let files = [
        (
            "src/lib.rs",
            "include!(\"more.rs\"); mod m { include! { \"../m.rs\" } } fn f() { g(include!(\"value.rs\")) } \
             const T: &str = include_str!(\"text.txt\"); include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));",
        ),
        ("src/more.rs", "fn more() {} // the end"),
        ("m.rs", "fn m() {}"),
        ("src/value.rs", "5"),
    ];
    assert_eq!(
        flat(&files, &[]),
        "fn more() {} // the end mod m { fn m() {} } fn f() { g((5 )) } \
         const T: &str = include_str!(\"text.txt\"); include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));"
    );
}

#[test]
fn a_crate_is_named_behind_a_range_and_a_method_is_none() {
    let files = [
        ("src/lib.rs", "fn f(n: N) { g(0..shared::N); g(0..=shared::N); n.shared::<u8>(); }"),
        ("shared.rs", ""),
    ];
    assert_eq!(
        flat(&files, &[root("shared", "shared.rs")]),
        "#[macro_use] pub mod shared { } fn f(n: N) { g(0..crate::shared::N); \
         g(0..=crate::shared::N); n.shared::<u8>(); }"
    );
}
