//! The general algorithm against brute force.

use proptest::prelude::*;

use super::general::Difference;
use super::{DdError, Kept, Mode, dd};
use crate::reduce::{Outcome, Stop};

const MODES: [Mode; 3] = [Mode::Minimize, Mode::Maximize, Mode::Both];

fn mask(kept: &Kept) -> usize {
    kept.places().fold(0, |mask, place| mask | 1 << place)
}

/// Runs dd where `outcomes[m]` is the outcome of the subset whose places are the bits of m.
fn run(outcomes: &[Outcome], mode: Mode) -> Result<(usize, usize), DdError> {
    let total = outcomes.len().ilog2() as usize;
    let Difference { passing, failing } = dd(total, mode, |kept| Ok(outcomes[mask(kept)]))?;
    Ok((mask(&passing), mask(&failing)))
}

fn singles(set: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS).map(|bit| 1 << bit).filter(move |single| set & single != 0)
}

/// What each mode guarantees, whatever the test.
fn check(outcomes: &[Outcome], mode: Mode) {
    let full = outcomes.len() - 1;
    let (passing, failing) = match run(outcomes, mode) {
        Ok(found) => found,
        Err(DdError::NotFailing) => {
            assert!(outcomes[full] == Outcome::Pass && mode != Mode::Maximize);
            return;
        }
        Err(DdError::NotReproducible) => {
            assert_eq!(outcomes[full], Outcome::Unresolved);
            return;
        }
        Err(DdError::NotPassing) => {
            assert!(outcomes[0] != Outcome::Pass && mode != Mode::Minimize);
            return;
        }
        Err(DdError::Stopped(stop)) => panic!("{stop}"),
    };
    assert_eq!(passing & !failing, 0, "the passing subset is part of the failing one");
    if mode != Mode::Maximize {
        assert_eq!(outcomes[failing], Outcome::Fail);
    }
    if mode != Mode::Minimize {
        assert_eq!(outcomes[passing], Outcome::Pass);
    }
    for single in singles(failing & !passing) {
        if mode != Mode::Maximize {
            assert_ne!(outcomes[failing & !single], Outcome::Fail, "it is 1-minimal");
        }
        if mode != Mode::Minimize {
            assert_ne!(outcomes[passing | single], Outcome::Pass, "it is 1-maximal");
        }
    }
    if mode == Mode::Minimize {
        assert_eq!(passing, 0);
    }
    if mode == Mode::Maximize {
        assert!(failing == full);
    }
}

#[test]
fn the_guarantees_hold_for_every_test_of_four_elements() {
    for table in 0..1u32 << 16 {
        let outcomes: Vec<Outcome> =
            (0..16).map(|subset| Outcome::fail_if(table >> subset & 1 == 1)).collect();
        for mode in MODES {
            check(&outcomes, mode);
        }
    }
}

#[test]
fn with_monotone_tests_of_four_elements_no_smaller_subset_fails_and_no_larger_one_passes() {
    for table in (0..1u32 << 16).filter(|table| is_monotone(*table)) {
        let fails = |subset: usize| table >> subset & 1 == 1;
        let outcomes: Vec<Outcome> =
            (0..16).map(|subset| Outcome::fail_if(fails(subset))).collect();
        if fails(15) {
            let (_, failing) = run(&outcomes, Mode::Minimize).expect("it fails");
            assert!(
                (0..16).all(|other| other & !failing != 0 || other == failing || !fails(other))
            );
        }
        if fails(15) && !fails(0) {
            let (passing, _) = run(&outcomes, Mode::Maximize).expect("it fails");
            assert!((0..16).all(|other| passing & !other != 0 || other == passing || fails(other)));
            let (passing, failing) = run(&outcomes, Mode::Both).expect("it fails");
            assert_eq!((failing & !passing).count_ones(), 1, "one element makes the difference");
        }
    }
}

/// Whether adding an element never ends the failure.
fn is_monotone(table: u32) -> bool {
    (0..16usize)
        .filter(|subset| table >> subset & 1 == 1)
        .all(|subset| singles(15 & !subset).all(|single| table >> (subset | single) & 1 == 1))
}

#[test]
fn where_all_of_a_set_is_needed_that_set_is_found() {
    for needed in 0..1usize << 7 {
        let outcomes: Vec<Outcome> =
            (0..1 << 7).map(|subset| Outcome::fail_if(needed & !subset == 0)).collect();
        assert_eq!(run(&outcomes, Mode::Minimize).expect("it fails").1, needed);
    }
}

