//! Where test code hands values to the code under test: the places at which a run can show what crosses.
//!
//! A place is an expression that test code computes by itself (reads, decodes, formats, builds, generates) and whose
//! value goes into a call of the code under test, as an argument or by way of a variable. What the code under test
//! has made is no input, so an expression that names it, or a variable that holds what it made, is none.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprForLoop, Local, Pat};

use super::built::{Building, Built, building};
use super::data;
use super::file;
use super::names::computing;
use super::scope::{Scope, arguments, bindings};
use super::steering::{self, Literals, is_number};
use super::tested::Tested;

use crate::source::exprs::{children, leaves, without_adapters};
use crate::source::idents::mentioned;
use crate::source::methods::{is_conversion, is_same, takes_apart};
use crate::source::parse::range;
use crate::source::patterns::{bound, variable};
use crate::source::scan::is_word;
use crate::source::tokens::{expressions, flat, is_constant_name, last_name, plain};

/// A place at the boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Crossing {
    /// The bytes of the expression.
    pub range: Range<usize>,
    /// Whether it uses other values of the test, which the assertions may compare with the result.
    pub is_derived: bool,
    /// Whether a macro of the code under test makes the value: then it must be data in the notation of its tokens.
    pub is_notation: bool,
    /// How the variable is built whose value this is, if statements do that.
    pub built: Option<Built>,
    /// The bytes of the place that is all that its variable is for, if there is one.
    pub goes_into: Option<Range<usize>>,
}

/// What crosses the boundary in a function.
pub(super) struct Crossings {
    /// The places.
    pub places: Vec<Crossing>,
    /// The names from which comes what goes into calls of the code under test.
    pub flowing: BTreeSet<String>,
    /// What holds no inputs, since it only steers the test.
    pub steering: Literals,
}

/// The places in the body of a function, whose text starts at `base`.
pub(super) fn crossings(tested: &Tested, body: &Block, base: usize) -> Crossings {
    let scope = Scope::of(tested, body);
    let steering = if scope.flowing.is_empty() && steering::is_generator(body) {
        Literals::of_generator(range(body.span(), base))
    } else {
        steering::literals(&scope, body, base)
    };
    let mut places = Places {
        scope,
        base,
        is_expected: false,
        valued: BTreeSet::new(),
        computed: BTreeMap::new(),
        names: identifiers(body),
        found: Vec::new(),
    };
    places.body(body);
    Crossings { places: places.found, flowing: places.scope.flowing, steering }
}

/// Collects the places.
struct Places<'t> {
    scope: Scope<'t>,
    base: usize,
    /// Whether it looks at what may be an expected value.
    is_expected: bool,
    /// Variables whose own value is an input, or is computed from one.
    valued: BTreeSet<String>,
    /// Variables whose value is a place, with the index of that among those found.
    computed: BTreeMap<String, usize>,
    /// All names in the function.
    names: Vec<String>,
    found: Vec<Crossing>,
}

