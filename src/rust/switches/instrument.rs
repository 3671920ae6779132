//! The text with a switch at each place.

use std::ops::Range;

use super::place::{Emptied, Guard, SwitchKind, SwitchPlace, SwitchPlaces};
use crate::source::Edits;

/// The library that the switches ask, as the rewritten code names it: in the 2015 edition an item of
/// the crate's root, in later ones a crate.
const RUNTIME: &str = "::cargo_reduce_rt";

/// How a place is instrumented. What the compiler rejects goes down by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// No sandbox.
    Plain,
    /// It is only counted.
    Count,
    /// What it yields is told: for values.
    Tell,
    /// It can be switched.
    Switch,
}

/// A text with switches.
#[derive(Debug, Clone, Default)]
pub struct Instrumented {
    /// The new text, with as many lines as the plain one.
    pub text: String,
    /// What was put in.
    pub edits: Edits,
    /// What was put in, by its bytes in the new text, in order.
    pub(crate) pieces: Vec<Inserted>,
}

/// Something that was put in.
#[derive(Debug, Clone)]
pub(crate) struct Inserted {
    pub(crate) range: Range<usize>,
    /// The places it belongs to.
    pub(crate) places: Vec<usize>,
}

/// Puts switches into `text`, each place in its mode, and `more` texts at bytes of their own. Place `i`
/// asks for switch `first + i`.
pub fn instrument(
    text: &str,
    places: &SwitchPlaces,
    modes: &[Mode],
    first: usize,
    more: &[(usize, String)],
) -> Instrumented {
    let mut pieces = Vec::new();
    for (index, place) in places.places.iter().enumerate() {
        let switch = Switch { index, id: first + index, place };
        match modes[index] {
            Mode::Switch => switch.put(&mut pieces),
            Mode::Tell => switch.tell(text, &mut pieces),
            Mode::Count => switch.put_counter(&mut pieces),
            Mode::Plain => {}
        }
    }
    put_last_arms(places, modes, &mut pieces);
    pieces.extend(more.iter().map(|(offset, text)| Piece {
        offset: *offset,
        order: Order::Last,
        text: text.clone(),
        places: Vec::new(),
    }));
    // What closes at a byte stands before what opens there; nested pieces pair up.
    pieces.sort_by_key(|piece| (piece.offset, piece.order));
    assemble(text, pieces)
}

fn assemble(text: &str, pieces: Vec<Piece>) -> Instrumented {
    let mut edits = Edits::default();
    let mut inserted = Vec::with_capacity(pieces.len());
    let mut grown = 0;
    for piece in pieces {
        let start = piece.offset + grown;
        grown += piece.text.len();
        inserted.push(Inserted { range: start..start + piece.text.len(), places: piece.places });
        edits.insert(piece.offset, piece.text);
    }
    Instrumented { text: edits.apply(text), edits, pieces: inserted }
}

struct Piece {
    offset: usize,
    order: Order,
    text: String,
    places: Vec<usize>,
}

/// Where a piece stands among those at the same byte.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// The end of a place; inner places (with larger numbers) end first.
    Close(std::cmp::Reverse<usize>),
    /// The beginning of a place; outer places begin first.
    Open(usize),
    /// What stands behind all others: the last arm of a `match`, a function behind another one.
    Last,
}

/// A place that gets its switch.
struct Switch<'p> {
    index: usize,
    id: usize,
    place: &'p SwitchPlace,
}