#[test]
fn a_stop_ends_the_search() {
    let mut calls = 0;
    let stopped = dd(100, Mode::Minimize, |_| {
        calls += 1;
        match calls {
            1 => Ok(Outcome::Pass),
            2 => Ok(Outcome::Fail),
            _ => Err(Stop::CandidateLimit),
        }
    });
    assert!(matches!(stopped, Err(DdError::Stopped(Stop::CandidateLimit))));
    assert_eq!(calls, 3);
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(vec![Outcome::Fail, Outcome::Pass, Outcome::Unresolved])
}

proptest! {
    #[test]
    fn the_guarantees_hold_with_unresolved_outcomes(
        mut outcomes in prop::collection::vec(outcome(), 64),
        sound in any::<bool>(),
    ) {
        if sound {
            outcomes[0] = Outcome::Pass;
            outcomes[63] = Outcome::Fail;
        }
        for mode in MODES {
            check(&outcomes, mode);
        }
    }
}

/// The tests of [`REFERENCE`]: subsets of `0..total` in which so many of some places are.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// All of the places are in it.
    All,
    /// More than half of them.
    Most,
    /// The first, and as many as make the same parity as all (not monotone).
    Parity,
}

/// Elements, places, mode, test, number of calls, digest of the lengths of the candidates in order, and
/// lengths of the passing and the failing subset.
type Row = (usize, usize, Mode, Kind, usize, u64, usize, usize);

/// The calls that `debuggingbook` 1.3.2 makes.
#[rustfmt::skip]
const REFERENCE: &[Row] = &[
    (26, 7, Mode::Minimize, Kind::All, 42, 2_220_611_803_955_822_246, 0, 6),
    (26, 7, Mode::Minimize, Kind::Most, 17, 1_785_560_174_624_824_178, 0, 3),
    (26, 7, Mode::Minimize, Kind::Parity, 17, 1_698_869_694_734_278_907, 0, 3),
    (26, 7, Mode::Maximize, Kind::All, 8, 1_353_569_591_554_830_630, 25, 26),
    (26, 7, Mode::Maximize, Kind::Most, 17, 801_575_755_048_019_756, 23, 26),
    (26, 7, Mode::Maximize, Kind::Parity, 10, 64_028_819_918_143_089, 25, 26),
    (26, 7, Mode::Both, Kind::All, 10, 1_481_735_230_264_878_003, 19, 20),
    (26, 7, Mode::Both, Kind::Most, 9, 2_240_958_476_962_506_988, 6, 7),
    (26, 7, Mode::Both, Kind::Parity, 9, 118_587_734_439_680_075, 3, 4),
    (100, 2, Mode::Minimize, Kind::All, 32, 969_373_581_029_254_651, 0, 2),
    (100, 2, Mode::Minimize, Kind::Most, 32, 969_373_581_029_254_651, 0, 2),
    (100, 2, Mode::Minimize, Kind::Parity, 32, 969_373_581_029_254_651, 0, 2),
    (100, 2, Mode::Maximize, Kind::All, 12, 2_039_594_190_510_553_931, 99, 100),
    (100, 2, Mode::Maximize, Kind::Most, 12, 2_039_594_190_510_553_931, 99, 100),
    (100, 2, Mode::Maximize, Kind::Parity, 12, 2_039_594_190_510_553_931, 99, 100),
    (100, 2, Mode::Both, Kind::All, 13, 458_009_300_142_336_937, 50, 51),
    (100, 2, Mode::Both, Kind::Most, 13, 458_009_300_142_336_937, 50, 51),
    (100, 2, Mode::Both, Kind::Parity, 13, 458_009_300_142_336_937, 50, 51),
    (552, 7, Mode::Minimize, Kind::All, 138, 1_138_969_613_865_167_717, 0, 7),
    (552, 7, Mode::Minimize, Kind::Most, 74, 1_321_772_928_933_279_420, 0, 4),
    (552, 7, Mode::Minimize, Kind::Parity, 55, 1_455_242_972_503_490_491, 0, 3),
    (552, 7, Mode::Maximize, Kind::All, 16, 646_763_851_514_761_881, 551, 552),
    (552, 7, Mode::Maximize, Kind::Most, 74, 493_040_629_516_928_705, 548, 552),
    (552, 7, Mode::Maximize, Kind::Parity, 16, 357_547_505_390_713_733, 551, 552),
    (552, 7, Mode::Both, Kind::All, 18, 475_812_238_732_363_977, 414, 415),
    (552, 7, Mode::Both, Kind::Most, 17, 820_147_624_956_952_909, 138, 139),
    (552, 7, Mode::Both, Kind::Parity, 18, 512_424_250_188_410_453, 142, 143),
    (552, 40, Mode::Minimize, Kind::All, 582, 35_112_813_827_789_741, 0, 39),
    (552, 40, Mode::Minimize, Kind::Most, 264, 122_653_659_638_236_474, 0, 20),
    (552, 40, Mode::Minimize, Kind::Parity, 39, 2_264_601_217_174_243_738, 0, 2),
    (552, 40, Mode::Maximize, Kind::All, 14, 1_322_512_695_234_912_951, 551, 552),
    (552, 40, Mode::Maximize, Kind::Most, 246, 2_017_697_881_311_035_016, 533, 552),
    (552, 40, Mode::Maximize, Kind::Parity, 15, 1_425_255_542_023_185_984, 551, 552),
    (552, 40, Mode::Both, Kind::All, 20, 437_966_493_973_915_681, 536, 537),
    (552, 40, Mode::Both, Kind::Most, 17, 2_291_071_612_234_835_699, 241, 242),
    (552, 40, Mode::Both, Kind::Parity, 16, 1_408_595_391_582_340_068, 276, 277),
    (1000, 7, Mode::Minimize, Kind::All, 131, 1_472_810_235_073_226_433, 0, 7),
    (1000, 7, Mode::Minimize, Kind::Most, 73, 1_571_332_539_703_813_510, 0, 4),
    (1000, 7, Mode::Minimize, Kind::Parity, 44, 1_308_486_120_866_403_316, 0, 1),
    (1000, 7, Mode::Maximize, Kind::All, 16, 361_031_446_453_609_861, 999, 1000),
    (1000, 7, Mode::Maximize, Kind::Most, 83, 2_216_273_192_880_385_293, 996, 1000),
    (1000, 7, Mode::Maximize, Kind::Parity, 16, 361_031_446_453_609_861, 999, 1000),
    (1000, 7, Mode::Both, Kind::All, 18, 2_073_637_066_466_028_685, 750, 751),
    (1000, 7, Mode::Both, Kind::Most, 17, 1_861_982_690_346_191_985, 250, 251),
    (1000, 7, Mode::Both, Kind::Parity, 18, 2_073_637_066_466_028_685, 750, 751),
    (3000, 2, Mode::Minimize, Kind::All, 50, 824_796_615_993_207_112, 0, 2),
    (3000, 2, Mode::Minimize, Kind::Most, 50, 824_796_615_993_207_112, 0, 2),
    (3000, 2, Mode::Minimize, Kind::Parity, 50, 824_796_615_993_207_112, 0, 2),
    (3000, 2, Mode::Maximize, Kind::All, 18, 1_168_693_558_094_667_878, 2999, 3000),
    (3000, 2, Mode::Maximize, Kind::Most, 18, 1_168_693_558_094_667_878, 2999, 3000),
    (3000, 2, Mode::Maximize, Kind::Parity, 18, 1_168_693_558_094_667_878, 2999, 3000),
    (3000, 2, Mode::Both, Kind::All, 19, 547_789_719_849_185_762, 1500, 1501),
    (3000, 2, Mode::Both, Kind::Most, 19, 547_789_719_849_185_762, 1500, 1501),
    (3000, 2, Mode::Both, Kind::Parity, 19, 547_789_719_849_185_762, 1500, 1501),
];

