//! Passes over whole items and their members.

pub mod aliases;
pub mod attributes;
pub mod derives;
pub mod fields;
pub mod first_calls;
pub mod functions;
pub mod inherent;
pub mod inline_into_test;
pub mod inline_macros;
pub mod items;
pub mod lone_variants;
pub mod macro_rules;
pub mod members;
pub mod modules;
pub mod move_into_module;
pub mod newtypes;
pub mod orphans;
pub mod replace_types;
pub mod variants;
