//! The search for the patterns of texts, with the oracle that reduced them.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::grammars::{NamedGrammar, texts_of};
use super::text_pattern::TextPattern;
use crate::app::config::PatternConfig;
use crate::app::failure::Result;
use crate::generalize::{Ask, Fuzzed, Options, Pattern, causes, ddset, fuzz, narrow};
use crate::grammar::{Grammar, Parser, Tree};
use crate::jobs::inputs::reduced_inputs::ReducedInputs;
use crate::jobs::inputs::search::InputSearch;
use crate::reduce::inputs::{Inputs, NodeId};
use crate::reduce::{Oracle, Outcome, Problem, Stop};

/// The time that the patterns of all texts may take, unless the user says otherwise.
const TIME: Duration = Duration::from_mins(1);
/// A longer text, in bytes, has a pattern that nobody reads.
const LONGEST: usize = 10_000;
/// The time to measure a pattern whose search took all of it.
const EXTRA_TIME: Duration = Duration::from_secs(15);
/// The share of instances that must fail.
const ENOUGH: f64 = 0.99;
/// Fewer tries say too little about a pattern.
const FEWEST_TRIES: usize = 10;
/// How often the text itself is run to see how long a run takes.
const SAMPLE_RUNS: u32 = 5;
/// What a run is taken to cost, and up to which measured time. Few classes far apart, so that the same
/// seed gives the same pattern on a busy machine: a call in a process that is there, a process, a slow test,
/// a build.
const RUN_CLASSES: [(Duration, Duration); 4] = [
    (Duration::from_millis(1), Duration::from_micros(50)),
    (Duration::from_millis(40), Duration::from_millis(4)),
    (Duration::from_millis(400), Duration::from_millis(100)),
    (Duration::MAX, Duration::from_secs(1)),
];
/// So many times as many runs as tries are set aside for what is not left open for each node.
const NARROWING_TRIES: u128 = 50;

/// Adds the patterns of the texts of `found` to it.
///
/// # Errors
/// When candidates cannot be run.
pub fn find(
    search: &InputSearch<'_>,
    oracle: &mut dyn Oracle<Inputs>,
    wanted: &PatternConfig,
    mut found: ReducedInputs,
) -> Result<ReducedInputs> {
    let best = found.best.clone();
    let time = search.limit.unwrap_or(TIME);
    let until = Instant::now() + time;
    let subjects: Vec<(NodeId, &str)> = texts_of(&best).collect();
    if subjects.is_empty() {
        search.session.warn("no pattern: the reduced inputs contain no text");
    }
    for (number, &(node, text)) in subjects.iter().enumerate() {
        if text.len() > LONGEST {
            search.session.warn(format!(
                "no pattern for {}: it still has {} bytes, and the limit is {LONGEST}",
                shown(text),
                text.len()
            ));
            continue;
        }
        let grammars = search.texts.of_reduced(node, text);
        let Some(first) = grammars.first() else { continue };
        let formula = first.of_formula(wanted)?;
        search
            .session
            .stage("Generalizing", format!("{} by the grammar `{}`", shown(text), first.name));
        let driven = search.drive(oracle, &best, |problem| {
            let mut subject = Subject {
                problem,
                wanted,
                best: &best,
                node,
                until: share(until, subjects.len() - number),
                time: time / u32::try_from(subjects.len()).unwrap_or(u32::MAX),
            };
            match formula {
                Some(instances) => subject.fulfilling(first, instances).map(Some),
                None => subject.most_general(&grammars, text),
            }
        })?;
        let pattern = driven.result.flatten();
        if pattern.is_none() && !driven.interrupted {
            search.session.warn(format!(
                "no pattern for {}: time ran out before one was checked; raise `--max-time`, or lower `--tries`",
                shown(text)
            ));
        }
        found.patterns.extend(pattern);
        if driven.interrupted {
            found.interrupted = true;
            break;
        }
    }
    Ok(found)
}

