//! Assertions of the crate's own written out: `assert_words!("a b" => ["a", "b"])`.
//!
//! What such a macro gets is written out, and what it calls stands in its definition, so that nothing at the call says
//! which of it goes into the code under test and which is expected of it.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parse;
use syn::parse::Parser;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt};

use super::expander::Expander;
use super::made::MacroTest;
use crate::source::inputs::calls_nothing;
use crate::source::parse::look_at;
use crate::source::tokens::{is_assertion, plain};
use crate::source::{Crate, Edits, Harness, Located, PlainTest, arguments, is_char, printed};

/// How many macros are written out inside of others.
const DEPTH: usize = 8;

impl Crate {
    /// A test with the assertions of the crate's own written out that get nothing but what is written out; `None` if
    /// it has no such.
    pub fn with_own_assertions(&self, located: &Located) -> Option<MacroTest> {
        if located.facts.harness != Harness::Plain {
            return None;
        }
        let mut text = self.definitions_for(located.file, located.span.start);
        text.push_str(self.slice(located.file, &located.span));
        let plain_name = format!("plain_{}", located.function);
        let (name, code) =
            look_at(&text, syn::File::parse, |file| written_out(file, &plain_name)).ok()??;
        let mut edits = Edits::default();
        edits.insert(located.span.end, format!("\n\n{}", code.trim_end()));
        let test = located.module.iter().chain([&plain_name]).cloned().collect::<Vec<_>>();
        Some(MacroTest {
            name,
            plain: PlainTest { edits, file: located.file, test: test.join("::") },
            place: located.name_span.start,
        })
    }
}

/// The test, which is the last item of `file`, under another name, with the assertions written out that the items
/// before it define; and the name of one of these.
fn written_out(mut file: syn::File, name: &str) -> Option<(String, String)> {
    let syn::Item::Fn(mut test) = file.items.pop()? else { return None };
    let mut assertions =
        OwnAssertions { expander: Expander::new(&file.items), depth: 0, written: None };
    assertions.visit_block_mut(&mut test.block);
    test.sig.ident = quote::format_ident!("{name}");
    file.items = vec![syn::Item::Fn(test)];
    Some((assertions.written?, printed(&file)?))
}

/// Writes assertions out.
struct OwnAssertions {
    expander: Expander,
    depth: usize,
    /// The name of one that was.
    written: Option<String>,
}

impl OwnAssertions {
    /// What stands for a statement, if that calls such an assertion.
    fn statements(&self, statement: &Stmt) -> Option<(String, Vec<Stmt>)> {
        let mac = match statement {
            Stmt::Macro(call) => &call.mac,
            Stmt::Expr(Expr::Macro(call), _) => &call.mac,
            _ => return None,
        };
        let name = plain(mac.path.get_ident()?);
        let are_written_out = !names_variables(mac.tokens.clone())
            && arguments(&mac.tokens).is_none_or(|all| all.iter().all(calls_nothing));
        if !is_assertion(&name) || !are_written_out || self.depth >= DEPTH {
            return None;
        }
        let made = self.expander.tokens(mac)?;
        Some((name, Block::parse_within.parse2(made).ok()?))
    }
}

impl VisitMut for OwnAssertions {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let mut statements = Vec::new();
        for mut statement in std::mem::take(&mut block.stmts) {
            let Some((name, made)) = self.statements(&statement) else {
                self.visit_stmt_mut(&mut statement);
                statements.push(statement);
                continue;
            };
            self.written = Some(name);
            self.depth += 1;
            let brace_token = syn::token::Brace::default();
            let mut inside = Block { brace_token, stmts: made };
            self.visit_block_mut(&mut inside);
            self.depth -= 1;
            if let [Stmt::Macro(call)] = inside.stmts.as_mut_slice() {
                call.semi_token.get_or_insert_default();
                statements.append(&mut inside.stmts);
            } else {
                let block = syn::ExprBlock { attrs: Vec::new(), label: None, block: inside };
                statements.push(Stmt::Expr(Expr::Block(block), None));
            }
        }
        block.stmts = statements;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether tokens name a variable or a function, and not only methods, types and macros.
fn names_variables(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(ident) => {
            let name = plain(ident);
            let is_method = at.checked_sub(1).is_some_and(|before| is_char(&tokens[before], '.'));
            let is_macro = tokens.get(at + 1).is_some_and(|after| is_char(after, '!'));
            let is_constant = matches!(name.as_str(), "true" | "false" | "mut");
            name.starts_with(char::is_lowercase) && !is_method && !is_macro && !is_constant
        }
        TokenTree::Group(group) => names_variables(group.stream()),
        _ => false,
    })
}
