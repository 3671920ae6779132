//! A value that was shown at the boundary, as the expression that a person would write.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::inputs::ListKind;
use super::literal::write_repeated;
use super::{ValueKind, ValueType, write_literal};
use crate::reduce::inputs::{Body, Node, NodeId, Value};

/// Writes values; a leaf may stand as a variable.
pub(super) struct Written<'w> {
    /// The leaves that do, and the name.
    pub variable: Option<&'w (BTreeSet<NodeId>, &'w str)>,
}

impl Written<'_> {
    /// The value of `node`, of the type `shape`.
    pub(super) fn value(&self, node: &Node, shape: &ValueType) -> String {
        match shape {
            ValueType::Str => self.literal(node),
            ValueType::String => {
                self.repeated(node).unwrap_or_else(|| match self.literal(node).as_str() {
                    "\"\"" => "String::new()".to_owned(),
                    literal => format!("{literal}.to_string()"),
                })
            }
            ValueType::CowStr => format!("{}.into()", self.literal(node)),
            ValueType::Char | ValueType::Bool => self.literal(node),
            ValueType::Number(ty) => number(&self.literal(node), ty),
            ValueType::List(kind, inner) => self.list(node, *kind, inner),
            ValueType::Map(path, parts) => {
                let (key, value) = &**parts;
                let pair = |entry: &Arc<Node>| match entry.children() {
                    [a, b] => format!("({}, {})", self.value(a, key), self.value(b, value)),
                    _ => String::new(),
                };
                match node.children() {
                    [] => format!("{path}::new()"),
                    entries => {
                        let entries: Vec<String> = entries.iter().map(pair).collect();
                        format!("{path}::from([{}])", entries.join(", "))
                    }
                }
            }
            ValueType::Option(inner) => match node.children() {
                [value, ..] => format!("Some({})", self.value(value, inner)),
                [] => "None".to_owned(),
            },
            ValueType::Box(inner) => format!("Box::new({})", self.value(node, inner)),
            ValueType::Array(_, inner) => format!("[{}]", self.elements(node, inner)),
            ValueType::Reference(inner) => match &**inner {
                // A reference to a text is hardly wanted for the `String`.
                ValueType::String => self.literal(node),
                ValueType::List(ListKind::Vec, inner) => match &node.body {
                    Body::Leaf(Value::Bytes(_)) => self.literal(node),
                    _ => format!("&[{}]", self.elements(node, inner)),
                },
                inner => format!("&{}", self.value(node, inner)),
            },
            ValueType::Text(form) => form.write(node.text(), &self.literal(node)),
            ValueType::Tuple(shapes) => {
                let parts = node.children().iter().zip(shapes);
                let parts: Vec<String> =
                    parts.map(|(part, shape)| self.value(part, shape)).collect();
                match parts.as_slice() {
                    [one] => format!("({one},)"),
                    parts => format!("({})", parts.join(", ")),
                }
            }
        }
    }

    fn list(&self, node: &Node, kind: ListKind, inner: &ValueType) -> String {
        if let Body::Leaf(Value::Bytes(bytes)) = &node.body {
            let literal = self.literal(node);
            return match kind {
                ListKind::Vec if bytes.is_empty() => "Vec::<u8>::new()".to_owned(),
                ListKind::Vec => format!("{literal}.to_vec()"),
                ListKind::Slice => format!("&{literal}[..]"),
                ListKind::From(path) => format!("{path}::from(*{literal})"),
            };
        }
        let elements = self.elements(node, inner);
        match kind {
            ListKind::Vec | ListKind::From(_) if elements.is_empty() => {
                let path = match kind {
                    ListKind::From(path) => path,
                    _ => "Vec",
                };
                let ty = type_name(inner).map_or_else(String::new, |name| format!("::<{name}>"));
                format!("{path}{ty}::new()")
            }
            ListKind::Vec => format!("vec![{elements}]"),
            ListKind::Slice => format!("&[{elements}]"),
            ListKind::From(path) => format!("{path}::from([{elements}])"),
        }
    }

    /// The elements; the first tells the type of all.
    fn elements(&self, node: &Node, shape: &ValueType) -> String {
        let mut elements = Vec::new();
        for element in node.children() {
            let written = match shape {
                ValueType::Number(_) if !elements.is_empty() => self.literal(element),
                _ => self.value(element, shape),
            };
            elements.push(written);
        }
        elements.join(", ")
    }

    /// A text with a long run of one character; `None` for other values.
    pub(super) fn repeated(&self, node: &Node) -> Option<String> {
        let is_variable = self.variable.is_some_and(|(leaves, _)| leaves.contains(&node.id));
        match &node.body {
            Body::Leaf(Value::Text(text)) if !is_variable => write_repeated(text),
            _ => None,
        }
    }

    fn literal(&self, node: &Node) -> String {
        if let Some((leaves, name)) = self.variable
            && leaves.contains(&node.id)
        {
            return (*name).to_owned();
        }
        let Body::Leaf(value) = &node.body else { return String::new() };
        let kind = ValueKind::of(value);
        // A text of several lines is written on several lines.
        let like = if matches!(kind, ValueKind::Str | ValueKind::Bytes) { "\n" } else { "" };
        write_literal(like, kind, value)
    }
}

/// A number with its type, unless that is what it has anyway.
fn number(literal: &str, ty: &str) -> String {
    match ty {
        "i32" | "f64" => literal.to_owned(),
        ty => format!("{literal}{ty}"),
    }
}

/// The name of a type that is short to write.
fn type_name(shape: &ValueType) -> Option<String> {
    Some(match shape {
        ValueType::Str => "&str".to_owned(),
        ValueType::String => "String".to_owned(),
        ValueType::Char => "char".to_owned(),
        ValueType::Bool => "bool".to_owned(),
        ValueType::Number(ty) => ty.clone(),
        ValueType::List(ListKind::Vec, inner) => format!("Vec<{}>", type_name(inner)?),
        ValueType::List(ListKind::Slice, inner) => format!("&[{}]", type_name(inner)?),
        ValueType::List(ListKind::From(path), inner) => format!("{path}<{}>", type_name(inner)?),
        ValueType::Option(inner) => format!("Option<{}>", type_name(inner)?),
        ValueType::Array(length, inner) => format!("[{}; {length}]", type_name(inner)?),
        ValueType::Reference(inner) => format!("&{}", type_name(inner)?),
        ValueType::Tuple(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(type_name).collect();
            format!("({})", parts?.join(", "))
        }
        ValueType::CowStr | ValueType::Map(..) | ValueType::Box(_) | ValueType::Text(_) => {
            return None;
        }
    })
}