#[test]
fn larger_jobs_make_the_calls_of_the_reference() {
    for &(total, count, mode, kind, calls, digest, passing, failing) in REFERENCE {
        let mut state = (total * 31 + count) as u64;
        let places: Vec<usize> = (0..count).map(|_| next(&mut state) % total).collect();
        let mut lengths = Vec::new();
        let mut known = std::collections::HashMap::new();
        let found = dd(total, mode, |kept| {
            Ok(*known.entry(kept.clone()).or_insert_with(|| {
                lengths.push(kept.len() as u64);
                judge(kind, &places, kept)
            }))
        })
        .expect("it fails");
        let case = format!("{total} {count} {mode:?} {kind:?}");
        assert_eq!((found.passing.len(), found.failing.len()), (passing, failing), "{case}");
        assert_eq!(lengths.len(), calls, "{case}");
        assert_eq!(
            lengths.iter().fold(0, |digest, length| fold(digest, *length)),
            digest,
            "{case}"
        );
    }
}

fn judge(kind: Kind, places: &[usize], kept: &Kept) -> Outcome {
    let present = places.iter().filter(|place| kept.contains(**place)).count();
    let fails = match kind {
        Kind::All => present == places.len(),
        Kind::Most => 2 * present > places.len(),
        Kind::Parity => present % 2 == places.len() % 2 && kept.contains(places[0]),
    };
    if fails { Outcome::Fail } else { Outcome::Pass }
}

/// A linear congruential generator that is as easily written in Python.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn fold(digest: u64, length: u64) -> u64 {
    let digest = (u128::from(digest) * 1_000_003 + u128::from(length)) % (1 << 61);
    u64::try_from(digest).unwrap_or(u64::MAX)
}
