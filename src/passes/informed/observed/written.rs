//! Writing a value as an expression, led by its type.

use std::collections::HashMap;

use syn::{Type, TypePath};

use super::types::{Definition, Members, TypeShape, Types};
use crate::rust::place_of_file;
use crate::source::{DebugValue, INTEGERS, LiveSpans, types_in};

/// Types of `std` that are made of a list.
const COLLECTIONS: [(&str, &str); 5] = [
    ("VecDeque", "std::collections::VecDeque"),
    ("BinaryHeap", "std::collections::BinaryHeap"),
    ("LinkedList", "std::collections::LinkedList"),
    ("HashSet", "std::collections::HashSet"),
    ("BTreeSet", "std::collections::BTreeSet"),
];
/// Types of `std` whose text is that of the value in them.
const POINTERS: [(&str, &str); 3] =
    [("Box", "Box"), ("Rc", "std::rc::Rc"), ("Arc", "std::sync::Arc")];
/// Types that refer to each other can go on without end only where the text does.
const DEEPEST: usize = 64;

/// Writes values for places of one file.
pub(crate) struct Writer<'t> {
    types: &'t Types,
    /// The crate of the file.
    krate: String,
}

/// A type with what its parameters stand for.
#[derive(Clone, Copy)]
struct Typed<'a> {
    ty: &'a Type,
    /// The modules in which it is written.
    modules: &'a [String],
    depth: usize,
}

impl<'t> Writer<'t> {
    /// For places of the file at `path`.
    pub(crate) fn new(types: &'t Types, path: &str) -> Self {
        Writer { types, krate: place_of_file(path).0 }
    }

    /// The expressions for a value, the shortest first.
    pub(crate) fn ways(&self, type_name: &str, text: &str) -> Vec<String> {
        let _live = LiveSpans::new();
        let Ok(ty) = syn::parse_str::<Type>(type_name) else { return Vec::new() };
        let typed = Typed { ty: &ty, modules: &[], depth: 0 };
        let written = DebugValue::read(text).and_then(|shown| self.value(&shown, typed));
        written.map_or(Vec::new(), |plain| with_types(plain, &ty))
    }

    fn value(&self, shown: &DebugValue, typed: Typed<'_>) -> Option<String> {
        if typed.depth > DEEPEST {
            return None;
        }
        let deeper = Typed { depth: typed.depth + 1, ..typed };
        match (typed.ty, shown.view()) {
            (Type::Paren(inner), _) => self.value(shown, deeper.of(&inner.elem)),
            (Type::Group(inner), _) => self.value(shown, deeper.of(&inner.elem)),
            (Type::Reference(reference), _) => self.reference(shown, deeper.of(&reference.elem)),
            (Type::Tuple(tuple), ("", '(', parts)) if tuple.elems.len() == parts.len() => {
                let parts = parts.iter().zip(&tuple.elems);
                let parts = parts.map(|(part, ty)| self.value(part, deeper.of(ty)));
                let parts: Vec<String> = parts.collect::<Option<_>>()?;
                let comma = if parts.len() == 1 { "," } else { "" };
                Some(format!("({}{comma})", parts.join(", ")))
            }
            (Type::Array(array), ("", '[', parts)) => {
                Some(format!("[{}]", self.list(parts, deeper.of(&array.elem))?))
            }
            (Type::Path(path), _) => self.path(shown, path, deeper),
            _ => None,
        }
    }

    fn reference(&self, shown: &DebugValue, inner: Typed<'_>) -> Option<String> {
        match (inner.ty, shown.view()) {
            (Type::Path(path), (text, ' ', _))
                if path.path.is_ident("str") && text.starts_with('"') =>
            {
                Some(text.to_owned())
            }
            (Type::Slice(slice), ("", '[', parts)) => {
                Some(format!("&[{}]", self.list(parts, inner.of(&slice.elem))?))
            }
            _ => Some(format!("&{}", self.value(shown, inner)?)),
        }
    }

    fn list(&self, parts: &[DebugValue], element: Typed<'_>) -> Option<String> {
        let parts = parts.iter().map(|part| self.value(part, element));
        Some(parts.collect::<Option<Vec<String>>>()?.join(", "))
    }

