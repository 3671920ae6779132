//! Readers of what others have written, fed with mutated inputs: none of them may panic, overflow its stack, or go on
//! for ever, whatever it is given.
//!
//! `just fuzz-readers` runs as many as `READERS_INPUTS` says. A failure names the number of the input, and
//! the same number makes the same input.

use std::fs;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::emit::manifest::{self, KeptParts};
use crate::exec::{Exit, Finished};
use crate::grammar::{BUILTINS, Grammar, Notation, Parser};
use crate::oracle::libtest::{interpret, panics_in, parse_list};
use crate::oracle::signature::{Location, Match, template};
use crate::oracle::store::{Key, Store};
use crate::oracle::{ice, runner};
use crate::passes;
use crate::project::{Invocation, name_in_spec, read_diagnostics};
use crate::rust::{self, Sameness, SourceFile, Sources, StandIn, Tree};
use crate::source::{
    Crate, DebugValue, DocTestName, NotLocated, asserted_at, failing_values, format_texts,
};

/// Each reader takes so many in the ordinary suite.
const FEW: u64 = 1000;
/// A reader that has not taken its next input for so long does not end.
const PATIENCE: Duration = Duration::from_mins(2);
/// So many failures of a reader are told.
const MOST_FAILURES: usize = 5;
/// The stack of the tool itself.
const STACK_BYTES: usize = 128 << 20;
/// Mutated inputs grow no larger.
const MOST_BYTES: usize = 8 << 10;
/// Texts that are parsed by grammars: some of these take the square of the time for twice the text.
const FEW_BYTES: usize = 300;

/// Something that reads text.
struct Reader {
    name: &'static str,
    /// What it reads without trouble.
    seeds: fn() -> Vec<String>,
    most_bytes: usize,
    /// It takes one for so many of the others.
    cost: u64,
    read: fn(&str),
}

/// One that takes all inputs.
const FAST: Reader =
    Reader { name: "", seeds: Vec::new, most_bytes: MOST_BYTES, cost: 1, read: |_| () };