/// The end of the first of so many equal parts of the time that is left.
fn share(until: Instant, parts: usize) -> Instant {
    let now = Instant::now();
    let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
    now + until.saturating_duration_since(now) / parts
}

/// The text whose pattern is wanted.
struct Subject<'a, 'p> {
    problem: &'a mut Problem<'p, Inputs>,
    wanted: &'a PatternConfig,
    best: &'a Inputs,
    node: NodeId,
    until: Instant,
    /// How long that is for each text, whatever the others took.
    time: Duration,
}

impl Ask for Subject<'_, '_> {
    fn ask(&mut self, text: &str) -> Result<Outcome, Stop> {
        self.check_time()?;
        self.problem.ask(&self.candidate(text))
    }

    fn ask_all(&mut self, texts: &[&str]) -> Result<Vec<Outcome>, Stop> {
        let mut outcomes = Vec::with_capacity(texts.len());
        for some in texts.chunks(self.problem.batch()) {
            self.check_time()?;
            let candidates: Vec<Inputs> = some.iter().map(|text| self.candidate(text)).collect();
            outcomes.extend(self.problem.ask_all(&candidates)?);
        }
        Ok(outcomes)
    }
}

impl Subject<'_, '_> {
    fn check_time(&self) -> Result<(), Stop> {
        if self.is_late() {
            return Err(Stop::TimeUp);
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        Instant::now() >= self.until
    }

    /// The inputs with another text.
    fn candidate(&self, text: &str) -> Inputs {
        self.best.with_text(self.node, text)
    }

    /// The pattern by the first grammar; if that leaves everything open, by the next that does so too;
    /// none if the time is up before.
    fn most_general(
        &mut self,
        grammars: &[NamedGrammar],
        text: &str,
    ) -> Result<Option<TextPattern>, Stop> {
        let mut found: Option<TextPattern> = None;
        for named in grammars {
            let Ok(tree) = Parser::new(&named.grammar).parse(text) else { continue };
            let pattern = match self.generalize(named, &tree) {
                Err(Stop::TimeUp) if self.is_late() => break,
                result => result?,
            };
            if found.is_some() && !pattern.is_open {
                break;
            }
            let is_open = pattern.is_open;
            found = Some(pattern);
            if !is_open {
                break;
            }
        }
        Ok(found)
    }

    /// Runs texts of the grammar `instances`, those that fulfil the formula of the user.
    fn fulfilling(
        &mut self,
        named: &NamedGrammar,
        instances: Grammar,
    ) -> Result<TextPattern, Stop> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.wanted.seed);
        let pattern = Pattern::any(instances.clone());
        let number = self.wanted.fuzz.or(self.wanted.tries);
        let number = number.unwrap_or(Options::default().tries);
        let sample = fuzz(&pattern, number, self, &mut rng)?;
        Ok(TextPattern {
            text: self.wanted.formula.clone().unwrap_or_default(),
            is_open: false,
            legend: String::new(),
            evocative: self.wanted.emit.is_some().then_some(instances),
            ..self.text_pattern(named, &pattern, sample)
        })
    }

    fn generalize(&mut self, named: &NamedGrammar, tree: &Tree) -> Result<TextPattern, Stop> {
        let tries = match self.wanted.tries {
            Some(tries) => tries,
            None => self.affordable_tries(tree)?,
        };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.wanted.seed);
        let options = Options { tries, narrowing: self.wanted.narrows(), ..Options::default() };
        let found = ddset(&named.grammar, tree, self, options, &mut rng);
        match found.stopped {
            // What is known by now is measured as well as it can be.
            Some(Stop::TimeUp) if self.is_late() => self.until = Instant::now() + EXTRA_TIME,
            Some(stop) => return Err(stop),
            None => {}
        }
        let (pattern, sample) = self.measure(found.pattern, options, &mut rng)?;
        let evocative = match self.wanted.emit {
            Some(_) => Some(self.evocative(&pattern, options, &mut rng)?),
            None => None,
        };
        Ok(TextPattern { evocative, ..self.text_pattern(named, &pattern, sample) })
    }

    /// The pattern and what came of its instances, to be shown.
    fn text_pattern(&self, named: &NamedGrammar, pattern: &Pattern, sample: Fuzzed) -> TextPattern {
        let run = sample.instances.into_iter();
        TextPattern {
            node: self.node,
            grammar: named.name.clone(),
            text: pattern.to_string(),
            is_open: pattern.is_open(),
            tree: pattern.shown_tree(),
            legend: pattern.legend(),
            instances: pattern.to_grammar(),
            evocative: None,
            run: run
                .map(|(instance, outcome)| (instance.tree.text().to_owned(), outcome))
                .collect(),
            rate: sample.rate,
        }
    }

    /// As many tries as fit into the time for this text, up to the usual number.
    fn affordable_tries(&mut self, tree: &Tree) -> Result<usize, Stop> {
        let usual = Options::default().tries;
        let nodes = (0..tree.len()).filter(|&at| tree.symbol(at).is_some()).count();
        let runs = self.time.as_nanos() / self.cost_of_a_run(tree.text())?.as_nanos();
        // The two samples at the end take as many runs as a node each, refuted nodes are checked
        // again, and some are narrowed.
        let each = runs / (2 * nodes as u128 + NARROWING_TRIES);
        Ok(usize::try_from(each).unwrap_or(usize::MAX).clamp(FEWEST_TRIES, usual))
    }

    /// What one run costs, roughly.
    fn cost_of_a_run(&mut self, text: &str) -> Result<Duration, Stop> {
        let mut fastest = Duration::MAX;
        for _ in 0..SAMPLE_RUNS {
            let started = Instant::now();
            self.ask(text)?;
            fastest = fastest.min(started.elapsed());
        }
        let class = RUN_CLASSES.iter().find(|(up_to, _)| fastest <= *up_to);
        Ok(class.map_or(fastest, |(_, cost)| *cost))
    }

    /// Runs new instances of a pattern. Those that pass narrow it, unless the user has chosen how
    /// sure it must be. The sample in which nothing passes any more was waited for, and says too much
    /// of the rate; so that is measured on a fresh one.
    fn measure(
        &mut self,
        mut pattern: Pattern,
        options: Options,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(Pattern, Fuzzed), Stop> {
        if pattern.holes().is_empty() {
            return Ok((pattern, Fuzzed::default()));
        }
        let tries = options.tries;
        let number =
            self.wanted.fuzz.unwrap_or(tries.max(Options::default().tries.min(tries * 10)));
        loop {
            let mut sample = fuzz(&pattern, number, self, rng)?;
            if !self.wanted.narrows() {
                return Ok((pattern, sample));
            }
            if sample.counterexamples().next().is_none() {
                sample = fuzz(&pattern, number, self, rng)?;
                if sample.rate.share().is_none_or(|share| share >= ENOUGH) {
                    return Ok((pattern, sample));
                }
            }
            if let Some(counterexample) = sample.counterexamples().next() {
                pattern = narrow(&pattern, counterexample, self, options, rng)?;
            }
        }
    }

    /// The grammar of the texts that contain what causes the failure, as far as it is known when the time
    /// is up.
    fn evocative(
        &mut self,
        pattern: &Pattern,
        options: Options,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Grammar, Stop> {
        let mut causes = causes(pattern, self, options, rng);
        match causes.stopped.take() {
            Some(Stop::TimeUp) if self.is_late() => {}
            Some(stop) => return Err(stop),
            None => {}
        }
        Ok(causes.evocative_grammar())
    }
}

/// A text as it is shown in a line of the story.
fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown = format!("{:?}", text.chars().take(LONGEST).collect::<String>());
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
