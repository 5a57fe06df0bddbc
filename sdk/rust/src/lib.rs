//! What a policy module of Quern written in Rust is made of: the frames, texts and parameters of the policy ABI as types,
//! and [`policy!`], which makes a module of a [`Policy`]. No allocation, no dependency, no `std`.
//!
//! ```ignore
//! #![no_std]
//! use quern::{Frame, Policy, Result};
//!
//! struct Biggest;
//!
//! impl Policy for Biggest {
//!     const NEW: Self = Biggest;
//!
//!     fn node_score(&mut self, frame: &mut Frame) -> Result {
//!         let free = frame.column(0);
//!         frame.answer_each(|row| [free.at(row)])
//!     }
//! }
//!
//! quern::policy! {
//!     policy: Biggest,
//!     manifest: r#"{"name":"biggest","version":"1.0.0","abi":"1.0","points":
//!         {"node.score":{"columns":["free:vcore"],"keys":1,"depends":"row"}}}"#,
//!     points: [node_score(1)],
//! }
//! ```
#![cfg_attr(not(test), no_std)]

mod frame;
#[doc(hidden)]
pub mod manifest;
mod mean;
#[doc(hidden)]
pub mod module;
mod number;
mod parameters;

pub use frame::{Column, Frame, Rows};
pub use mean::WeightedMean;
pub use parameters::{Items, Value};

/// Major version of the contract that modules are written for. The minor one is what `"abi"` in the manifest says.
pub const MAJOR: u32 = 1;

/// Most keys of one answer.
pub const MAX_KEYS: usize = 8;

/// Why a call failed, with a text for the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The frame is of a version or shape that the module does not understand.
    BadFrame(&'static str),
    /// The configuration cannot be used.
    BadConfig(&'static str),
    /// The module cannot answer.
    CannotServe(&'static str),
}

/// What each call ends in.
pub type Result = core::result::Result<(), Failure>;

/// A policy. It may keep what makes it faster, but must be pure: its answers depend on its parameters, the texts and
/// the frame alone. It writes one function for each point of its manifest.
pub trait Policy {
    /// The policy before it was configured.
    const NEW: Self;

    /// Called once for each parameter of the manifest, before anything else. The host has checked type and range.
    fn parameter(&mut self, _name: &str, _value: Value) -> Result {
        Ok(())
    }

    /// Called once for each text that comes up, before the first frame with its code.
    fn text(&mut self, _code: u32, _text: &str) {}

    /// Sort keys for the children of one parent, smaller first.
    fn queue_order(&mut self, _frame: &mut Frame) -> Result {
        undeclared()
    }

    /// Sort keys for the applications of one leaf queue, smaller first; a first key of +Inf: not eligible now.
    fn app_order(&mut self, _frame: &mut Frame) -> Result {
        undeclared()
    }

    /// Sort keys for the asks of one application, smaller first.
    fn ask_order(&mut self, _frame: &mut Frame) -> Result {
        undeclared()
    }

    /// One score for each node, larger is better.
    fn node_score(&mut self, _frame: &mut Frame) -> Result {
        undeclared()
    }

    /// 0 for each node that passes, the reason code of a refusal for the others.
    fn node_filter(&mut self, _frame: &mut Frame) -> Result {
        undeclared()
    }

    /// Sort keys for allocations that may be preempted, the smallest goes first.
    fn victim_rank(&mut self, _frame: &mut Frame) -> Result {
        undeclared()
    }
}

fn undeclared() -> Result {
    Err(Failure::CannotServe("expected a function of the policy for this point"))
}