const READERS: [Reader; 10] = [
    Reader {
        name: "grammars in EBNF",
        seeds: || BUILTINS.iter().map(|it| it.grammar().to_ebnf()).collect(),
        read: |text| read_grammar(Grammar::parse_ebnf(text).ok()),
        ..FAST
    },
    Reader {
        name: "grammars in JSON",
        seeds: || {
            let small = ["integer", "ipv4", "csv", "arithmetic", "s-expression"];
            BUILTINS
                .iter()
                .filter(|it| small.contains(&it.name))
                .map(|it| it.grammar().to_json())
                .collect()
        },
        read: |text| read_grammar(Grammar::parse_json(text).ok()),
        ..FAST
    },
    Reader {
        name: "texts of grammars",
        seeds: || owned(["1 + (2 * 3)", "{\"a\": [1, null]}", "a,b\n1,\"2\"\n", "k = [1, 2]\n"]),
        most_bytes: FEW_BYTES,
        cost: 100,
        read: |text| {
            for name in ["arithmetic", "json", "csv", "url", "text"] {
                let grammar = BUILTINS.iter().find(|it| it.name == name).unwrap().grammar();
                let _ = Parser::new(&grammar).parse(text);
            }
        },
    },
    Reader { name: "crates", seeds: sources, read: read_crate, ..FAST },
    Reader { name: "sources", seeds: sources, read: read_source, ..FAST },
    Reader {
        name: "parts of sources",
        seeds: || {
            owned([
                "\"a {x:?} {{b}} {0:>1$} \\u{1F600}\\n\"",
                "r#\"a \"{}\" b\"#",
                "minimal failing input: text = \"a\\nb\", numbers = [\n    1,\n    -2,\n]\n\tsuccesses: 3\n",
                "src/lib.rs - module::item (line 27) - compile fail",
                "assert_eq!(parse(\"a\"), [1, 2], \"why {}\", 3);",
                "//@ compile-flags: --edition 2021 -C opt-level=3\n//@ edition:2018\nfn main() {}\n",
            ])
        },
        read: |text| {
            let _ = (format_texts(text), failing_values(text), DocTestName::parse(text));
            let _ = (ice::header_flags(text), rust::count_tokens(text));
            let _ = rust::has_own_macros(text);
            let middle = text.floor_char_boundary(text.len() / 2);
            let _ = (asserted_at(text, middle), rust::failing_at(text, middle));
        },
        ..FAST
    },
    Reader {
        name: "output of tests",
        seeds: test_output,
        read: |text| {
            let _ = (parse_list(text), panics_in(text), runner::failed_doc_tests(text));
            let _ = (runner::exit_in(text), template(text), DebugValue::read(text));
            for exit in [Exit::Code(101), Exit::Code(1), Exit::Signal(6), Exit::TimedOut] {
                let finished = Finished::printing(exit, text, text);
                let _ = interpret(&finished, "a::b");
                let _ = runner::TestRunner::Rustdoc.interpret(&finished, "src/lib.rs - f (line 3)");
                let _ = ice::interpret(&finished);
            }
        },
        ..FAST
    },
    Reader {
        name: "output of compilers",
        seeds: || {
            owned([
                r#"{"$message_type":"diagnostic","message":"no","code":{"code":"E0308","explanation":null},"level":"error","spans":[{"file_name":"a.rs","byte_start":3,"byte_end":9,"line_start":1,"line_end":1,"column_start":4,"column_end":10,"is_primary":true,"text":[],"label":null,"suggested_replacement":null,"suggestion_applicability":null,"expansion":null}],"children":[],"rendered":"error: no"}"#,
                "     Running `CARGO=/c CARGO_PKG_NAME='a b' rustc --crate-name a --edition=2021 src/lib.rs --test -C metadata=1 -o x --extern b=/libb.rlib`\n",
                "thread 'rustc' panicked at compiler/rustc_middle/src/ty/mod.rs:12:34:\nno entry\nquery stack during panic:\n#0 [typeck] type-checking `f`\nend of query stack\n",
            ])
        },
        read: |text| {
            let _ = read_diagnostics(text);
            for call in Invocation::read_all(text) {
                let _ = (call.options().len(), call.kind(), call.root_file());
                let _ = (call.extra_filename(), call.externs().count());
            }
        },
        ..FAST
    },
    Reader {
        name: "manifests",
        seeds: || {
            owned([
                "[package]\nname = \"a\"\nversion = \"1.0.0\"\nbuild = \"b.rs\"\n[dependencies]\nb = { path = \"../b\", features = [\"x\"] }\n[target.'cfg(unix)'.dependencies]\nc = \"1\"\n[features]\nd = [\"dep:b\"]\n[[test]]\nname = \"t\"\n",
                "[workspace]\nmembers = [\"a\", \"b/*\"]\n[workspace.package]\nedition = \"2021\"\n[profile.dev]\ndebug = false\n",
            ])
        },
        read: |text| {
            let kept = KeptParts {
                names_crate: &|name| name.len() % 2 == 1,
                has_library: true,
                target: None,
                has_build_script: false,
            };
            let _ = (manifest::pruned(text, &kept), manifest::as_member(text));
            let _ = (manifest::build_script(text), name_in_spec(text));
        },
        ..FAST
    },
    Reader {
        name: "rules of the command line",
        seeds: || {
            owned(["message", "/a+ (b|c)[^d]{2,3}$/", "src/lib.rs:10:5", "serde@1.0.2", "a@./b"])
        },
        read: |text| {
            let _ = (text.parse::<Match>().is_ok(), text.parse::<Location>().is_ok());
            let _ = text.parse::<crate::project::OtherVersion>().is_ok();
        },
        ..FAST
    },
];

fn owned<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

fn read_grammar(grammar: Option<Grammar>) {
    let Some(grammar) = grammar else { return };
    for notation in [Notation::Ebnf, Notation::Json, Notation::Pest] {
        let _ = notation.write(&grammar);
    }
    let _ = (grammar.to_regex(), Parser::new(&grammar).parse("1"));
}

fn read_crate(text: &str) {
    let none = || std::io::Error::from(ErrorKind::NotFound);
    let read = |path: &Path| match path.file_name() {
        Some(name) if name == "lib.rs" => Ok(text.to_owned()),
        _ => Err(none()),
    };
    let Ok(krate) = Crate::load(Path::new("/p/src/lib.rs"), Path::new("/p"), read) else { return };
    for test in krate.tests_named("") {
        let _ = krate.inputs_where(&test, None, true, |_| Err(none()));
    }
    for test in ["adds", "tests::made", "tests::holds"] {
        let missed = krate.find_test(test).err();
        if let Some(property) =
            missed.as_ref().and_then(|missed: &NotLocated| krate.property_test(missed))
        {
            let _ = krate.plain_test(&property, &[]).is_some();
        }
        let _ = krate.macro_test(test).is_some();
    }
}

