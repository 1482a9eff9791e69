# What a newcomer types. `make` alone says what there is.

.PHONY: help build test bench-solver bench-term dependencies clean

help:
	@echo "make build         build everypath (target/release/everypath)"
	@echo "make test          everything CI checks: formatting, lints, tests, doc tests"
	@echo "make bench-solver  the solver against Z3, side by side"
	@echo "make bench-term    how many terms are made in a second"
	@echo "make clean         remove what was built"

dependencies:
	@scripts/install-dependencies

build: dependencies
	cargo build --release --locked

test: dependencies
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo nextest run --workspace --locked
	cargo test --workspace --doc --locked

bench-solver: dependencies
	cargo run --release --locked -p bench -- recorded
	cargo run --release --locked -p bench -- floats

bench-term: dependencies
	cargo run --release --locked -p bench -- term

clean:
	cargo clean
