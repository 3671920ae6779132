//! The statements of functions: which block holds which.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat, ReturnType, Stmt};

use crate::source::exprs::{assigned, children};
use crate::source::inputs::{calls_nothing, is_constructor, only_converts};
use crate::source::methods::only_asks;
use crate::source::parse::range;
use crate::source::patterns::{typed, variable};
use crate::source::tokens::{called_macro, compared, is_assertion, last_two_words, plain};
use crate::source::{Crate, FileIndex, Located, arguments};

/// A function in the code of tests.
pub(super) struct Function {
    pub file: FileIndex,
    pub is_test: bool,
    /// Its name.
    pub name: String,
    /// Its bytes.
    pub span: Range<usize>,
    /// The bytes of the names of its parameters.
    pub parameters: Vec<Range<usize>>,
    pub body: Outline,
}

/// A block of statements.
pub(super) struct Outline {
    pub kind: BlockKind,
    pub statements: Vec<Statement>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// It has no value, and is entered once or for each element of something.
    Unit,
    /// It is entered until something in it says that it is enough.
    Endless,
    /// Its last expression may be its value.
    Value,
}

pub(super) struct Statement {
    /// Its number among all statements of the functions.
    pub mark: usize,
    /// Its bytes, with the semicolon.
    pub range: Range<usize>,
    pub what: What,
    /// The blocks in it.
    pub blocks: Vec<Outline>,
}

pub(super) enum What {
    Assertion {
        /// Where its macro call starts.
        start: usize,
        /// The bytes of what it looks at, without the looking.
        operands: Vec<Range<usize>>,
        /// Those of methods like `to_vec` of a variable, which mostly do nothing else than those of the standard library.
        converted: Vec<Range<usize>>,
    },
    /// A condition or loop.
    Branch {
        /// The bytes of what it decides by; `None` where it decides by more than that.
        decided: Option<Range<usize>>,
        /// The bytes of the pattern of a loop.
        pattern: Option<Range<usize>>,
        /// Whether something may be lost with what it decides by, or goes through.
        calls: bool,
    },
    /// Only sets a variable to what calls nothing.
    Assignment(String),
    Let {
        /// The bytes of its pattern.
        pattern: Range<usize>,
        /// Whether its value calls something.
        calls: bool,
    },
    /// The last expression of a block.
    Tail {
        /// Whether it calls something.
        calls: bool,
    },
    Other,
}

impl Outline {
    /// Whether a statement is in it.
    pub(super) fn holds(&self, mark: usize) -> bool {
        self.statements.iter().any(|statement| statement.holds(mark))
    }

    /// Visits all statements, each before those in it.
    pub(super) fn each(&self, look: &mut impl FnMut(&Statement)) {
        for statement in &self.statements {
            look(statement);
            for block in &statement.blocks {
                block.each(look);
            }
        }
    }
}

impl Statement {
    /// Whether a statement is it, or is in it.
    pub(super) fn holds(&self, mark: usize) -> bool {
        self.mark == mark || self.blocks.iter().any(|block| block.holds(mark))
    }
}

/// The functions that the test reaches, itself among them.
pub(super) fn functions(krate: &Crate, located: &Located) -> Vec<Function> {
    let mut next = 0;
    let mut functions = Vec::new();
    let idle = krate.idle_helpers(located);
    for index in krate.reached(located) {
        let item = &krate.items[index];
        let mut reader = Reader { base: item.span.start, next, idle: &idle };
        let read = krate.look_at_function(item, |signature, block| {
            Some((reader.body(signature, block)?, reader.parameters(signature)))
        });
        if let Some(Some((body, parameters))) = read {
            next = reader.next;
            functions.push(Function {
                file: item.file,
                is_test: index == located.item,
                name: item.name.clone(),
                span: item.span.clone(),
                parameters,
                body,
            });
        }
    }
    functions
}

struct Reader<'k> {
    base: usize,
    next: usize,
    /// Helpers of which nobody needs the calls.
    idle: &'k BTreeSet<String>,
}