fn read_source(text: &str) {
    for stand_in in [StandIn::Loop, StandIn::Panic] {
        let proposed = Tree::with(text, stand_in, |tree| {
            passes::all().map(|pass| (pass.propose)(tree)).collect::<Vec<_>>()
        });
        for reductions in proposed.into_iter().flatten() {
            for reduction in reductions.iter().take(2) {
                let _ = rust::apply(text, [reduction]);
            }
        }
    }
    let _ = (rust::hidden(text), rust::without_lint_levels(text));
    let _ = (rust::pretty_and_tight(text), rust::functions_of(text, &["adds"]).count());
    let file = SourceFile::new("source.rs", text);
    let _ =
        rust::expanded(&Sources::new(vec![file], Sameness::Text), rust::MacroCalls::All, &|_| None);
}

fn sources() -> Vec<String> {
    let passes = passes::all().flat_map(|pass| [pass.before, pass.after]);
    let own = [
        "#[test]\nfn adds() {\n    let v = vec![1, -2u8 as i8, 0xff];\n    assert_eq!(sum(&v, \"a\\n\", b'x'), 3, \"sum {}\", 'é');\n    for (i, x) in [(1, \"b\")].iter() { check!(i, x) }\n}\n",
        "macro_rules! many { ($($n:ident: $e:expr),* $(,)?) => { $(#[test] fn $n() { go($e); })* } }\nmod tests { many! { made: \"x\", other: [1, 2] } }\n",
        "mod tests { proptest! { #[test] fn holds(a in 0..9u8, b in \"[a-z]*\") { prop_assert!(f(a, &b)); } } }\n",
        "/// ```\n/// assert!(krate::f(\"x\"));\n/// ```\npub fn f(x: &str) -> bool { match x { \"a\" | \"b\" if true => false, _ => { loop { break } ; true } } }\n",
    ];
    passes.chain(own).map(str::to_owned).collect()
}

fn test_output() -> Vec<String> {
    owned([
        "running 1 test\nthread 'a::b' (71) panicked at src/lib.rs:10:5:\nassertion `left == right` failed: why\n  left: [1, \"é\"]\n right: []\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\ntest a::b ... FAILED\n\nfailures:\n\nfailures:\n    a::b\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n",
        "Error: Custom { kind: Other, error: \"no\" }\ntest a::b - should panic ... FAILED\nnote: test did not panic as expected at src/lib.rs:3:4\n",
        "thread 'main' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
        "test src/lib.rs - f (line 3) ... FAILED\n\nfailures:\n\n---- src/lib.rs - f (line 3) stdout ----\nTest executable failed (exit status: 101).\n\nstderr:\n\nthread 'main' panicked at src/lib.rs:4:1:\nx\n\n",
        "a::b: test\nc: benchmark\n",
    ])
}

/// Pieces that mean something to one reader or another.
const WORDS: [&str; 40] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "\\",
    "/*",
    "*/",
    "//",
    "\n",
    "\r",
    "\t",
    "\0",
    "#",
    "!",
    "$",
    ":",
    "::",
    "=",
    "=>",
    "|",
    "-",
    "_",
    "é",
    "\u{FEFF}",
    "\u{10FFFF}",
    "0",
    "99999999999999999999",
    "-1",
    "1e999",
    "r#\"",
    "\\u{",
    "panicked at ",
    "(line ",
];

/// A stream of numbers that looks random (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap()
    }

    /// A place in the text, between chars.
    fn place(&mut self, text: &str) -> usize {
        let place = self.below(text.len() + 1);
        text.floor_char_boundary(place)
    }
}

/// The input of that number.
fn mutated(reader: &Reader, seeds: &[String], number: u64) -> String {
    let mut numbers = Numbers(number);
    let mut text = seeds[numbers.below(seeds.len())].clone();
    for _ in 0..=numbers.below(6) {
        let (a, b) = (numbers.place(&text), numbers.place(&text));
        let (from, to) = (a.min(b), a.max(b));
        let near = text.floor_char_boundary((from + 12).min(to));
        match numbers.below(8) {
            0 => text.replace_range(from..to, ""),
            1 => text.replace_range(from..near, ""),
            2 => text.insert_str(from, WORDS[numbers.below(WORDS.len())]),
            3 => text.replace_range(from..near, WORDS[numbers.below(WORDS.len())]),
            4 => {
                let copy = text[from..to].to_owned();
                text.insert_str(numbers.place(&text.clone()), &copy);
            }
            5 => {
                let other = &seeds[numbers.below(seeds.len())];
                text.insert_str(from, &other[numbers.place(other)..]);
            }
            6 => text.truncate(from),
            // Deep nesting, and long runs.
            _ => {
                let word = WORDS[numbers.below(WORDS.len())];
                text.insert_str(from, &word.repeat(1 << numbers.below(11)));
            }
        }
        text.truncate(text.floor_char_boundary(reader.most_bytes));
    }
    text
}

