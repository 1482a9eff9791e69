//! The command line as a user meets it, a module for each subject.
//!
//! One binary, because each test binary of this crate links LLVM and the solvers
//! anew. Programs, constraints and other files with an expectation beside them are
//! in `cases`, where each file is a test of its own.

mod bad_input;
mod books;
mod bridges;
mod browser;
mod cargo;
mod doctor;
mod environment;
mod functions;
mod fuzz;
mod grammar;
mod installed;
mod languages;
mod live;
mod mixed;
mod mixed_bad_input;
mod models;
mod natives;
mod operations;
mod programs;
mod projects;
mod random_programs;
mod ranges;
mod replay;
mod report;
mod results;
mod run;
mod run_schema;
mod schedules;
mod search;
mod seeds;
mod show;
mod solve;
mod staged;
mod staged_class;
mod staged_containers;
mod staged_diff;
mod staged_drivers;
mod staged_generic;
mod staged_given;
mod staged_library;
mod staged_linked;
mod staged_ownership;
mod staged_regions;
mod staged_structures;
mod staged_tables;
mod staged_texts;
mod staged_unit_tests;
mod standard_input;
mod stopping;
mod timed_models;
