//! One of several equal parts of the tests that fail, for build servers that run several machines.

use std::str::FromStr;

/// The part `number` of `of` parts, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Those that belong to it: each machine has the others in its own part, as long as all of them see the same tests.
    pub fn part<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.number - 1).step_by(self.of).collect()
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            Some((0, _)) => {
                Err("shards are numbered from 1: the first of four is `1/4`".to_owned())
            }
            Some((_, of)) => Err(format!("the last of {of} shards is `{of}/{of}`")),
            None => {
                Err("expected the number of a shard and the number of shards, such as `1/4`"
                    .to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_belongs_to_one_shard() {
        let part = |text: &str| text.parse::<Shard>().unwrap().part((0..5).collect());
        assert_eq!([part("1/3"), part("2/3"), part("3/3")], [vec![0, 3], vec![1, 4], vec![2]]);
        assert_eq!(part("1/1"), [0, 1, 2, 3, 4]);
        assert!(part("6/6").is_empty());
    }

    #[test]
    fn what_is_no_shard_is_told_so() {
        let error = |text: &str| text.parse::<Shard>().unwrap_err();
        assert!(error("0/4").contains("from 1"));
        assert!(error("5/4").contains("of 4 shards"));
        assert!(error("1/0").contains("of 0 shards"));
        for text in ["4", "a/b", "1/4/2", "-1/4"] {
            assert!(error(text).contains("such as `1/4`"));
        }
    }
}