impl Reader<'_> {
    fn parameters(&self, signature: &syn::Signature) -> Vec<Range<usize>> {
        let names = signature.inputs.iter().filter_map(|input| variable(&typed(input)?.pat));
        names.map(|name| range(name.ident.span(), self.base)).collect()
    }

    fn body(&mut self, signature: &syn::Signature, block: &Block) -> Option<Outline> {
        let kind = match signature.output {
            ReturnType::Default => BlockKind::Unit,
            ReturnType::Type(..) => BlockKind::Value,
        };
        signature.constness.is_none().then(|| self.block(block, kind))
    }

    fn block(&mut self, block: &Block, kind: BlockKind) -> Outline {
        let count = block.stmts.len();
        let statements = block.stmts.iter().enumerate();
        let statements = statements.filter(|(_, statement)| !matches!(statement, Stmt::Item(_)));
        Outline {
            kind,
            statements: statements
                .map(|(place, statement)| {
                    let has_value = kind == BlockKind::Value && place + 1 == count;
                    self.statement(statement, has_value)
                })
                .collect(),
        }
    }

    fn statement(&mut self, statement: &Stmt, has_value: bool) -> Statement {
        let mark = self.next;
        self.next += 1;
        let mut blocks = Blocks { reader: self, has_value, found: Vec::new() };
        match statement {
            Stmt::Expr(expr, _) => blocks.outermost(expr),
            other => visit::visit_stmt(&mut blocks, other),
        }
        let blocks = blocks.found;
        Statement {
            mark,
            range: range(statement.span(), self.base),
            what: self.what(statement),
            blocks,
        }
    }

    fn what(&self, statement: &Stmt) -> What {
        let bytes = |span| range(span, self.base);
        match statement {
            Stmt::Macro(statement) => self.of_macro(&statement.mac),
            Stmt::Expr(Expr::Macro(expr), Some(_)) => self.of_macro(&expr.mac),
            Stmt::Expr(expr, semicolon) => {
                let branch = |decided: &Expr, is_all: bool| What::Branch {
                    decided: is_all.then(|| bytes(decided.span())),
                    pattern: None,
                    calls: true,
                };
                match expr {
                    Expr::If(it) => {
                        let other = it.else_branch.as_ref();
                        let is_all =
                            !other.is_some_and(|(_, other)| matches!(**other, Expr::If(_)));
                        branch(decided_by(&it.cond), is_all)
                    }
                    Expr::While(it) => branch(decided_by(&it.cond), true),
                    Expr::Match(it) => {
                        let is_seen = |arm: &syn::Arm| {
                            matches!(*arm.body, Expr::Block(_) | Expr::Macro(_))
                                || calls_nothing(&arm.body)
                        };
                        branch(&it.expr, it.arms.iter().all(is_seen))
                    }
                    Expr::ForLoop(it) => What::Branch {
                        decided: Some(bytes(it.expr.span())),
                        pattern: Some(bytes(it.pat.span())),
                        calls: !is_calm(&it.expr, self.idle),
                    },
                    _ if let Some((to, value)) = assigned(expr)
                        && is_calm(value, self.idle) =>
                    {
                        assignment(to)
                    }
                    _ if semicolon.is_none() => What::Tail { calls: !calls_nothing(expr) },
                    _ => What::Other,
                }
            }
            Stmt::Local(local) if local.init.as_ref().is_some_and(|it| it.diverge.is_some()) => {
                What::Other
            }
            Stmt::Local(local) => What::Let {
                pattern: match &local.pat {
                    Pat::Type(typed) => bytes(typed.pat.span()),
                    pattern => bytes(pattern.span()),
                },
                calls: local.init.as_ref().is_some_and(|it| !is_calm(&it.expr, self.idle)),
            },
            Stmt::Item(_) => What::Other,
        }
    }

    fn of_macro(&self, mac: &syn::Macro) -> What {
        let assertion = called_macro(mac, self.base).filter(|(name, _)| is_assertion(name));
        let (Some((name, call)), Some(arguments)) = (assertion, arguments(&mac.tokens)) else {
            return What::Other;
        };
        let compared = || arguments.iter().take(compared(&name));
        let mut operands = Vec::new();
        compared().for_each(|argument| looked_at(argument, &mut operands));
        let converted = compared()
            .filter(|argument| matches!(argument, Expr::MethodCall(_)) && calls_nothing(argument));
        let bytes = |operand: &Expr| range(operand.span(), self.base);
        What::Assertion {
            start: call.start,
            operands: operands.into_iter().map(bytes).collect(),
            converted: converted.map(bytes).collect(),
        }
    }
}

/// What a condition looks into: the value that `if let` takes apart.
fn decided_by(condition: &Expr) -> &Expr {
    match condition {
        Expr::Let(it) => &it.expr,
        Expr::Unary(it) => decided_by(&it.expr),
        Expr::Paren(it) => decided_by(&it.expr),
        other => other,
    }
}

fn assignment(to: &Expr) -> What {
    match to {
        Expr::Path(path) => {
            path.path.get_ident().map_or(What::Other, |name| What::Assignment(plain(name)))
        }
        _ => What::Other,
    }
}