impl Places<'_> {
    /// Takes the expression as a place if its value is computed by test code alone.
    fn consider(&mut self, expr: &Expr) {
        let expr = without_reference(expr);
        if is_written_out(expr) || matches!(expr, Expr::Closure(_) | Expr::Range(_)) {
            return;
        }
        let used = computing(expr.to_token_stream());
        let inside = identifiers(expr);
        let is_place = !self.scope.are_tested(&used)
            && used.iter().all(|name| !self.valued.contains(name) || self.goes_into(name, &inside))
            && !is_variable(expr)
            && !leaves(|it| it.visit_expr(expr));
        let range = range(expr.span(), self.base);
        if is_place && self.found.iter().all(|place| place.range != range) {
            for name in &used {
                if let Some(inner) = self.computed.get(name) {
                    self.found[*inner].goes_into = Some(range.clone());
                }
            }
            let is_local = |name: &String| self.scope.locals.contains(name);
            self.found.push(Crossing {
                range,
                is_derived: used.iter().any(is_local) && !is_read(expr),
                is_notation: self.scope.are_tested(&mentioned(expr.to_token_stream())),
                built: None,
                goes_into: None,
            });
        }
    }

    /// Whether all uses of a variable whose value is a place are among the names of one expression.
    fn goes_into(&self, variable: &String, inside: &[String]) -> bool {
        let count = |names: &[String]| names.iter().filter(|name| *name == variable).count();
        self.computed.contains_key(variable) && count(&self.names) == count(inside) + 1
    }

    /// Looks at the statements of the function, of which some may build a variable together.
    fn body(&mut self, body: &Block) {
        let mut rest = &body.stmts[..];
        while let Some((first, behind)) = rest.split_first() {
            rest = match building(rest, self.base) {
                Some(building) if self.is_built_alone(&building) => {
                    let rest = &rest[building.count..];
                    self.add_built(building);
                    rest
                }
                _ => {
                    self.visit_stmt(first);
                    behind
                }
            };
        }
    }

    /// Whether test code alone builds a variable, from nothing that is an input by itself, and hands it over.
    fn is_built_alone(&self, building: &Building<'_>) -> bool {
        let used = used_in(building);
        self.scope.flowing.contains(&building.built.name)
            && !self.scope.made_by_tested.contains(&building.built.name)
            && !self.scope.are_tested(&used)
            && used.iter().all(|name| !self.valued.contains(name))
    }

    fn add_built(&mut self, building: Building<'_>) {
        let is_outside =
            |name: &String| self.scope.locals.contains(name) && !building.bound.contains(name);
        let is_derived = used_in(&building).iter().any(is_outside);
        if !building.built.is_changed_later {
            self.valued.insert(building.built.name.clone());
        }
        self.found.push(Crossing {
            range: building.range,
            is_derived,
            is_notation: false,
            built: Some(building.built),
            goes_into: None,
        });
    }
}

/// All names in some code but those of modules and types before `::`, also those in the texts of its formats.
fn identifiers(code: &impl ToTokens) -> Vec<String> {
    let tokens: Vec<TokenTree> = flat(code.to_token_stream()).collect();
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ':');
    let leads = |at: usize| tokens.get(at + 1..at + 3).is_some_and(|it| it.iter().all(is_colon));
    let names = tokens.iter().enumerate().flat_map(|(at, token)| match token {
        TokenTree::Ident(ident) if !leads(at) => vec![plain(ident)],
        TokenTree::Literal(text) => {
            let text = text.to_string();
            let words = text.split(|next| !is_word(next));
            words.map(str::to_owned).collect()
        }
        TokenTree::Ident(_) | TokenTree::Group(_) | TokenTree::Punct(_) => Vec::new(),
    });
    names.collect()
}

