//! `--code` keeps code that is wrong though the test fails in the same way without it.

use super::project::Project;
use super::texts::holds;

#[test]
#[ignore = "takes long: `just slow`"]
fn a_check_of_the_value_that_is_out_of_bounds_stays() {
    let project = Project::of_library(
        r#"
        const MOST: usize = 4;
        pub struct Parser { parts: [u32; MOST], count: usize, part: u32 }
        impl Parser {
            pub fn new() -> Self { Parser { parts: [0; MOST], count: 0, part: 0 } }
            pub fn feed(&mut self, byte: u8) {
                match byte {
                    b';' => {
                        let at = self.count;
                        if at == MOST {
                            return;
                        }
                        self.parts[at] = self.part;
                        self.part = 0;
                        self.count += 1;
                    }
                    b'm' => {
                        let at = self.count;
                        self.parts[at] = self.part;
                        self.count += 1;
                    }
                    digit => self.part = self.part.saturating_mul(10).saturating_add(u32::from(digit)),
                }
            }
        }
        #[test]
        fn many_parts() {
            let mut parser = Parser::new();
            for byte in b"1;22;3;4;m" {
                parser.feed(*byte);
            }
        }
    "#,
    );
    let finished = project.reduce(["--code", "many_parts"]).run();
    finished.code(0).fails_with("panic", "index out of bounds").confirmed();
    let text = finished.left("src/lib.rs");
    holds(&text, ["let at = self.count;", "== MOST {", "return", "self.count += 1"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn calls_that_lead_to_what_a_failing_assertion_looks_at_stay() {
    let project = Project::of_library(
        r#"
        pub struct Tree { nodes: Vec<Option<usize>> }
        #[derive(Clone, Copy)]
        pub struct Node<'t> { tree: &'t Tree, at: usize }
        impl Tree {
            pub fn of(names: &str) -> Self {
                let count = names.split(' ').count();
                Tree { nodes: (0..count).map(|at| Some(at + 1).filter(|next| *next < count)).collect() }
            }
            pub fn first(&self) -> Option<Node<'_>> {
                self.nodes.first().map(|_| Node { tree: self, at: 0 })
            }
        }
        impl<'t> Node<'t> {
            fn next(self) -> Option<Self> {
                self.tree.nodes[self.at].map(|at| Node { tree: self.tree, at })
            }
            fn and_all_next(self) -> impl Iterator<Item = Self> {
                std::iter::successors(Some(self), |node| node.next())
            }
            /// The next one that is at an even place.
            pub fn next_even(self) -> Option<Self> {
                self.and_all_next().find(|node| node.at % 2 == 0)
            }
        }
        #[test]
        fn the_last_one_has_no_next() {
            let tree = Tree::of("a b c");
            let a = tree.first().unwrap();
            let c = a.next_even().unwrap();
            assert!(c.next_even().is_none());
        }
        #[test]
        fn the_first_one_is_even() {
            let tree = Tree::of("a b");
            assert_eq!(tree.first().unwrap().at % 2, 0);
        }
    "#,
    );
    let finished = project.reduce(["--code", "the_last_one_has_no_next"]).run();
    finished.code(0).confirmed();
    let text = finished.left("src/lib.rs");
    let (_, test) = text.split_once("fn the_last_one_has_no_next()").unwrap();
    assert_eq!(test.matches(".next_even()").count(), 2, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn calls_of_a_closure_that_pass_are_the_contrast() {
    let project = Project::of_library(
        r#"
        #[derive(Clone, Copy, Debug)]
        pub enum Filter { Plain, Sub, Up }
        pub fn encode(filter: Filter, rows: &[[u8; 2]]) -> Vec<[u8; 2]> {
            let mut before = [0; 2];
            let mut all = Vec::new();
            for row in rows {
                let mut line = *row;
                match filter {
                    Filter::Plain => {}
                    Filter::Sub => line[1] = line[1].wrapping_sub(line[0]),
                    Filter::Up => for at in 0..2 { line[at] = line[at].wrapping_sub(before[at]) },
                }
                all.push(line);
                before = line;
            }
            all
        }
        pub fn decode(filter: Filter, lines: &[[u8; 2]]) -> Vec<[u8; 2]> {
            let mut before = [0; 2];
            let mut all = Vec::new();
            for line in lines {
                let mut row = *line;
                match filter {
                    Filter::Plain => {}
                    Filter::Sub => row[1] = row[1].wrapping_add(row[0]),
                    Filter::Up => for at in 0..2 { row[at] = row[at].wrapping_add(before[at]) },
                }
                all.push(row);
                before = row;
            }
            all
        }
        pub fn rows() -> Vec<[u8; 2]> { (1..4).map(|n| [n, 2 * n]).collect() }
        #[test]
        fn all_filters() -> Result<(), String> {
            let rows = rows();
            let back = |filter: Filter| -> Result<(), String> {
                let lines = encode(filter, &rows);
                assert_eq!(decode(filter, &lines), rows, "with {filter:?}");
                Ok(())
            };
            back(Filter::Plain)?;
            back(Filter::Sub)?;
            back(Filter::Up)?;
            Ok(())
        }
    "#,
    );
    let finished = project.reduce(["--code", "all_filters"]).run();
    finished.code(0).confirmed();
    // With the tests that pass it is longer than before.
    assert_eq!(finished.summary()["status"], "reduced");
    let text = finished.left("src/lib.rs");
    holds(&text, ["back(Filter::Up)", "before = line", "before = row", "_row_"]);
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_value_that_should_be_used_stays_where_the_failing_run_comes_to_it() {
    let project = Project::of_library(
        r"
        pub struct Left { all: Vec<u8>, hint: usize }
        impl Left {
            pub fn of(all: &[u8]) -> Self { Left { all: all.to_vec(), hint: all.len() } }
            pub fn hint(&self) -> usize { self.hint }
        }
        impl Iterator for Left {
            type Item = u8;
            fn next(&mut self) -> Option<u8> {
                self.hint.saturating_sub(1);
                self.all.pop()
            }
        }
        #[test]
        fn the_hint_is_right_in_between() {
            let mut left = Left::of(&[3, 4, 5]);
            left.next();
            assert_eq!(left.hint(), 2);
        }
        #[test]
        fn the_hint_is_right_at_first() {
            assert_eq!(Left::of(&[3, 4, 5]).hint(), 3);
        }
    ",
    );
    let finished = project.reduce(["--code", "the_hint_is_right_in_between"]).run();
    finished.code(0).confirmed();
    holds(&finished.left("src/lib.rs"), [".hint.saturating_sub(1);", ".next();"]);
}
