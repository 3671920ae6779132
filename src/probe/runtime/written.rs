// The part of the runtime that writes values of known types as bytes, and makes values of them. It stands as the
// module `written`.

extern crate std;

use self::std::borrow::{Cow, ToOwned};
use self::std::boxed::Box;
use self::std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use self::std::hash::{BuildHasher, Hash};
use self::std::option::Option::{self, None, Some};
use self::std::path::{Path, PathBuf};
use self::std::prelude::v1::*;

use super::drive::Input;
use super::Num;

/// A value that can be written out.
pub trait Value: Sized {
    /// Its type in a few letters.
    fn shape(out: &mut String);
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut Input<'_>) -> Self;

    fn write_all<'v>(values: impl Iterator<Item = &'v Self>, count: usize, out: &mut Vec<u8>)
    where
        Self: 'v,
    {
        put_count(out, LIST, count);
        for value in values {
            value.write(out);
        }
    }

    fn read_all(input: &mut Input<'_>) -> Vec<Self> {
        let count = take_count(input);
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(Self::read(input));
        }
        values
    }
}

pub fn put_u32(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&(number as u32).to_le_bytes());
}

pub fn put_bytes(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    put_u32(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// A list: its elements can go.
const LIST: u8 = 6;
/// Parts that stay together.
const PARTS: u8 = 7;

fn put_count(out: &mut Vec<u8>, tag: u8, count: usize) {
    out.push(tag);
    put_u32(out, count);
}

fn take_count(input: &mut Input<'_>) -> usize {
    input.byte();
    input.u32() as usize
}

fn read_bytes(input: &mut Input<'_>) -> Vec<u8> {
    input.byte();
    let length = input.u32() as usize;
    input.take(length).to_vec()
}

pub fn read_text(input: &mut Input<'_>) -> String {
    String::from_utf8_lossy(&read_bytes(input)).into_owned()
}

/// A value that lives as long as any.
fn leak<'a, T: 'a>(value: T, size: usize) -> &'a T {
    super::write_table().leaked += size;
    Box::leak(Box::new(value))
}

macro_rules! texts {
    ($($letter:literal $text:ty, $of_text:expr;)*) => { $(
        impl<'a> Value for $text {
            fn shape(out: &mut String) {
                out.push($letter);
            }
            fn write(&self, out: &mut Vec<u8>) {
                put_bytes(out, 0, self.as_bytes());
            }
            fn read(input: &mut Input<'_>) -> Self {
                $of_text(read_text(input))
            }
        }
    )* };
}
texts! {
    's' &'a str, leaked;
    'S' String, String::from;
    'W' Cow<'a, str>, Cow::Owned;
}

fn leaked<'a>(text: String) -> &'a str {
    let size = text.len();
    leak(text, size)
}

impl Value for char {
    fn shape(out: &mut String) {
        out.push('c');
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(2);
        put_u32(out, *self as usize);
    }
    fn read(input: &mut Input<'_>) -> char {
        input.byte();
        self::std::char::from_u32(input.u32()).unwrap_or('?')
    }
}

impl Value for bool {
    fn shape(out: &mut String) {
        out.push('b');
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(5);
        out.push(*self as u8);
    }
    fn read(input: &mut Input<'_>) -> bool {
        input.byte();
        input.byte() == 1
    }
}

impl Value for () {
    fn shape(out: &mut String) {
        out.push_str("T0.");
    }
    fn write(&self, out: &mut Vec<u8>) {
        put_count(out, PARTS, 0);
    }
    fn read(input: &mut Input<'_>) {
        take_count(input);
    }
}

fn write_int(is_negative: bool, magnitude: u128, out: &mut Vec<u8>) {
    out.push(3);
    out.push(is_negative as u8);
    out.extend_from_slice(&magnitude.to_le_bytes());
}

fn read_number<T: Num>(input: &mut Input<'_>) -> T {
    match input.byte() {
        3 => {
            let is_negative = input.byte() == 1;
            T::from_int(is_negative, input.u128())
        }
        _ => T::from_float(f64::from_bits(input.u128() as u64)),
    }
}

macro_rules! ints {
    ($($name:literal $int:ty)*) => { $(
        impl Value for $int {
            fn shape(out: &mut String) {
                out.push_str($name);
            }
            #[allow(unused_comparisons)]
            fn write(&self, out: &mut Vec<u8>) {
                let is_negative = *self < 0;
                let magnitude = if is_negative { (*self as i128).wrapping_neg() as u128 } else { *self as u128 };
                write_int(is_negative, magnitude, out);
            }
            fn read(input: &mut Input<'_>) -> $int {
                read_number(input)
            }
        }
    )* };
}
ints!("iu16." u16 "iu32." u32 "iu64." u64 "iu128." u128 "iusize." usize);
ints!("ii8." i8 "ii16." i16 "ii32." i32 "ii64." i64 "ii128." i128 "iisize." isize);

impl Value for u8 {
    fn shape(out: &mut String) {
        out.push_str("iu8.");
    }
    fn write(&self, out: &mut Vec<u8>) {
        write_int(false, *self as u128, out);
    }
    fn read(input: &mut Input<'_>) -> u8 {
        read_number(input)
    }
    fn write_all<'v>(values: impl Iterator<Item = &'v u8>, _count: usize, out: &mut Vec<u8>) {
        let bytes: Vec<u8> = values.copied().collect();
        put_bytes(out, 1, &bytes);
    }
    fn read_all(input: &mut Input<'_>) -> Vec<u8> {
        read_bytes(input)
    }
}

