//! How strongly the parts of an expression hold together: which operators beside it could tear it apart.

use syn::{BinOp, Expr};

/// How strongly the parts of an expression hold together; what holds together less than its place wants needs
/// parentheses there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// A block and the like, which may be taken for a statement, or a struct for a block.
    Block,
    /// What takes all that follows, and assignments.
    Assign,
    Range,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    /// A field, which cannot be called as a function.
    Field,
    Atom,
}

impl Strength {
    /// The next one, for operands that do not take their own operator without parentheses.
    pub(crate) fn stronger(self) -> Self {
        use Strength::{
            And, Assign, BitAnd, BitOr, BitXor, Cast, Compare, Or, Product, Range, Shift, Sum,
        };
        let steps = [Or, And, Compare, BitOr, BitXor, BitAnd, Shift, Sum, Product, Cast];
        let step = steps.windows(2).find(|pair| pair[0] == self).map(|pair| pair[1]);
        step.unwrap_or(if self == Assign { Range } else { self })
    }

    /// How strongly an operator holds its operands together.
    pub(crate) fn of_operator(operator: BinOp) -> Strength {
        match operator {
            BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => Strength::Product,
            BinOp::Add(_) | BinOp::Sub(_) => Strength::Sum,
            BinOp::Shl(_) | BinOp::Shr(_) => Strength::Shift,
            BinOp::BitAnd(_) => Strength::BitAnd,
            BinOp::BitXor(_) => Strength::BitXor,
            BinOp::BitOr(_) => Strength::BitOr,
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => Strength::Compare,
            BinOp::And(_) => Strength::And,
            BinOp::Or(_) => Strength::Or,
            _ => Strength::Assign,
        }
    }
}

/// How strongly an expression holds together.
pub(crate) fn strength(expr: &Expr) -> Strength {
    match expr {
        Expr::Assign(_)
        | Expr::Break(_)
        | Expr::Closure(_)
        | Expr::Let(_)
        | Expr::Return(_)
        | Expr::Yield(_) => Strength::Assign,
        Expr::Range(_) => Strength::Range,
        Expr::Binary(binary) => Strength::of_operator(binary.op),
        Expr::Cast(_) => Strength::Cast,
        Expr::RawAddr(_) | Expr::Reference(_) | Expr::Unary(_) => Strength::Prefix,
        Expr::Field(_) => Strength::Field,
        Expr::Array(_)
        | Expr::Await(_)
        | Expr::Call(_)
        | Expr::Index(_)
        | Expr::Lit(_)
        | Expr::Macro(_)
        | Expr::MethodCall(_)
        | Expr::Paren(_)
        | Expr::Path(_)
        | Expr::Repeat(_)
        | Expr::Try(_)
        | Expr::Tuple(_) => Strength::Atom,
        _ => Strength::Block,
    }
}
