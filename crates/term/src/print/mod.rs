//! Terms as text: [`infix`] for people, [`smtlib`] for machines.

pub mod infix;
pub mod smtlib;