/// Whether nothing is lost with an expression that nobody needs.
fn is_calm(expr: &Expr, idle: &BTreeSet<String>) -> bool {
    match expr {
        Expr::Closure(_) => true,
        Expr::Tuple(it) => it.elems.iter().all(|it| is_calm(it, idle)),
        Expr::Call(call) if is_name_of(&call.func, idle) => {
            call.args.iter().all(|it| is_calm(it, idle))
        }
        Expr::Macro(it) if it.mac.path.is_ident("format") => {
            arguments(&it.mac.tokens).is_some_and(|all| all.iter().all(calls_nothing))
        }
        Expr::MethodCall(_) if is_own(expr) => only_converts(expr),
        _ => calls_nothing(expr) || is_path(expr),
    }
}

/// Whether an expression puts the path of a file together, and opens none.
fn is_path(expr: &Expr) -> bool {
    let is_part = |part: &Expr| match part {
        Expr::Macro(it) => it.mac.path.is_ident("env"),
        part => calls_nothing(part) || is_path(part),
    };
    match expr {
        Expr::MethodCall(it) => {
            let is_known = ["join", "with_extension", "with_file_name", "to_path_buf"]
                .iter()
                .any(|name| it.method == name);
            is_known && is_path(&it.receiver) && it.args.iter().all(is_part)
        }
        Expr::Call(it) => last_two_words(&it.func).is_some_and(|(of, name)| {
            let is_new = matches!((&*of, &*name), ("Path", "new") | ("PathBuf", "from"));
            is_new && it.args.iter().all(is_part)
        }),
        Expr::Reference(it) => is_path(&it.expr),
        _ => false,
    }
}

fn is_name_of(function: &Expr, names: &BTreeSet<String>) -> bool {
    let Expr::Path(path) = function else { return false };
    path.path.get_ident().is_some_and(|name| names.contains(&plain(name)))
}

/// Whether a chain of calls starts from what stands there: `(0..n).map(|n| n.to_string())`. What a variable holds may do
/// its work as elements are taken from it.
fn is_own(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => is_own(&call.receiver),
        Expr::Paren(inner) => is_own(&inner.expr),
        Expr::Range(_) | Expr::Lit(_) | Expr::Array(_) => true,
        Expr::Macro(call) => call.mac.path.is_ident("vec"),
        _ => false,
    }
}

/// The operands of a condition or comparison that call something, without what only asks their results.
pub(super) fn looked_at<'e>(operand: &'e Expr, found: &mut Vec<&'e Expr>) {
    match operand {
        _ if calls_nothing(operand) => {}
        Expr::Binary(_) | Expr::Unary(_) | Expr::Paren(_) | Expr::Reference(_) => {
            for part in children(operand) {
                looked_at(part, found);
            }
        }
        Expr::Call(it) if is_constructor(&it.func) && it.args.len() == 1 => {
            looked_at(&it.args[0], found);
        }
        Expr::MethodCall(it)
            if only_asks(&it.method.to_string())
                && it.args.iter().all(calls_nothing)
                && !calls_nothing(&it.receiver) =>
        {
            looked_at(&it.receiver, found);
        }
        _ => found.push(operand),
    }
}

/// The outermost blocks in a statement.
struct Blocks<'r, 'k> {
    reader: &'r mut Reader<'k>,
    /// Whether the value of the statement is that of the block around it.
    has_value: bool,
    found: Vec<Outline>,
}

impl Blocks<'_, '_> {
    /// The expression that is the statement.
    fn outermost(&mut self, expr: &Expr) {
        let kind = if self.has_value { BlockKind::Value } else { BlockKind::Unit };
        match expr {
            Expr::If(it) => {
                self.visit_expr(&it.cond);
                let then = match it.else_branch {
                    None => BlockKind::Unit,
                    Some(_) => kind,
                };
                self.push(&it.then_branch, then);
                if let Some((_, other)) = &it.else_branch {
                    self.outermost(other);
                }
            }
            Expr::Block(it) => self.push(&it.block, kind),
            Expr::Unsafe(it) => self.push(&it.block, kind),
            Expr::Match(it) => {
                self.visit_expr(&it.expr);
                for arm in &it.arms {
                    self.outermost(&arm.body);
                }
            }
            other => self.visit_expr(other),
        }
    }

    fn push(&mut self, block: &Block, kind: BlockKind) {
        let outline = self.reader.block(block, kind);
        self.found.push(outline);
    }
}

impl<'ast> Visit<'ast> for Blocks<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::ForLoop(it) => {
                self.visit_expr(&it.expr);
                self.push(&it.body, BlockKind::Unit);
            }
            Expr::While(it) => {
                self.visit_expr(&it.cond);
                self.push(&it.body, BlockKind::Endless);
            }
            Expr::Loop(it) => self.push(&it.body, BlockKind::Endless),
            // It is no code of a run.
            Expr::Const(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.push(block, BlockKind::Value);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
