//! Many changes made at once, of which those are taken back that do not compile.

/// Compiles what is left of `parts` until that works, and takes back what the errors are about in between: `Err` where
/// nobody can be blamed for them, or after so many `rounds`.
///
/// `take_back` is told the number of the round, and says whether there was anything to take back.
///
/// # Errors
/// Those of `compile` and of `take_back`, when they cannot go on at all.
pub fn until_it_compiles<P, B, E, T>(
    parts: &mut P,
    rounds: usize,
    mut compile: impl FnMut(&mut P) -> Result<Result<B, E>, T>,
    mut take_back: impl FnMut(&mut P, &E, usize) -> Result<bool, T>,
) -> Result<Result<B, E>, T> {
    let mut round = 0;
    loop {
        let errors = match compile(parts)? {
            Ok(built) => return Ok(Ok(built)),
            Err(errors) => errors,
        };
        if !take_back(parts, &errors, round)? || round + 1 == rounds {
            return Ok(Err(errors));
        }
        round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes back one of the odd numbers in each round; what is left after so many of them, and of which numbers was
    /// complained in the end.
    fn without_odd_ones(
        mut numbers: Vec<u32>,
        rounds: usize,
    ) -> (Vec<u32>, Result<usize, Vec<u32>>) {
        let mut compilations = 0;
        let ended: Result<_, ()> = until_it_compiles(
            &mut numbers,
            rounds,
            |numbers| {
                compilations += 1;
                let odd: Vec<u32> = numbers.iter().copied().filter(|n| n % 2 == 1).collect();
                Ok(if odd.is_empty() { Ok(compilations) } else { Err(odd) })
            },
            |numbers, odd, _| {
                let most = numbers.len();
                numbers.retain(|number| *number != odd[0] || *number == 99);
                Ok(numbers.len() < most)
            },
        );
        (numbers, ended.unwrap())
    }

    #[test]
    fn what_does_not_compile_is_taken_back_until_the_rest_does() {
        assert_eq!(without_odd_ones(vec![1, 2, 3, 4], 9), (vec![2, 4], Ok(3)));
        assert_eq!(without_odd_ones(vec![2], 1), (vec![2], Ok(1)));
    }

    #[test]
    fn it_ends_after_so_many_rounds_or_when_nobody_is_to_blame() {
        assert_eq!(without_odd_ones(vec![1, 3, 5], 2), (vec![5], Err(vec![3, 5])));
        assert_eq!(without_odd_ones(vec![1, 99], 9), (vec![99], Err(vec![99])));
    }
}