    fn path(&self, shown: &DebugValue, path: &TypePath, typed: Typed<'_>) -> Option<String> {
        let last = path.path.segments.last()?;
        let name = last.ident.to_string();
        let arguments = types_in(&last.arguments);
        let modules: Vec<String> = path
            .path
            .segments
            .iter()
            .take(path.path.segments.len() - 1)
            .map(|segment| segment.ident.to_string())
            .collect();
        let first = path.path.segments.first()?.ident.to_string();
        let is_std = ["std", "core", "alloc"].contains(&&*first) && modules.len() > 1;
        if !is_std {
            let scope = if modules.is_empty() { typed.modules } else { &modules };
            if let Some(definition) = self.types.get(&name, scope) {
                return self.own(shown, &name, definition, &arguments, typed);
            }
        }
        self.of_std(shown, &name, &arguments, typed)
    }

    fn of_std(
        &self,
        shown: &DebugValue,
        name: &str,
        arguments: &[&Type],
        typed: Typed<'_>,
    ) -> Option<String> {
        let named = |list: &[(&str, &'static str)]| {
            let found = list.iter().find(|(known, _)| *known == name);
            found.map(|(_, path)| *path)
        };
        match (shown.view(), arguments) {
            ((word, ' ', _), []) => {
                let first = word.trim_start_matches('-').chars().next()?;
                match name {
                    "char" => (first == '\'').then(|| word.to_owned()),
                    "String" => (first == '"').then(|| format!("String::from({word})")),
                    "f64" | "f32" => float(word, first, name),
                    "bool" => first.is_alphabetic().then(|| word.to_owned()),
                    "Ordering" => Some(format!("std::cmp::Ordering::{word}")),
                    _ => (INTEGERS.contains(&name) && first.is_ascii_digit())
                        .then(|| word.to_owned()),
                }
            }
            ((word, ' ' | '(', inner), [ty]) if name == "Option" => {
                self.called(word, inner, &[("None", None), ("Some", Some(*ty))], typed)
            }
            ((word, '(', inner), [ok, error]) if name == "Result" => {
                let constructors = [("Ok", Some(*ok)), ("Err", Some(*error))];
                self.called(word, inner, &constructors, typed)
            }
            (("", '[', parts), [ty, ..]) if name == "Vec" => {
                Some(format!("vec![{}]", self.list(parts, typed.of(ty))?))
            }
            (("", '{', pairs), [key, value, ..]) if name == "HashMap" || name == "BTreeMap" => {
                let pairs = pairs.iter().map(|pair| {
                    let [one, other] = pair.parts() else { return None };
                    let (one, other) =
                        (self.value(one, typed.of(key))?, self.value(other, typed.of(value))?);
                    Some(format!("({one}, {other})"))
                });
                let pairs: Vec<String> = pairs.collect::<Option<_>>()?;
                Some(format!("std::collections::{name}::from([{}])", pairs.join(", ")))
            }
            ((word, open, parts), [ty, ..]) => {
                if let Some(path) = named(&POINTERS) {
                    return Some(format!("{path}::new({})", self.value(shown, typed.of(ty))?));
                }
                let path = named(&COLLECTIONS)?;
                match (word, open, parts) {
                    ("", '{', []) => Some(format!("{path}::new()")),
                    ("", '[' | '{', _) => {
                        Some(format!("{path}::from([{}])", self.list(parts, typed.of(ty))?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A constructor of `std`, with the type of its value if it has one.
    fn called(
        &self,
        word: &str,
        inner: &[DebugValue],
        constructors: &[(&str, Option<&Type>)],
        typed: Typed<'_>,
    ) -> Option<String> {
        let (name, ty) = constructors.iter().find(|(name, _)| *name == word)?;
        match (ty, inner) {
            (None, []) => Some((*name).to_owned()),
            (Some(ty), [inner]) => Some(format!("{name}({})", self.value(inner, typed.of(ty))?)),
            _ => None,
        }
    }

    /// A value of a type that the sources define.
    fn own(
        &self,
        shown: &DebugValue,
        name: &str,
        definition: &Definition,
        arguments: &[&Type],
        typed: Typed<'_>,
    ) -> Option<String> {
        let given: HashMap<&str, &Type> = definition
            .parameters
            .iter()
            .map(String::as_str)
            .zip(arguments.iter().copied())
            .collect();
        let here = Typed { modules: &definition.modules, ..typed };
        let (word, open, parts) = shown.view();
        let (path, members) = match &definition.shape {
            TypeShape::Alias(ty) => return self.value(shown, here.of(&substituted(ty, &given))),
            TypeShape::Struct(members) if word == name => {
                (self.path_to(name, definition)?, members)
            }
            TypeShape::Enum(variants) => {
                let (_, members) = variants.iter().find(|(variant, _)| variant == word)?;
                (format!("{}::{word}", self.path_to(name, definition)?), members)
            }
            TypeShape::Struct(_) => return None,
        };
        match (open, members) {
            ('{', Members::Named(types)) if parts.len() == types.len() => {
                let fields = parts.iter().map(|part| {
                    let (field, ':', [value]) = part.view() else { return None };
                    let (_, ty) = types.iter().find(|(known, _)| known == field)?;
                    let value = self.value(value, here.of(&substituted(ty, &given)))?;
                    Some(format!("{field}: {value}"))
                });
                let fields: Vec<String> = fields.collect::<Option<_>>()?;
                Some(format!("{path} {{ {} }}", fields.join(", ")))
            }
            (' ', Members::Unnamed(types)) if types.is_empty() => Some(path),
            ('(', Members::Unnamed(types)) if parts.len() == types.len() => {
                let values = parts.iter().zip(types);
                let values =
                    values.map(|(value, ty)| self.value(value, here.of(&substituted(ty, &given))));
                let values: Vec<String> = values.collect::<Option<_>>()?;
                Some(format!("{path}({})", values.join(", ")))
            }
            _ => None,
        }
    }

    /// The path to a definition from the root of its crate; `None` for one of another crate, which may
    /// not be told by that path.
    fn path_to(&self, name: &str, definition: &Definition) -> Option<String> {
        if definition.krate != self.krate {
            return None;
        }
        let modules = definition.modules.iter().map(String::as_str);
        let parts: Vec<&str> = std::iter::once("crate").chain(modules).chain([name]).collect();
        Some(parts.join("::"))
    }
}

impl<'a> Typed<'a> {
    fn of<'b>(self, ty: &'b Type) -> Typed<'b>
    where
        'a: 'b,
    {
        Typed { ty, ..self }
    }
}

/// The type with what is given in the place of its parameters.
fn substituted(ty: &Type, given: &HashMap<&str, &Type>) -> Type {
    struct Substitute<'g>(&'g HashMap<&'g str, &'g Type>);
    impl syn::visit_mut::VisitMut for Substitute<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            if let Type::Path(path) = &*ty
                && let Some(name) = path.path.get_ident()
                && let Some(given) = self.0.get(&*name.to_string())
            {
                *ty = (*given).clone();
                return;
            }
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut ty = ty.clone();
    syn::visit_mut::VisitMut::visit_type_mut(&mut Substitute(given), &mut ty);
    ty
}

fn float(number: &str, first: char, name: &str) -> Option<String> {
    match number {
        "NaN" => Some(format!("{name}::NAN")),
        "inf" => Some(format!("{name}::INFINITY")),
        "-inf" => Some(format!("{name}::NEG_INFINITY")),
        _ => first.is_ascii_digit().then(|| number.to_owned()),
    }
}

/// The expression as it is, and with the types that nothing else may tell: `()` for what is not there anyway,
/// and that of the numbers in a list.
fn with_types(plain: String, ty: &Type) -> Vec<String> {
    let in_list = number_within(ty).and_then(|number| with_first_typed(&plain, &number));
    let Type::Path(path) = ty else { return [plain].into_iter().chain(in_list).collect() };
    let Some(last) = path.path.segments.last() else { return vec![plain] };
    let name = last.ident.to_string();
    if is_number(&name) {
        let is_plain = plain.ends_with(|last: char| last.is_ascii_digit());
        let with_type = if is_plain { format!("{plain}{name}") } else { plain };
        return vec![with_type];
    }
    let typed = |constructor: &str, types: &str| {
        let rest = plain.strip_prefix(constructor)?;
        Some(format!("{constructor}::<{types}>{rest}"))
    };
    let more = match &*name {
        "Result" => [typed("Err", "(), _"), typed("Ok", "_, ()")],
        "Option" => [typed("None", "()"), None],
        _ => [None, None],
    };
    let more = more.into_iter().flatten();
    [plain].into_iter().chain(more).chain(in_list).collect()
}

fn is_number(name: &str) -> bool {
    INTEGERS.contains(&name) || name == "f32" || name == "f64"
}

/// The type of the numbers in a value that holds only such: `f64` of `&[f64]`.
fn number_within(ty: &Type) -> Option<String> {
    let inner = match ty {
        Type::Reference(reference) => &*reference.elem,
        Type::Slice(slice) => &*slice.elem,
        Type::Array(array) => &*array.elem,
        Type::Path(path) => match *types_in(&path.path.segments.last()?.arguments) {
            [inner] => inner,
            _ => return None,
        },
        _ => return None,
    };
    let name = match inner {
        Type::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    name.filter(|name| is_number(name)).or_else(|| number_within(inner))
}

/// `&[1.0f64, 2.0]` of `&[1.0, 2.0]`.
fn with_first_typed(plain: &str, number: &str) -> Option<String> {
    let start = plain.find(|first: char| first.is_ascii_digit())?;
    let rest = &plain[start..];
    let is_digit = |symbol: char| symbol.is_ascii_digit() || symbol == '.' || symbol == '_';
    let (digits, rest) = rest.split_at(rest.find(|symbol| !is_digit(symbol))?);
    Some(format!("{}{digits}{number}{rest}", &plain[..start]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{Sameness, SourceFile, Sources};

    const TEXT: &str = "
        pub type Result<T> = std::result::Result<T, deep::Error>;
        mod deep {
            #[derive(Debug)] pub enum Error { Unclosed { at: usize }, Io(String, Option<Box<Error>>), End }
            pub struct Plain { a: u8 }
        }
        #[derive(Debug)] struct Pair<A, B>(A, Vec<B>);
    ";

    fn ways(type_name: &str, text: &str) -> Vec<String> {
        let file = SourceFile::new("src/lib.rs", TEXT);
        let types = Types::of(&Sources::new(vec![file], Sameness::Tokens));
        Writer::new(&types, "src/lib.rs").ways(type_name, text)
    }

    #[test]
    fn values_of_own_types_are_written_with_their_paths() {
        let result = "core::result::Result<a::Tree, a::deep::Error>";
        assert_eq!(
            ways(result, "Err(Unclosed { at: 60 })"),
            [
                "Err(crate::deep::Error::Unclosed { at: 60 })",
                "Err::<(), _>(crate::deep::Error::Unclosed { at: 60 })"
            ]
        );
        assert_eq!(
            ways("a::deep::Error", "Io(\"x\", Some(End))"),
            [
                "crate::deep::Error::Io(String::from(\"x\"), Some(Box::new(crate::deep::Error::End)))"
            ]
        );
        assert_eq!(
            ways("a::Pair<u8, alloc::string::String>", "Pair(3, [\"y\"])"),
            ["crate::Pair(3, vec![String::from(\"y\")])"]
        );
    }

    #[test]
    fn values_of_the_standard_library_are_written() {
        for (ty, text, written) in [
            ("usize", "7", "7usize"),
            ("f64", "NaN", "f64::NAN"),
            ("(bool, char)", "(true, 'x')", "(true, 'x')"),
            ("&[&str]", "[\"a\", \"b\"]", "&[\"a\", \"b\"]"),
            (
                "alloc::collections::btree::map::BTreeMap<&str, i32>",
                "{\"a\": -1}",
                "std::collections::BTreeMap::from([(\"a\", -1)])",
            ),
            ("alloc::sync::Arc<str>", "\"a\"", ""),
            ("alloc::rc::Rc<u8>", "1", "std::rc::Rc::new(1)"),
            ("core::option::Option<u8>", "Some(1)", "Some(1)"),
            ("std::collections::hash::set::HashSet<u8>", "{}", "std::collections::HashSet::new()"),
        ] {
            let found = ways(ty, text);
            assert_eq!(found.first().map_or("", |first| first), written, "{ty}");
        }
        let list = ["&[0.5, 2.0]", "&[0.5f64, 2.0]"];
        assert_eq!(ways("&[f64]", "[0.5, 2.0]"), list);
        let list = ["vec![vec![], vec![7]]", "vec![vec![], vec![7i8]]"];
        assert_eq!(ways("alloc::vec::Vec<alloc::vec::Vec<i8>>", "[[], [7]]"), list);
        assert_eq!(ways("core::option::Option<u8>", "None"), ["None", "None::<()>"]);
    }

    #[test]
    fn a_text_that_no_definition_explains_is_not_written() {
        for (ty, text) in [
            ("a::deep::Plain", "Plain { a: 1 }"),
            ("a::deep::Error", "Other"),
            ("a::deep::Error", "Unclosed { to: 1 }"),
            ("std::time::Duration", "1.5s"),
            ("b::{{closure}}", "0"),
        ] {
            assert!(ways(ty, text).is_empty(), "{ty}");
        }
    }
}
