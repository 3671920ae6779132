//! Making a grammar rule by rule, and what can be wrong with one.

use std::collections::HashMap;

use super::cost::{Smallest, smallest};
use super::error::GrammarError;
use super::model::{Alternative, Form, Grammar, Rule, Symbol};
use crate::reduce::tree::Nonterminal;

/// Collects rules, then checks them.
#[derive(Debug, Default)]
pub struct GrammarBuilder {
    names: Vec<String>,
    by_name: HashMap<String, Nonterminal>,
    rules: HashMap<Nonterminal, (Vec<Alternative>, Form)>,
    /// Rule made for a part of another one, by what it stands for; so equal parts share one.
    helpers: HashMap<(Form, Vec<Alternative>), Nonterminal>,
}

impl GrammarBuilder {
    /// Without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// The nonterminal called `name` (without angle brackets), which may be defined later.
    pub fn nonterminal(&mut self, name: &str) -> Nonterminal {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let next = Nonterminal(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), next);
        next
    }

    /// Defines `nonterminal`.
    ///
    /// # Errors
    /// When it has a rule already.
    pub fn define(
        &mut self,
        nonterminal: Nonterminal,
        alternatives: Vec<Alternative>,
    ) -> Result<(), GrammarError> {
        self.define_as(nonterminal, alternatives, Form::Named)
    }

    /// Defines `nonterminal` with a form; a list must have the alternatives that [`Form`] says.
    ///
    /// # Errors
    /// When it has a rule already.
    pub fn define_as(
        &mut self,
        nonterminal: Nonterminal,
        alternatives: Vec<Alternative>,
        form: Form,
    ) -> Result<(), GrammarError> {
        if self.rules.insert(nonterminal, (alternatives, form)).is_some() {
            let rule = self.names[nonterminal.index()].clone();
            return Err(GrammarError::Duplicate { rule });
        }
        Ok(())
    }

    /// The nonterminal that stands for a part of rule `inside`: a group of alternatives, made
    /// optional or repeated. Equal parts share one.
    pub fn helper(&mut self, inside: &str, form: Form, body: Vec<Alternative>) -> Nonterminal {
        let key = (form, body);
        if let Some(&known) = self.helpers.get(&key) {
            return known;
        }
        let body = key.1.clone();
        let name = self.helper_name(inside, form, &body);
        let helper = self.nonterminal(&name);
        self.helpers.insert(key, helper);
        let alternatives = match form {
            Form::Named | Form::Group => body,
            Form::Optional => std::iter::once(Vec::new()).chain(body).collect(),
            Form::Star => {
                let item = self.single(inside, body);
                vec![Vec::new(), vec![Symbol::Nonterminal(helper), item]]
            }
            Form::Plus => {
                let item = self.single(inside, body);
                vec![vec![item.clone()], vec![Symbol::Nonterminal(helper), item]]
            }
        };
        self.rules.insert(helper, (alternatives, form));
        helper
    }

    /// One symbol for all of `body`, so that each element of a list is one node.
    fn single(&mut self, inside: &str, mut body: Vec<Alternative>) -> Symbol {
        if body.len() == 1 && body[0].len() == 1 {
            return body.remove(0).remove(0);
        }
        Symbol::Nonterminal(self.helper(inside, Form::Group, body))
    }

    /// `<digit*>` for a list of nonterminals, `<number-1*>` for other parts.
    fn helper_name(&self, inside: &str, form: Form, body: &[Alternative]) -> String {
        let suffix = match form {
            Form::Named | Form::Group => "",
            Form::Optional => "?",
            Form::Star => "*",
            Form::Plus => "+",
        };
        if let ([alternative], false) = (body, suffix.is_empty())
            && let [Symbol::Nonterminal(only)] = alternative.as_slice()
        {
            let name = format!("{}{suffix}", self.names[only.index()]);
            if !self.by_name.contains_key(&name) {
                return name;
            }
        }
        let numbered = (1..).map(|number| format!("{inside}-{number}{suffix}"));
        let mut free = numbered.filter(|name| !self.by_name.contains_key(name));
        free.next().unwrap_or_default()
    }

    /// Checks the rules and hands out the grammar that starts at `start`.
    ///
    /// # Errors
    /// When a nonterminal is not defined or derives no finite text.
    pub fn finish(mut self, start: Nonterminal) -> Result<Grammar, GrammarError> {
        if self.rules.is_empty() {
            return Err(GrammarError::Empty);
        }
        if !self.rules.contains_key(&start) {
            return Err(GrammarError::NoStart { name: self.names[start.index()].clone() });
        }
        self.check_defined()?;
        let start_name = self.names[start.index()].clone();
        let mut rules = Vec::with_capacity(self.names.len());
        for (name, index) in self.names.into_iter().zip(0..) {
            let Some((alternatives, form)) = self.rules.remove(&Nonterminal(index)) else {
                return Err(GrammarError::Undefined { rule: start_name, name });
            };
            rules.push(Rule { name, alternatives, form });
        }
        let Smallest { trees: smallest, simplest_first } = smallest(&rules)?;
        Ok(Grammar { rules, by_name: self.by_name, start, smallest, simplest_first })
    }

    fn check_defined(&self) -> Result<(), GrammarError> {
        let mut defined: Vec<_> = self.rules.iter().collect();
        defined.sort_by_key(|(nonterminal, _)| **nonterminal);
        for (nonterminal, (alternatives, _)) in defined {
            for symbol in alternatives.iter().flatten() {
                if let Symbol::Nonterminal(used) = symbol
                    && !self.rules.contains_key(used)
                {
                    let rule = self.names[nonterminal.index()].clone();
                    return Err(GrammarError::Undefined {
                        rule,
                        name: self.names[used.index()].clone(),
                    });
                }
            }
        }
        Ok(())
    }
}
