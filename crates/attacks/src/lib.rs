#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod algebra;
pub mod answer;
pub mod plan;
mod random;
mod read;
pub mod stream;
pub mod times;
pub mod tree;

pub use answer::{Answer, AskError, List, Request, ask};
pub use random::{AttackTreeParameters, NoAttackTree};
pub use read::{
    AttackTreeFileError, FaultTreeAsAttack, NoAdtool, NoText, NotRead, from_bytes, from_fault_tree,
    from_text, to_adtool, to_text,
};
pub use tree::{AttackTree, AttackTreeError, Attribute, NoAttribute, Rule};