/// Gives each of these readers so many inputs.
fn feed(readers: &'static [Reader], count: u64) {
    let mut failures = Vec::new();
    for reader in readers {
        let begun = Arc::new(AtomicU64::new(0));
        let at = Arc::clone(&begun);
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let thread = thread.spawn(move || failures_of(reader, count / reader.cost, &at)).unwrap();
        let started = Instant::now();
        let (mut last, mut since) = (0, started);
        while !thread.is_finished() {
            std::thread::sleep(Duration::from_millis(2));
            let number = begun.load(Ordering::Relaxed);
            if number != last {
                (last, since) = (number, Instant::now());
            }
            assert!(
                since.elapsed() < PATIENCE,
                "{}: input {number} takes too long: {:?}",
                reader.name,
                mutated(reader, &(reader.seeds)(), number)
            );
        }
        println!("{} {} in {:?}", count / reader.cost, reader.name, started.elapsed());
        failures.extend(thread.join().unwrap());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Gives it so many inputs, the numbers of which are told as they begin; those that make it panic.
fn failures_of(reader: &Reader, count: u64, at: &AtomicU64) -> Vec<String> {
    let seeds = (reader.seeds)();
    let is_failing = |number: &u64| {
        at.store(*number, Ordering::Relaxed);
        let text = mutated(reader, &seeds, *number);
        catch_unwind(AssertUnwindSafe(|| (reader.read)(&text))).is_err()
    };
    (0..count)
        .filter(is_failing)
        .take(MOST_FAILURES)
        .map(|number| format!("{}: input {number} panics", reader.name))
        .collect()
}

#[test]
fn mutated_inputs_stop_no_reader() {
    feed(&READERS, FEW);
}

#[test]
fn mutated_stores_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("outcomes");
    let mut store = Store::open(&path);
    let key = |number: u64| Key::new(&("job", number));
    store.insert_all((0..40).map(|number| (key(number), crate::reduce::Outcome::Fail)));
    drop(store);
    let whole = fs::read(&path).unwrap();
    for number in 0..inputs().unwrap_or(FEW) {
        let mut numbers = Numbers(number);
        let mut bytes = whole.clone();
        for _ in 0..=numbers.below(4) {
            let place = numbers.below(bytes.len().max(1));
            match numbers.below(4) {
                0 => bytes.truncate(place),
                1 if !bytes.is_empty() => bytes[place] ^= 1 << numbers.below(8),
                2 => bytes
                    .splice(place.min(bytes.len())..place.min(bytes.len()), [0xff; 9])
                    .for_each(drop),
                _ => bytes.extend(whole.get(place..).unwrap_or_default()),
            }
        }
        fs::write(&path, &bytes).unwrap();
        let store = Store::open(&path);
        // What is told of a candidate was written so: every outcome there was one of failing.
        let outcomes = (0..40).filter_map(|number| store.get(key(number)));
        for outcome in outcomes {
            assert_eq!(outcome, crate::reduce::Outcome::Fail, "input {number}");
        }
        drop(store);
        // A child that another test starts just now holds the lock of the file for a moment.
        let is_kept = (0..1000).any(|_| {
            Store::open(&path).insert_all([(key(99), crate::reduce::Outcome::Pass)]);
            let kept = Store::open(&path).get(key(99));
            if kept.is_none() {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            kept == Some(crate::reduce::Outcome::Pass)
        });
        assert!(is_kept, "input {number}");
    }
}

#[test]
#[ignore = "takes minutes: `just fuzz-readers`"]
fn very_many_mutated_inputs_stop_no_reader() {
    feed(&READERS, inputs().unwrap_or(100_000));
}

/// How many inputs each reader is to take, if the user says so.
fn inputs() -> Option<u64> {
    std::env::var("READERS_INPUTS").ok()?.parse().ok()
}
