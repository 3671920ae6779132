//! Values as the runtime shows them: their types, and themselves.

use std::collections::BTreeSet;

use crate::reduce::inputs::{Float, Int, NodeId, Value};
use crate::source::item::ItemKind;
use crate::source::{Crate, FileIndex, TextForm};

/// An expression whose value crosses the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoundaryPlace {
    /// Its id; it is no node of the forest.
    pub id: NodeId,
    /// Whether it is computed from other values of the test.
    pub is_derived: bool,
    /// Whether it counts only as data in the notation of a macro.
    pub is_notation: bool,
    /// Where its value comes from.
    pub origin: Origin,
    /// The place that is all that its variable is for, if there is one.
    pub goes_into: Option<NodeId>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is written out in the source.
    Literal,
    /// It is computed by test code.
    Computed,
    /// It is read: from a file, an environment variable, or standard input.
    Read,
    /// It comes from a generator of random values.
    Generated,
}

impl Origin {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Literal => "literal",
            Origin::Computed => "computed",
            Origin::Read => "read",
            Origin::Generated => "generated",
        }
    }
}

/// A value that was shown at the boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The [`BoundaryPlace`].
    pub place: NodeId,
    /// Its type.
    pub shape: ValueType,
}

/// The type of a value that can be written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// `&str`.
    Str,
    /// `String`.
    String,
    /// `Cow<str>`.
    CowStr,
    /// `char`.
    Char,
    /// `bool`.
    Bool,
    /// A number of this type.
    Number(String),
    /// `Vec`, and others that are collected from one.
    List(ListKind, Box<ValueType>),
    /// A map.
    Map(&'static str, Box<(ValueType, ValueType)>),
    /// `Option`.
    Option(Box<ValueType>),
    /// `Box`.
    Box(Box<ValueType>),
    /// An array of that length.
    Array(usize, Box<ValueType>),
    /// A reference.
    Reference(Box<ValueType>),
    /// A tuple.
    Tuple(Vec<ValueType>),
    /// What is shown as a text and read from it.
    Text(TextForm),
}

/// A list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// `Vec`.
    Vec,
    /// `&[T]`.
    Slice,
    /// Made from an array by `from`: the path of the type.
    From(&'static str),
}

impl ValueType {
    /// Reads the letters in which the runtime tells a type.
    fn read(text: &mut &str) -> Option<Self> {
        let letter = text.chars().next()?;
        *text = &text[1..];
        let inner = |text: &mut &str| Self::read(text).map(Box::new);
        let list = |kind, text: &mut &str| Some(ValueType::List(kind, inner(text)?));
        let map = |path, text: &mut &str| {
            let parts = (Self::read(text)?, Self::read(text)?);
            Some(ValueType::Map(path, Box::new(parts)))
        };
        Some(match letter {
            's' => ValueType::Str,
            'S' => ValueType::String,
            'W' => ValueType::CowStr,
            'c' => ValueType::Char,
            'b' => ValueType::Bool,
            'i' => ValueType::Number(word(text)?.to_owned()),
            'V' => list(ListKind::Vec, text)?,
            'L' => list(ListKind::Slice, text)?,
            'D' => list(ListKind::From("std::collections::VecDeque"), text)?,
            'm' => list(ListKind::From("std::collections::BTreeSet"), text)?,
            'h' => list(ListKind::From("std::collections::HashSet"), text)?,
            'M' => map("std::collections::BTreeMap", text)?,
            'H' => map("std::collections::HashMap", text)?,
            'O' => ValueType::Option(inner(text)?),
            'B' => ValueType::Box(inner(text)?),
            'A' => ValueType::Array(word(text)?.parse().ok()?, inner(text)?),
            'R' => ValueType::Reference(inner(text)?),
            'P' => ValueType::Text(TextForm::of_type(word(text)?)),
            'T' => {
                let count: usize = word(text)?.parse().ok()?;
                let parts: Option<Vec<ValueType>> = (0..count).map(|_| Self::read(text)).collect();
                ValueType::Tuple(parts?)
            }
            _ => return None,
        })
    }
}

/// The module of collections of the standard library.
const COLLECTIONS: &str = "std::collections::";

