//! Grammars under construction: rules that may still be empty or lead nowhere.

use std::collections::HashSet;

use crate::grammar::{Alternative, Form, Grammar, GrammarBuilder, Nonterminal, Symbol, reachable};

/// Rules by number, some of which may have no expansion.
#[derive(Debug, Clone)]
pub(super) struct RawGrammar {
    names: Vec<String>,
    taken: HashSet<String>,
    rules: Vec<(Vec<Alternative>, Form)>,
}

impl RawGrammar {
    /// The rules of `grammar` under their numbers, to which others can be added.
    pub(super) fn of(grammar: &Grammar) -> Self {
        let names: Vec<String> = grammar.rules().iter().map(|rule| rule.name.clone()).collect();
        let rules =
            grammar.rules().iter().map(|rule| (rule.alternatives.clone(), rule.form)).collect();
        RawGrammar { taken: names.iter().cloned().collect(), names, rules }
    }

    /// Adds a rule under `name`, or `name` with a number if that is taken.
    pub(super) fn add(&mut self, name: &str, alternatives: Vec<Alternative>) -> Nonterminal {
        self.add_as(name, alternatives, Form::Named)
    }

    /// As [`RawGrammar::add`], with a form.
    pub(super) fn add_as(
        &mut self,
        name: &str,
        alternatives: Vec<Alternative>,
        form: Form,
    ) -> Nonterminal {
        let numbered = (2..).map(|number| format!("{name}.{number}"));
        let mut choices = std::iter::once(name.to_owned()).chain(numbered);
        let name = choices.find(|name| self.taken.insert(name.clone())).unwrap_or_default();
        self.names.push(name);
        self.rules.push((alternatives, form));
        Nonterminal(u32::try_from(self.rules.len() - 1).unwrap_or(u32::MAX))
    }

    /// Sets the alternatives of a rule that was added.
    pub(super) fn define(&mut self, symbol: Nonterminal, alternatives: Vec<Alternative>) {
        self.rules[symbol.index()].0 = alternatives;
    }

    /// As [`RawGrammar::define`], with a form.
    pub(super) fn define_as(
        &mut self,
        symbol: Nonterminal,
        alternatives: Vec<Alternative>,
        form: Form,
    ) {
        self.rules[symbol.index()] = (alternatives, form);
    }

    /// The number of rules.
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Takes back what was added after the first `len` rules.
    pub(super) fn truncate(&mut self, len: usize) {
        for name in self.names.drain(len..) {
            self.taken.remove(&name);
        }
        self.rules.truncate(len);
    }

    /// The grammar of all rules under their numbers, that starts at `start`; `None` if a rule leads
    /// nowhere.
    pub(super) fn numbered(&self, start: Nonterminal) -> Option<Grammar> {
        let mut builder = GrammarBuilder::new();
        let symbols: Vec<Nonterminal> =
            self.names.iter().map(|name| builder.nonterminal(name)).collect();
        for (symbol, (alternatives, form)) in symbols.into_iter().zip(&self.rules) {
            builder.define_as(symbol, alternatives.clone(), *form).ok()?;
        }
        builder.finish(start).ok()
    }

    /// The grammar that starts at `start`: without alternatives that lead nowhere, and without rules
    /// that are not reached. `None` if nothing is left.
    pub(super) fn clean(mut self, start: Nonterminal) -> Option<Grammar> {
        let productive = self.productive();
        if !productive[start.index()] {
            return None;
        }
        for (alternatives, _) in &mut self.rules {
            alternatives.retain(|symbols| symbols.iter().all(|symbol| is_in(symbol, &productive)));
        }
        let reached = reachable(start, self.rules.len(), |rule| &self.rules[rule.index()].0);
        let mut builder = GrammarBuilder::new();
        // The start symbol comes first, the others keep their order.
        let mut renumbered = vec![Nonterminal(0); self.rules.len()];
        let others =
            (0..self.rules.len()).filter(|&index| reached[index] && index != start.index());
        let order: Vec<usize> = std::iter::once(start.index()).chain(others).collect();
        for &index in &order {
            renumbered[index] = builder.nonterminal(&self.names[index]);
        }
        for index in order {
            let (alternatives, form) = self.rules[index].clone();
            // A list that lost an alternative is none any more.
            let is_whole = !matches!(form, Form::Star | Form::Plus) || alternatives.len() == 2;
            let form = if is_whole { form } else { Form::Named };
            let alternatives = renumber(alternatives, &renumbered);
            builder.define_as(renumbered[index], alternatives, form).ok()?;
        }
        builder.finish(renumbered[start.index()]).ok()
    }

    /// Which rules derive a finite text.
    fn productive(&self) -> Vec<bool> {
        let mut productive = vec![false; self.rules.len()];
        loop {
            let mut changed = false;
            for (index, (alternatives, _)) in self.rules.iter().enumerate() {
                let derives = |symbols: &Alternative| symbols.iter().all(|s| is_in(s, &productive));
                if !productive[index] && alternatives.iter().any(derives) {
                    (productive[index], changed) = (true, true);
                }
            }
            if !changed {
                return productive;
            }
        }
    }
}

fn renumber(mut alternatives: Vec<Alternative>, numbers: &[Nonterminal]) -> Vec<Alternative> {
    for symbol in alternatives.iter_mut().flatten() {
        if let Symbol::Nonterminal(symbol) = symbol {
            *symbol = numbers[symbol.index()];
        }
    }
    alternatives
}

fn is_in(symbol: &Symbol, productive: &[bool]) -> bool {
    match symbol {
        Symbol::Nonterminal(symbol) => productive[symbol.index()],
        Symbol::Text(_) => true,
        Symbol::Class(class) => !class.is_empty(),
    }
}