impl Switch<'_> {
    fn put(&self, pieces: &mut Vec<Piece>) {
        let (id, range) = (self.id, &self.place.range);
        let on = format!("{RUNTIME}::on({id})");
        match &self.place.kind {
            SwitchKind::Statement | SwitchKind::ArmBody => {
                self.wrap(pieces, range, format!("if {on} {{ "), " }");
            }
            SwitchKind::Function(Emptied::Unit) => {
                self.wrap(pieces, range, format!(" if {RUNTIME}::enter({id}) {{ "), " }");
            }
            SwitchKind::Function(Emptied::Default) => {
                let close = format!(" }} else {{ {RUNTIME}::Default::default() }}");
                self.wrap(pieces, range, format!(" if {RUNTIME}::enter({id}) {{ "), &close);
            }
            SwitchKind::Initial => {
                let close = format!(" }} else {{ {RUNTIME}::Default::default() }}");
                self.wrap(pieces, range, format!("if {on} {{ "), &close);
            }
            SwitchKind::Value => {
                let close = format!(") }} else {{ {RUNTIME}::literal({id}) }})");
                let open = format!("(if {on} {{ {RUNTIME}::value({id}, ");
                self.wrap(pieces, range, open, &close);
            }
            SwitchKind::While => self.wrap(pieces, range, format!("({on} && ("), "))"),
            SwitchKind::If(_) | SwitchKind::Operand(_) => {
                let close = format!(") || {RUNTIME}::forced({id}))");
                self.wrap(pieces, range, format!("({on} && ("), &close);
            }
            SwitchKind::Arm { guard, .. } => match guard {
                Guard::None(end) => self.open(pieces, *end, format!(" if {on}")),
                Guard::Some(guard) => self.wrap(pieces, guard, format!("{on} && ("), ")"),
            },
            SwitchKind::Block
            | SwitchKind::Closure
            | SwitchKind::Function(Emptied::Never | Emptied::Opaque) => self.put_counter(pieces),
            SwitchKind::Variable(_) => {}
        }
    }

    /// Counts how often an expression is evaluated.
    fn wrap_counted(&self, pieces: &mut Vec<Piece>, counted: &Range<usize>) {
        self.wrap(pieces, counted, format!("{{ {RUNTIME}::hit({}); ", self.id), " }");
    }

    fn put_counter(&self, pieces: &mut Vec<Piece>) {
        let id = self.id;
        let start = self.place.range.start;
        match &self.place.kind {
            SwitchKind::Statement => self.open(pieces, start, format!("{RUNTIME}::hit({id}); ")),
            SwitchKind::Block => self.open(pieces, start, format!(" {RUNTIME}::hit({id}); ")),
            SwitchKind::Function(_) => {
                self.open(pieces, start, format!(" {RUNTIME}::enter({id}); "));
            }
            SwitchKind::Arm { body, .. } => self.wrap_counted(pieces, body),
            SwitchKind::Closure => self.wrap_counted(pieces, &self.place.range),
            SwitchKind::If(_)
            | SwitchKind::While
            | SwitchKind::Operand(_)
            | SwitchKind::ArmBody => {}
            SwitchKind::Initial | SwitchKind::Value | SwitchKind::Variable(_) => {}
        }
    }

    fn tell(&self, text: &str, pieces: &mut Vec<Piece>) {
        let range = &self.place.range;
        let open = format!("{RUNTIME}::observe({}, ", self.id);
        let close = format!(
            ", |value| {{ use {RUNTIME}::{{ByDebug as _, ByNothing as _}}; \
             (&&{RUNTIME}::Shown(value)).text() }})"
        );
        if let SwitchKind::Variable(body) = self.place.kind {
            let name = &text[range.clone()];
            return self.open(pieces, body, format!(" {open}&{name}{close};"));
        }
        self.wrap(pieces, range, open, &close);
    }

    fn open(&self, pieces: &mut Vec<Piece>, offset: usize, text: String) {
        pieces.push(Piece {
            offset,
            order: Order::Open(self.index),
            text,
            places: vec![self.index],
        });
    }

    fn wrap(&self, pieces: &mut Vec<Piece>, range: &Range<usize>, open: String, close: &str) {
        self.open(pieces, range.start, open);
        pieces.push(Piece {
            offset: range.end,
            order: Order::Close(std::cmp::Reverse(self.index)),
            text: close.to_owned(),
            places: vec![self.index],
        });
    }
}

/// Where an arm can be switched off, another one behind the last takes what is left over.
fn put_last_arms(places: &SwitchPlaces, modes: &[Mode], pieces: &mut Vec<Piece>) {
    for arms in &places.matches {
        let switched = |place: &usize| modes[*place] == Mode::Switch;
        let owners: Vec<usize> = arms.places.iter().copied().filter(switched).collect();
        if owners.is_empty() {
            continue;
        }
        let comma = if arms.lacks_comma { "," } else { "" };
        pieces.push(Piece {
            offset: arms.close,
            order: Order::Last,
            text: format!("{comma} _ => {RUNTIME}::gone(), "),
            places: owners,
        });
    }
}