macro_rules! floats {
    ($($name:literal $float:ty)*) => { $(
        impl Value for $float {
            fn shape(out: &mut String) {
                out.push_str($name);
            }
            fn write(&self, out: &mut Vec<u8>) {
                out.push(4);
                out.extend_from_slice(&((*self as f64).to_bits() as u128).to_le_bytes());
            }
            fn read(input: &mut Input<'_>) -> $float {
                read_number(input)
            }
        }
    )* };
}
floats!("if32." f32 "if64." f64);

macro_rules! lists {
    ($($letter:literal $list:ty, [$($bound:tt)*], [$($generic:tt)*])*) => { $(
        impl<T: Value + $($bound)*, $($generic)*> Value for $list {
            fn shape(out: &mut String) {
                out.push($letter);
                T::shape(out);
            }
            fn write(&self, out: &mut Vec<u8>) {
                T::write_all(self.iter(), self.len(), out);
            }
            fn read(input: &mut Input<'_>) -> Self {
                T::read_all(input).into_iter().collect()
            }
        }
    )* };
}
lists! {
    'V' Vec<T>, [], []
    'D' VecDeque<T>, [], []
    'm' BTreeSet<T>, [Ord], []
    'h' HashSet<T, S>, [Eq + Hash], [S: BuildHasher + Default]
}

macro_rules! maps {
    ($($letter:literal $map:ty, [$($bound:tt)*], [$($generic:tt)*])*) => { $(
        impl<K: Value + $($bound)*, V: Value, $($generic)*> Value for $map {
            fn shape(out: &mut String) {
                out.push($letter);
                K::shape(out);
                V::shape(out);
            }
            fn write(&self, out: &mut Vec<u8>) {
                put_count(out, LIST, self.len());
                for (key, value) in self {
                    put_count(out, PARTS, 2);
                    key.write(out);
                    value.write(out);
                }
            }
            fn read(input: &mut Input<'_>) -> Self {
                let count = take_count(input);
                let mut entries = Vec::new();
                for _ in 0..count {
                    entries.push(<(K, V)>::read(input));
                }
                entries.into_iter().collect()
            }
        }
    )* };
}
maps!('M' BTreeMap<K, V>, [Ord], [] 'H' HashMap<K, V, S>, [Eq + Hash], [S: BuildHasher + Default]);

impl<T: Value> Value for Option<T> {
    fn shape(out: &mut String) {
        out.push('O');
        T::shape(out);
    }
    fn write(&self, out: &mut Vec<u8>) {
        put_count(out, LIST, self.is_some() as usize);
        if let Some(value) = self {
            value.write(out);
        }
    }
    fn read(input: &mut Input<'_>) -> Option<T> {
        if take_count(input) == 0 { None } else { Some(T::read(input)) }
    }
}

impl<T: Value> Value for Box<T> {
    fn shape(out: &mut String) {
        out.push('B');
        T::shape(out);
    }
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }
    fn read(input: &mut Input<'_>) -> Box<T> {
        Box::new(T::read(input))
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn shape(out: &mut String) {
        out.push_str(&self::std::format!("A{}.", N));
        T::shape(out);
    }
    fn write(&self, out: &mut Vec<u8>) {
        put_count(out, PARTS, N);
        for value in self {
            value.write(out);
        }
    }
    fn read(input: &mut Input<'_>) -> [T; N] {
        take_count(input);
        [(); N].map(|()| T::read(input))
    }
}

impl<'a, T: Value + 'a> Value for &'a [T] {
    fn shape(out: &mut String) {
        out.push('L');
        T::shape(out);
    }
    fn write(&self, out: &mut Vec<u8>) {
        T::write_all(self.iter(), self.len(), out);
    }
    fn read(input: &mut Input<'_>) -> &'a [T] {
        let values = T::read_all(input);
        let size = self::std::mem::size_of::<T>() * values.len();
        leak(values, size)
    }
}

impl<'a, T: Value + 'a> Value for &'a T {
    fn shape(out: &mut String) {
        out.push('R');
        T::shape(out);
    }
    fn write(&self, out: &mut Vec<u8>) {
        (**self).write(out);
    }
    fn read(input: &mut Input<'_>) -> &'a T {
        let start = input.at;
        let value = T::read(input);
        leak(value, self::std::mem::size_of::<T>() + input.at - start)
    }
}

macro_rules! tuples {
    ($($count:literal $($part:ident $at:tt),*;)*) => { $(
        impl<$($part: Value),*> Value for ($($part,)*) {
            fn shape(out: &mut String) {
                out.push_str($count);
                $($part::shape(out);)*
            }
            fn write(&self, out: &mut Vec<u8>) {
                let parts = [$($at),*];
                put_count(out, PARTS, parts.len());
                $(self.$at.write(out);)*
            }
            fn read(input: &mut Input<'_>) -> Self {
                take_count(input);
                ($($part::read(input),)*)
            }
        }
    )* };
}
tuples! {
    "T1." A 0;
    "T2." A 0, B 1;
    "T3." A 0, B 1, C 2;
    "T4." A 0, B 1, C 2, D 3;
    "T5." A 0, B 1, C 2, D 3, E 4;
    "T6." A 0, B 1, C 2, D 3, E 4, F 5;
}
