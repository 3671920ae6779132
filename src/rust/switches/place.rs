//! What can be switched, and where it stands.

use std::ops::Range;

/// The places of one text, outer ones before those in them.
#[derive(Debug, Clone, Default)]
pub struct SwitchPlaces {
    /// The places. Their index is the number of their switch.
    pub places: Vec<SwitchPlace>,
    /// The `match` expressions whose arms are among the places.
    pub matches: Vec<Arms>,
}

/// A place with a switch or a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchPlace {
    /// What stands there.
    pub kind: SwitchKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// The number of tokens that go with it.
    pub tokens: usize,
}

impl SwitchPlace {
    /// All that may not run because of its switch.
    pub fn affected(&self) -> &Range<usize> {
        match &self.kind {
            SwitchKind::If(branches) => &branches.whole,
            SwitchKind::Operand(operand) => &operand.whole,
            _ => &self.range,
        }
    }
}

/// What stands at a place, and what its switch does. State 0 is always the original; the others are
/// those of [`SwitchKind::states`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SwitchKind {
    /// A statement, or a last expression of type `()`: 1 leaves it out.
    Statement,
    /// What stands between the braces of a block: only counted, to learn whether it ever runs.
    Block,
    /// What a closure without braces evaluates: only counted.
    Closure,
    /// What stands between the braces of a function: 1 does nothing, where that is allowed.
    Function(Emptied),
    /// The condition of an `if`: 1 is `false`, 2 is `true`.
    If(Branches),
    /// The condition of a `while`: 1 is `false`.
    While,
    /// An operand of `&&` or `||`: 1 is `false`, 2 is `true`.
    Operand(Operand),
    /// An arm of a `match`, its comma included: 1 lets it match nothing.
    Arm {
        /// The `match` it belongs to, by its place in [`SwitchPlaces::matches`].
        owner: usize,
        /// The end of its pattern, or its guard.
        guard: Guard,
        /// What it evaluates to.
        body: Range<usize>,
    },
    /// What an arm of type `()` does: 1 does nothing.
    ArmBody,
    /// The value of a `let`: 1 is the default value of its type.
    Initial,
    /// A call or an operation: 1 is the value that it always had.
    Value,
    /// The name of a parameter, or of a variable that the head of a block binds: only told what it is when the
    /// block, the inside of which begins here, is entered.
    Variable(usize),
}

/// What an emptied function does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emptied {
    /// Nothing: it returns `()`.
    Unit,
    /// It returns the default value.
    Default,
    /// It is not emptied, only counted.
    Never,
    /// The same, and no stand-in has its type either (`impl Trait`).
    Opaque,
}

/// The parts of an `if`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branches {
    /// All of it.
    pub whole: Range<usize>,
    /// The block that is run if the condition holds, with its braces.
    pub then: Range<usize>,
    /// What is run if it does not.
    pub otherwise: Option<Range<usize>>,
    /// The first byte of the `else` before it, if it is an `else if`.
    pub before: Option<usize>,
}

/// An operand of a logical operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// Whether the operator is `&&`.
    pub is_and: bool,
    /// Both operands and the operator.
    pub whole: Range<usize>,
    /// The other operand.
    pub other: Range<usize>,
}

/// Where an arm's switch goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// The arm has no guard; its pattern ends here.
    None(usize),
    /// The condition of its guard.
    Some(Range<usize>),
}

/// A `match`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arms {
    /// The byte of its closing brace.
    pub close: usize,
    /// Whether its last arm has no comma and needs one before another arm.
    pub lacks_comma: bool,
    /// For each arm whether it matches whatever comes.
    pub catches_all: Vec<bool>,
    /// The places of its arms.
    pub places: Vec<usize>,
}

impl SwitchKind {
    /// The number of states its switch can have besides 0.
    pub fn states(&self) -> u8 {
        match self {
            SwitchKind::Block
            | SwitchKind::Closure
            | SwitchKind::Function(Emptied::Never | Emptied::Opaque)
            | SwitchKind::Variable(_) => 0,
            SwitchKind::If(_) | SwitchKind::Operand(_) => 2,
            SwitchKind::Statement
            | SwitchKind::Function(_)
            | SwitchKind::While
            | SwitchKind::Arm { .. }
            | SwitchKind::ArmBody
            | SwitchKind::Initial
            | SwitchKind::Value => 1,
        }
    }
}
