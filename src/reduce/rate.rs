//! What counted tries say about a rate, and how many tries it takes to say something.

/// More tries than this are never asked for.
const MOST_TRIES: u32 = 1_000_000;

/// The bounds of the true share at 95 % confidence, after `hits` in `count` tries: each is exceeded with a
/// probability of 5 % at most (C. Clopper and E. Pearson, 1934, one-sided). `(0, 1)` without any try.
pub fn interval(hits: u64, count: u64) -> (f64, f64) {
    const DOUBT: f64 = 0.05;
    if count == 0 {
        return (0.0, 1.0);
    }
    // The chance of this many hits or more grows with the share, that of as few or fewer falls.
    let low = match hits {
        0 => 0.0,
        hits => bisect(|share| 1.0 - at_most(hits - 1, count, share) < DOUBT),
    };
    let high =
        if hits == count { 1.0 } else { bisect(|share| at_most(hits, count, share) > DOUBT) };
    (low, high)
}

/// The share of hits; 0 without any try.
pub fn share(hits: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { float(hits) / float(count) }
}

/// The smallest number of tries in which what happens with this rate (above 0, at most 1) is seen at least once,
/// except with probability `risk`; at most a million.
pub fn tries_to_see(rate: f64, risk: f64) -> u32 {
    let mut unseen = 1.0 - rate;
    let mut tries = 1;
    while unseen > risk && tries < MOST_TRIES {
        unseen *= 1.0 - rate;
        tries += 1;
    }
    tries
}

/// The largest number in 0..1 for which `is_below` holds, which holds up to it.
fn bisect(is_below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The probability of at most `hits` hits in `count` tries, each with probability `share`.
fn at_most(hits: u64, count: u64, share: f64) -> f64 {
    if share <= 0.0 {
        return 1.0;
    }
    let (hit, miss) = (share.ln(), (-share).ln_1p());
    let mut ways = 0.0;
    let mut sum = 0.0;
    for k in 0..=hits {
        sum += (ways + float(k) * hit + float(count - k) * miss).exp();
        ways += (float(count - k) / float(k + 1)).ln();
    }
    f64::min(sum, 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        let near = |(low, high): (f64, f64), (want_low, want_high): (f64, f64)| {
            (low - want_low).abs() < 1e-4 && (high - want_high).abs() < 1e-4
        };
        assert!(near(interval(5, 10), (0.2224, 0.7776)));
        assert!(near(interval(0, 10), (0.0, 0.2589)));
        assert!(near(interval(10, 10), (0.7411, 1.0)));
        assert!(near(interval(982, 1000), (0.9734, 0.9883)), "{:?}", interval(982, 1000));
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }

    #[test]
    fn enough_tries_show_a_failure() {
        for rate in [0.01, 0.1, 0.5, 0.9] {
            let tries = i32::try_from(tries_to_see(rate, 0.01)).unwrap();
            assert!((1.0 - rate).powi(tries) <= 0.01 * (1.0 + 1e-9));
            assert!((1.0 - rate).powi(tries - 1) > 0.01);
        }
        assert_eq!(tries_to_see(1.0, 0.01), 1);
        assert_eq!(tries_to_see(0.01, 0.05), 299);
    }
}
