//! Assertions of the crate's own written out: `assert_words!("a b" => ["a", "b"])`.
//!
//! What such a macro gets is written out, and what it calls stands in its definition, so that nothing at the call says
//! which of it goes into the code under test and which is expected of it.

use std::collections::HashSet;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parse;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt};

use super::expander::Expander;
use super::made::{MacroTest, with_tight_negations};
use super::snapshots::{self, Stored};
use crate::source::exprs::macro_of;
use crate::source::inputs::calls_nothing;
use crate::source::locate::test_path;
use crate::source::parse::look_at;
use crate::source::tokens::{each_token, flat, is_assertion, plain};
use crate::source::{
    Crate, Edits, FileIndex, Harness, Located, arguments, asserts, is_char, printed,
};

/// A test of more bytes is left with its calls of macros.
const LONGEST: usize = 20_000;
/// How many macros are written out inside of others.
const DEPTH: usize = 8;

impl Crate {
    /// A test with the assertions of the crate's own written out that get nothing but what is written out, and with
    /// snapshots, whose files `read` reads, as plain comparisons; `None` if it has no such.
    pub fn with_own_assertions(
        &self,
        located: &Located,
        read: impl Fn(&Path) -> Option<String>,
    ) -> Option<MacroTest> {
        if located.facts.harness != Harness::Plain {
            return None;
        }
        let mut count = 0;
        let mut stored = |named: &str| {
            let source = &self.file(located.file).path;
            let name = if named.is_empty() {
                count += 1;
                let name = located.function.strip_prefix("test_").unwrap_or(&located.function);
                if count == 1 { name.to_owned() } else { format!("{name}-{count}") }
            } else {
                named.to_owned()
            };
            let root = self.file(FileIndex(0)).path.file_stem()?.to_string_lossy().into_owned();
            let parts: Vec<String> =
                [root].into_iter().chain(located.module.iter().cloned()).chain([name]).collect();
            let file = format!("{}.snap", parts.join("__"));
            snapshots::of_file(&read(&source.parent()?.join("snapshots").join(file))?)
        };
        let plain_name = format!("plain_{}", located.function);
        let (written, code) =
            self.test_written_out(located, &plain_name, Calls::ThatGetValues(&mut stored))?;
        let test = test_path(&located.module, &plain_name);
        Some(MacroTest {
            name: written.name,
            is_reworded: written.is_snapshot,
            plain: self.plain_behind(located.file, located.span.end, &code, test),
            place: located.name_span.start,
        })
    }

    /// What writes out in a test the calls of the crate's own macros that assert something, whatever they get; `None` if
    /// it has no such.
    pub fn asserting_calls_written_out(&self, located: &Located) -> Option<Edits> {
        let (_, code) = self.test_written_out(located, &located.function, Calls::ThatAssert)?;
        if code.len() > LONGEST {
            return None;
        }
        let mut edits = Edits::default();
        edits.replace(located.span.clone(), with_tight_negations(code.trim_end()));
        Some(edits)
    }

    /// The test under another name, with such calls written out, and one of these.
    fn test_written_out(
        &self,
        located: &Located,
        name: &str,
        calls: Calls<'_>,
    ) -> Option<(Written, String)> {
        let mut text = self.definitions_for(located.file, located.span.start);
        text.push_str(self.slice(located.file, &located.span));
        look_at(&text, syn::File::parse, |file| written_out(file, name, calls)).ok()?
    }
}

/// The test, which is the last item of `file`, under another name, with the calls written out of macros that the items
/// before it define; and one of these.
fn written_out(mut file: syn::File, name: &str, calls: Calls<'_>) -> Option<(Written, String)> {
    let syn::Item::Fn(mut test) = file.items.pop()? else { return None };
    let expander = Expander::new(&file.items);
    let mut assertions = OwnAssertions { expander, depth: 0, written: None, calls };
    assertions.visit_block_mut(&mut test.block);
    test.sig.ident = quote::format_ident!("{name}");
    file.items = vec![syn::Item::Fn(test)];
    Some((assertions.written?, printed(&file)?))
}

/// An assertion that was written out.
struct Written {
    /// The name of its macro.
    name: String,
    /// Whether it compares with a snapshot, and so fails in other words.
    is_snapshot: bool,
}