impl ValueType {
    /// The same with the short names of collections that are `imported` where it is written.
    pub(super) fn named_shortly(&mut self, imported: &BTreeSet<String>) {
        let short = |path: &mut &'static str| match path.strip_prefix(COLLECTIONS) {
            Some(name) if imported.contains(name) => *path = name,
            _ => {}
        };
        match self {
            ValueType::List(kind, inner) => {
                if let ListKind::From(path) = kind {
                    short(path);
                }
                inner.named_shortly(imported);
            }
            ValueType::Map(path, parts) => {
                short(path);
                parts.0.named_shortly(imported);
                parts.1.named_shortly(imported);
            }
            ValueType::Option(inner)
            | ValueType::Box(inner)
            | ValueType::Array(_, inner)
            | ValueType::Reference(inner) => inner.named_shortly(imported),
            ValueType::Tuple(parts) => {
                for part in parts {
                    part.named_shortly(imported);
                }
            }
            _ => {}
        }
    }
}

impl Crate {
    /// The names that a file imports from the collections of the standard library.
    pub(super) fn imported_collections(&self, file: FileIndex) -> BTreeSet<String> {
        let uses = self.items_of(ItemKind::Use).filter(|item| item.file == file);
        let names = uses.map(|item| self.names_in(item));
        names.filter(|names| names.contains("collections")).flatten().collect()
    }
}

/// What stands before the next dot.
fn word<'t>(text: &mut &'t str) -> Option<&'t str> {
    let (word, rest) = text.split_once('.')?;
    *text = rest;
    Some(word)
}

/// A value that the runtime has shown, not a part of the forest yet.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) shape: ValueType,
    pub(super) tree: Tree,
}

#[derive(Debug, Clone)]
pub(super) enum Tree {
    Leaf(Value),
    List(Vec<Tree>),
    Parts(Vec<Tree>),
}

impl Shown {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = ByteReader(bytes);
        let shape = reader.bytes()?;
        let mut shape = str::from_utf8(shape).ok()?;
        let shape = ValueType::read(&mut shape)?;
        Some(Shown { shape, tree: reader.tree(0)? })
    }

    /// Notes by which expression it was made; whether that is a macro call in the notation of the value.
    pub(super) fn made_by(&mut self, expression: &str) -> bool {
        let (ValueType::Text(form), Tree::Leaf(Value::Text(text))) = (&mut self.shape, &self.tree)
        else {
            return false;
        };
        *form = form.clone().made_by(expression, text);
        form.is_notation()
    }

    /// Whether it is more than a number, which hardly is an input alone.
    pub(super) fn is_reducible(&self) -> bool {
        fn is_some(tree: &Tree) -> bool {
            match tree {
                Tree::Leaf(value) => value.size() > 0,
                Tree::List(parts) => !parts.is_empty(),
                Tree::Parts(parts) => parts.iter().any(is_some),
            }
        }
        is_some(&self.tree)
    }
}

/// The deepest value that is read.
const DEEPEST: usize = 60;

/// Bytes of the runtime that were not read yet.
pub struct ByteReader<'b>(pub &'b [u8]);

impl<'b> ByteReader<'b> {
    /// The next ones, so many.
    pub fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next one.
    pub fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    /// A number of four bytes.
    pub fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Bytes that stand behind their number.
    pub fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.number()? as usize;
        self.take(length)
    }

    fn wide(&mut self) -> Option<u128> {
        Some(u128::from_le_bytes(self.take(16)?.try_into().ok()?))
    }

    fn trees(&mut self, depth: usize) -> Option<Vec<Tree>> {
        let count = self.number()?;
        (0..count).map(|_| self.tree(depth + 1)).collect()
    }

    fn tree(&mut self, depth: usize) -> Option<Tree> {
        if depth > DEEPEST {
            return None;
        }
        Some(Tree::Leaf(match self.byte()? {
            0 => Value::Text(String::from_utf8(self.bytes()?.to_vec()).ok()?),
            1 => Value::Bytes(self.bytes()?.to_vec()),
            2 => Value::Char(char::from_u32(self.number()?)?),
            3 => Value::Int(Int { negative: self.byte()? == 1, magnitude: self.wide()? }),
            4 => Value::Float(Float(f64::from_bits(u64::try_from(self.wide()?).ok()?))),
            5 => Value::Bool(self.byte()? == 1),
            6 => return Some(Tree::List(self.trees(depth)?)),
            7 => return Some(Tree::Parts(self.trees(depth)?)),
            _ => return None,
        }))
    }
}
