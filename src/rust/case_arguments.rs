//! The parameters of a test as variables: with the arguments of its case, or with what fixtures give.

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, ItemFn, Lit, PatType, Path, Type};

use super::Tree;
use super::patchwork::Patchwork;
use crate::source::{self, Arguments, ends_in, typed};

/// Fixtures that need fixtures; real ones are not so deep.
const DEEPEST: usize = 16;

/// Variables, as they are written at the start of the test.
pub(crate) struct Lets<'t> {
    tree: &'t Tree<'t>,
    fixtures: Vec<&'t ItemFn>,
    /// The variables so far, which hide functions of their names.
    variables: Vec<String>,
    pub(crate) text: Patchwork<'t>,
}

impl<'t> Lets<'t> {
    pub(crate) fn new(tree: &'t Tree<'t>) -> Self {
        let is_fixture = |function: &&ItemFn| named(&function.attrs, "fixture").is_some();
        Lets {
            tree,
            fixtures: tree.item_functions().filter(is_fixture).collect(),
            variables: Vec::new(),
            text: Patchwork::of(tree.text),
        }
    }

    /// A parameter with its argument.
    pub(crate) fn add(&mut self, parameter: &PatType, argument: &Expr) {
        self.open(parameter);
        self.argument(parameter, argument);
        self.close(parameter);
    }

    /// A parameter that a fixture gives; `None` if it is more than that.
    pub(crate) fn add_fixture(&mut self, parameter: &PatType) -> Option<()> {
        self.open(parameter);
        self.fixture(parameter, 0)?;
        self.close(parameter);
        Some(())
    }

    fn copy(&mut self, node: &(impl ToTokens + 'static)) {
        self.text.copy(self.tree.range(node));
    }

    /// `let pattern: Type = `
    fn open(&mut self, parameter: &PatType) {
        self.text.push(" let ");
        self.copy(&parameter.pat);
        if !self.tree.text_of(&parameter.ty).contains("impl") {
            self.text.push(": ");
            self.copy(&parameter.ty);
        }
        self.text.push(" = ");
    }

    fn close(&mut self, parameter: &PatType) {
        self.text.push(";");
        self.variables.extend(variable(parameter));
    }

    fn argument(&mut self, parameter: &PatType, argument: &Expr) {
        self.copy(argument);
        if is_parsed(self.tree, parameter, argument) {
            self.text.push(".parse().unwrap()");
        }
    }

    /// The call of the fixture that gives `parameter`.
    fn fixture(&mut self, parameter: &PatType, depth: usize) -> Option<()> {
        let wanted = Wanted::by(parameter)?;
        let known = self.fixtures.iter().find(|known| known.sig.ident == *wanted.name);
        let Some(fixture) = known.copied() else {
            self.foreign(&wanted);
            return Some(());
        };
        if depth == DEEPEST || fixture.sig.asyncness.is_some() {
            return None;
        }
        if named(&fixture.attrs, "once").is_some() {
            self.text.push("&");
        }
        let is_name = wanted.path.iter().all(|path| path.get_ident().is_some());
        if is_name && self.variables.contains(&wanted.name) {
            self.text.push("self::");
        }
        self.path(&wanted);
        self.text.push("(");
        let mut given = wanted.arguments.iter();
        for (index, parameter) in fixture.sig.inputs.iter().enumerate() {
            let parameter = typed(parameter)?;
            if index > 0 {
                self.text.push(", ");
            }
            match (given.next(), named(&parameter.attrs, "default")) {
                (Some(argument), _) => self.argument(parameter, argument),
                (None, Some(default)) => self.argument(parameter, &default.parse_args().ok()?),
                (None, None) => self.fixture(parameter, depth + 1)?,
            }
        }
        self.text.push(")");
        Some(())
    }

    /// The call of a fixture of another crate, as its macro has made it.
    fn foreign(&mut self, wanted: &Wanted) {
        self.path(wanted);
        let method = match wanted.arguments.len() {
            0 => "default".to_owned(),
            count => format!("partial_{count}"),
        };
        for part in ["::", &method, "("] {
            self.text.push(part);
        }
        for (index, argument) in wanted.arguments.iter().enumerate() {
            if index > 0 {
                self.text.push(", ");
            }
            self.copy(argument);
        }
        self.text.push(")");
    }

    fn path(&mut self, wanted: &Wanted) {
        match &wanted.path {
            Some(path) => self.copy(path),
            None => self.text.push(&wanted.name),
        }
    }
}

/// Which fixture a parameter wants: `#[from(name)] #[with(1, 2)] other: Type`.
struct Wanted {
    name: String,
    path: Option<Path>,
    arguments: Vec<Expr>,
}

impl Wanted {
    /// What the parameter says; `None` if it says more than that.
    fn by(parameter: &PatType) -> Option<Self> {
        let mut wanted = Wanted {
            name: variable(parameter)?.trim_start_matches('_').to_owned(),
            path: None,
            arguments: Vec::new(),
        };
        for attribute in &parameter.attrs {
            if is_called(attribute, "with") {
                wanted.arguments = expressions(attribute)?;
            } else if is_called(attribute, "from") {
                let path: Path = attribute.parse_args().ok()?;
                wanted.name = path.segments.last()?.ident.to_string();
                wanted.path = Some(path);
            } else {
                return None;
            }
        }
        Some(wanted)
    }
}

/// The name of a parameter that is one variable.
pub(crate) fn variable(parameter: &PatType) -> Option<String> {
    source::variable(&parameter.pat).map(|it| it.ident.to_string())
}

/// The attribute of that name.
pub(crate) fn named<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|it| is_called(it, name))
}

pub(crate) fn is_called(attribute: &Attribute, name: &str) -> bool {
    ends_in(attribute.path(), name)
}

/// The expressions in the parentheses of an attribute.
pub(crate) fn expressions(attribute: &Attribute) -> Option<Vec<Expr>> {
    let list = attribute.parse_args_with(Arguments::parse_terminated);
    Some(list.ok()?.into_iter().collect())
}

/// Whether rstest makes a value of a text with `FromStr`.
fn is_parsed(tree: &Tree<'_>, parameter: &PatType, argument: &Expr) -> bool {
    let is_text = matches!(argument, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
    is_text
        && matches!(&*parameter.ty, Type::Path(_))
        && !tree.text_of(&parameter.ty).contains("str")
}