/// Which calls are written out.
enum Calls<'s> {
    /// Those of assertions that get nothing but what is written out, and snapshots.
    ThatGetValues(&'s mut Stored<'s>),
    /// Those that make an assertion.
    ThatAssert,
}

/// Writes assertions out.
struct OwnAssertions<'s> {
    expander: Expander,
    depth: usize,
    /// One that was.
    written: Option<Written>,
    calls: Calls<'s>,
}

impl OwnAssertions<'_> {
    /// What stands for a statement, if that calls such an assertion.
    fn statements(&mut self, statement: &Stmt) -> Option<(Written, Vec<Stmt>)> {
        if let Calls::ThatGetValues(stored) = &mut self.calls
            && let Some((name, compared)) = snapshots::comparison(statement, stored)
        {
            return Some((Written { name: name.to_owned(), is_snapshot: true }, vec![compared]));
        }
        let mac = macro_of(statement)?;
        let name = plain(mac.path.get_ident()?);
        if self.depth >= DEPTH {
            return None;
        }
        let made = self.expander.tokens(mac)?;
        let gets_values = || {
            let used: HashSet<String> = flat(made.clone()).map(|it| it.to_string()).collect();
            !names_variables(mac.tokens.clone(), &used)
                && arguments(&mac.tokens).is_none_or(|all| all.iter().all(calls_nothing))
        };
        let is_written_out = match self.calls {
            Calls::ThatAssert => asserts(&made.to_string()),
            Calls::ThatGetValues(_) => {
                (is_assertion(&name) || self.leads_to_assertion(&made, self.depth)) && gets_values()
            }
        };
        if !is_written_out {
            return None;
        }
        let written = Written { name, is_snapshot: false };
        Some((written, Block::parse_within.parse2(made).ok()?))
    }

    /// Whether what a macro makes asserts something, or calls another one that does.
    fn leads_to_assertion(&self, made: &TokenStream, depth: usize) -> bool {
        let statements = || Block::parse_within.parse2(made.clone()).unwrap_or_default();
        let leads = |statement: &Stmt| {
            let made = macro_of(statement).and_then(|mac| self.expander.tokens(mac));
            made.is_some_and(|made| self.leads_to_assertion(&made, depth + 1))
        };
        asserts(&made.to_string()) || depth < DEPTH && statements().iter().any(leads)
    }
}

impl VisitMut for OwnAssertions<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut statements = Vec::new();
        for mut statement in std::mem::take(&mut block.stmts) {
            let Some((written, made)) = self.statements(&statement) else {
                self.visit_stmt_mut(&mut statement);
                statements.push(statement);
                continue;
            };
            let is_snapshot = self.written.as_ref().is_some_and(|before| before.is_snapshot);
            self.written =
                Some(Written { is_snapshot: is_snapshot || written.is_snapshot, ..written });
            self.depth += 1;
            let brace_token = syn::token::Brace::default();
            let mut inside = Block { brace_token, stmts: made };
            self.visit_block_mut(&mut inside);
            self.depth -= 1;
            let calls = inside.stmts.iter().map(|it| {
                let mac = macro_of(it)?;
                Some(syn::parse_quote!(#mac;))
            });
            if let Some(calls) = calls.collect::<Option<Vec<Stmt>>>() {
                statements.extend(calls);
            } else {
                let block = syn::ExprBlock { attrs: Vec::new(), label: None, block: inside };
                statements.push(Stmt::Expr(Expr::Block(block), None));
            }
        }
        block.stmts = statements;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether tokens name a variable or a function that is `used`, and not only methods, types and macros, or words of the macro's
/// own.
fn names_variables(tokens: TokenStream, used: &HashSet<String>) -> bool {
    let mut is_named = false;
    each_token(tokens, &mut |tokens, at| {
        let TokenTree::Ident(ident) = &tokens[at] else { return };
        let name = plain(ident);
        let is_method = at.checked_sub(1).is_some_and(|before| is_char(&tokens[before], '.'));
        let is_macro = tokens.get(at + 1).is_some_and(|after| is_char(after, '!'));
        let is_constant = matches!(name.as_str(), "true" | "false" | "mut");
        let is_name = name.starts_with(char::is_lowercase) && used.contains(&name);
        is_named |= is_name && !is_method && !is_macro && !is_constant;
    });
    is_named
}