/// The names that the statements use.
fn used_in(building: &Building<'_>) -> BTreeSet<String> {
    let tokens = building.statements.iter().map(ToTokens::to_token_stream);
    computing(tokens.collect())
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_local(&mut self, local: &'ast Local) {
        let names = bound(&local.pat);
        if let Some(init) = &local.init {
            let flows = names.iter().any(|name| self.scope.flowing.contains(name));
            let is_simple = init.diverge.is_none()
                && variable(&local.pat)
                    .is_some_and(|it| it.subpat.is_none() && it.by_ref.is_none());
            let found = self.found.len();
            if is_simple && flows && names.is_disjoint(&self.scope.made_by_tested) {
                self.consider(&init.expr);
            }
            let used = computing(init.expr.to_token_stream());
            let is_input = self.found.len() > found
                || used.iter().any(|name| self.valued.contains(name))
                || (is_written_out(&init.expr) && !is_number(&init.expr));
            if is_input && variable(&local.pat).is_none_or(|name| name.mutability.is_none()) {
                self.valued.extend(names.iter().cloned());
            }
            if self.found.len() > found {
                self.computed.extend(names.into_iter().map(|name| (name, found)));
                return;
            }
        }
        let outer = self.is_expected;
        self.is_expected |= names.is_disjoint(&self.scope.flowing)
            && !local.init.as_ref().is_some_and(|init| self.scope.is_tested(&init.expr));
        visit::visit_local(self, local);
        self.is_expected = outer;
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Expr::ForLoop(looped) = expr {
            self.consider_elements(looped);
        }
        for (pattern, value) in bindings(expr) {
            self.derive(pattern, value);
        }
        let arguments = arguments(expr, &|names| self.scope.are_tested(&names));
        for argument in arguments {
            self.consider(argument);
        }
        if matches!(expr, Expr::Macro(it) if !self.is_expected && data::is_data(&it.mac)) {
            return self.consider(expr);
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let outer = self.is_expected;
        self.is_expected |= last_name(&mac.path).contains("assert");
        for argument in expressions(&mac.tokens).into_iter().flatten() {
            self.visit_expr(&argument);
        }
        self.is_expected = outer;
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

impl Places<'_> {
    /// Takes what a loop goes through as a place if its elements go into the code under test.
    fn consider_elements(&mut self, looped: &ExprForLoop) {
        let names = bound(&looped.pat);
        let flows = names.iter().any(|name| self.scope.flowing.contains(name));
        let found = self.found.len();
        if flows && names.is_disjoint(&self.scope.made_by_tested) {
            self.consider(without_adapters(&looped.expr, takes_apart));
        }
        if self.found.len() > found {
            self.valued.extend(names);
        }
    }

    /// What a variable is bound to comes from an input of its own.
    fn derive(&mut self, pattern: &Pat, value: &Expr) {
        let used = computing(value.to_token_stream());
        let is_list = is_written_out(value) && !matches!(value, Expr::Range(_));
        if is_list || used.iter().any(|name| self.valued.contains(name) || is_constant_name(name)) {
            self.valued.extend(bound(pattern));
        }
    }
}

fn without_reference(expr: &Expr) -> &Expr {
    match expr {
        Expr::Reference(reference) if !is_variable(&reference.expr) => {
            without_reference(&reference.expr)
        }
        Expr::Paren(paren) => without_reference(&paren.expr),
        expr => expr,
    }
}

/// A variable, a field, an element, or a reference to one.
fn is_variable(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => true,
        Expr::Reference(_) | Expr::Paren(_) | Expr::Unary(_) => {
            children(expr).into_iter().all(is_variable)
        }
        Expr::MethodCall(call) => {
            let method = call.method.to_string();
            call.args.is_empty()
                && is_variable(&call.receiver)
                && (is_same(&method) || matches!(&*method, "iter" | "into_iter" | "len"))
        }
        _ => false,
    }
}

/// Whether an expression is what a file holds: nothing compares that with the path of the file.
fn is_read(expr: &Expr) -> bool {
    match expr {
        Expr::Try(it) => is_read(&it.expr),
        Expr::MethodCall(it) => {
            (it.method == "unwrap" || it.method == "expect") && is_read(&it.receiver)
        }
        Expr::Call(it) => file::is_read(&it.func),
        _ => false,
    }
}

/// Whether the literals of an expression are its value, so that nothing need run to know it: they are inputs by
/// themselves.
fn is_written_out(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => {
            super::is_constructor(&call.func) && call.args.iter().all(is_written_out)
        }
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            let converts =
                is_conversion(&name) || matches!(name.as_str(), "unwrap" | "expect" | "into_iter");
            converts && is_written_out(&call.receiver)
        }
        // Constants, units of enums and structs.
        Expr::Path(path) => last_name(&path.path).starts_with(char::is_uppercase),
        Expr::Macro(call) => match last_name(&call.mac.path).as_str() {
            "vec" => expressions(&call.mac.tokens).is_none_or(|all| all.iter().all(is_written_out)),
            "concat" | "include_str" | "include_bytes" | "env" => true,
            _ => false,
        },
        Expr::Lit(_)
        | Expr::Array(_)
        | Expr::Tuple(_)
        | Expr::Reference(_)
        | Expr::Paren(_)
        | Expr::Unary(_)
        | Expr::Struct(_)
        | Expr::Repeat(_)
        | Expr::Cast(_)
        | Expr::Range(_)
        | Expr::Try(_) => children(expr).into_iter().all(is_written_out),
        _ => false,
    }
}
