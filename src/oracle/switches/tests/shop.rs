//! A program whose test `fails`: it walks one line too far.

use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Book,
    Food { grams: u32 },
    Gift(String),
}

#[derive(Debug, Clone)]
struct Line {
    kind: Kind,
    count: u32,
    price: u64,
}

#[derive(Debug, Default)]
struct Shop {
    stock: BTreeMap<String, u32>,
    log: Vec<String>,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Book => write!(f, "book"),
            Kind::Food { grams } if *grams > 1000 => write!(f, "much food"),
            Kind::Food { .. } => write!(f, "food"),
            Kind::Gift(name) => write!(f, "gift for {name}"),
        }
    }
}

trait Priced {
    fn price(&self) -> u64;

    fn is_free(&self) -> bool {
        self.price() == 0 && !self.always_costs()
    }

    fn always_costs(&self) -> bool {
        false
    }
}

impl Priced for Line {
    fn price(&self) -> u64 {
        let base = self.price * u64::from(self.count);
        let extra = match &self.kind {
            Kind::Book => 0,
            Kind::Food { grams } => weigh(*grams),
            Kind::Gift(name) if name.is_empty() => 1,
            Kind::Gift(name) => name.len() as u64,
        };
        base + extra
    }
}

fn weigh(grams: u32) -> u64 {
    let mut left = grams;
    let mut steps = 0;
    while left > 0 {
        left /= 10;
        steps += 1;
    }
    steps
}

impl Shop {
    fn new() -> Self {
        let mut shop = Shop::default();
        shop.fill("book", 3);
        shop.fill("gift", 1);
        shop
    }

    fn fill(&mut self, name: &str, count: u32) {
        if count == 0 {
            self.stock.retain(|key, _| key != name);
            return;
        }
        *self.stock.entry(name.to_owned()).or_insert(0) += count;
        self.log.push(format!("{name}: {count}"));
    }

    fn has(&self, line: &Line) -> bool {
        let key = match line.kind {
            Kind::Book => "book",
            Kind::Food { .. } => "food",
            Kind::Gift(_) => "gift",
        };
        let known = self.stock.get(key).copied().unwrap_or(0);
        known >= line.count || line.is_free()
    }

    fn total(&mut self, lines: &[Line]) -> u64 {
        let mut sum = 0;
        let mut index = 0;
        self.log.push("sum".to_owned());
        while index <= lines.len() {
            let line = &lines[index];
            if self.has(line) {
                sum += line.price();
            } else {
                self.log.push(format!("no {}", line.kind));
            }
            index += 1;
        }
        discount(order_of(lines), sum)
    }
}

fn order_of(lines: &[Line]) -> usize {
    lines.iter().filter(|line| line.count > 1).count()
}

fn discount(order: usize, sum: u64) -> u64 {
    if order > 2 { sum / 2 } else { sum }
}

fn audit(shop: &Shop) -> usize {
    let mut found = 0;
    for entry in &shop.log {
        if entry.contains(':') && !entry.is_empty() {
            found += 1;
        } else {
            found += 0;
        }
    }
    found
}

fn line(kind: Kind, count: u32) -> Line {
    Line {
        kind,
        count,
        price: 10,
    }
}

#[test]
fn fails() {
    let mut shop = Shop::new();
    let lines = vec![
        line(Kind::Book, 1),
        line(Kind::Gift("Ann".to_owned()), 2),
    ];
    let seen = audit(&shop);
    println!("{seen} lines");
    let total = shop.total(&lines);
    assert_eq!(total, 10);
}

#[test]
fn food_is_weighed() {
    assert_eq!(line(Kind::Food { grams: 500 }, 1).price(), 13);
}
