# What a newcomer types. `make` alone says what there is.

.PHONY: help build browser test fuzz demo bench-solver bench-term bench-speed bench-mixed bench-fp bench-grammar bench-model bench-staged bench-programs bench-rust bench-scale bench-memory bench-cluster test-cluster suites sweep web screenshots install install-files dependencies clean

help:
	@echo "make build         build everypath (target/release/everypath)"
	@echo "make install       put it, its manual pages and completions under PREFIX, /usr/local if none is given"
	@echo "make demo          runs examples/ on every input, and their tests natively"
	@echo "make test          everything CI checks: spelling, dependencies, lints, tests"
	@echo "make fuzz          every reader of files on arbitrary bytes, a minute each"
	@echo "make bench-solver  the solver against Z3, side by side"
	@echo "make bench-term    how many terms are made in a second"
	@echo "make bench-speed   whole programs against native code and KLEE's times"
	@echo "make bench-mixed   the published cases of mixed solving"
	@echo "make bench-fp      programs of floats against Z3, and native calls a second"
	@echo "make bench-grammar strings and grammars: sizes; search by fitness; an interpreter fuzzed"
	@echo "make bench-model   the published microgrid, and models of 50 to 200 states"
	@echo "make bench-staged  the published tables of staged execution"
	@echo "make bench-programs programs of examples/programs: line coverage, and planted bugs"
	@echo "make bench-rust    Kani's examples in our own words: verdicts and times"
	@echo "make bench-scale   one, two and four workers"
	@echo "make bench-memory  memory while paths explode, for ten minutes"
	@echo "make test-cluster  a Ray cluster on this machine, with a node killed"
	@echo "make bench-cluster workers on Ray beside workers of one process"
	@echo "make sweep         looks for wrong answers on random inputs, beside other tools"
	@echo "make web           builds the page of reports anew, which needs Node"
	@echo "make screenshots   takes the pictures of the README anew"
	@echo "make suites        builds the suites of examples/staged/lib anew"
	@echo "make clean         remove what was built"

dependencies:
	@scripts/install-dependencies

# The tests look at reports in a browser, where one can be had.
browser:
	@scripts/install-browser

build: dependencies
	cargo build --release --locked
	target/release/everypath setup

# Where a tool cannot be had, as on a machine without the network, its check is left out.
test: dependencies browser
	if command -v typos >/dev/null; then typos; fi
	if command -v cargo-deny >/dev/null; then cargo deny --offline --locked check bans licenses sources; fi
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo clippy --manifest-path fuzz-targets/Cargo.toml --target-dir target --locked -- -D warnings
	cargo nextest run --workspace --locked --no-run
	target/debug/everypath setup
	cargo nextest run --workspace --locked --no-fail-fast
	cargo test --workspace --doc --locked

fuzz: dependencies
	scripts/fuzz

# The binary carries its headers, small C library, Rust crate and replay runtime with it;
# the whole C library is built beside it. The binary is not built here if it is there already:
# whoever installs for all users is often somebody else than who builds.
PREFIX ?= /usr/local

# Where the binaries are.
BUILT ?= target/release
INSTALLED = $(DESTDIR)$(PREFIX)

install: install-files
	EVERYPATH_LIBRARIES="$(INSTALLED)/share/everypath" "$(BUILT)/everypath" setup

# All but the libraries, which take minutes to compile.
install-files:
	@[ -x "$(BUILT)/everypath" ] || $(MAKE) build
	install -d "$(INSTALLED)/bin" "$(INSTALLED)/share/bash-completion/completions" \
		"$(INSTALLED)/share/zsh/site-functions" "$(INSTALLED)/share/fish/vendor_completions.d"
	for program in everypath everypath-cc everypath-cxx cargo-everypath; do \
		install -m 755 "$(BUILT)/$$program" "$(INSTALLED)/bin" || exit 1; \
	done
	ln -sf everypath-cxx "$(INSTALLED)/bin/everypath-c++"
	"$(BUILT)/everypath" man "$(INSTALLED)/share/man/man1"
	"$(BUILT)/everypath" completions bash > "$(INSTALLED)/share/bash-completion/completions/everypath"
	"$(BUILT)/everypath" completions zsh > "$(INSTALLED)/share/zsh/site-functions/_everypath"
	"$(BUILT)/everypath" completions fish > "$(INSTALLED)/share/fish/vendor_completions.d/everypath.fish"

# An example with an error in it ends with status 1, which is what it is for.
demo: build
	for program in sort maze regexp; do \
		target/release/everypath run examples/$$program.c; [ $$? -le 1 ] || exit 2; \
		target/release/everypath replay everypath-last --native || exit 1; \
	done

bench-solver: dependencies
	cargo run --release --locked -p bench -- recorded
	cargo run --release --locked -p bench -- floats

bench-term: dependencies
	cargo run --release --locked -p bench -- term

bench-speed: build
	cargo run --release --locked -p bench -- speed

bench-mixed: build
	cargo run --release --locked -p bench -- mixed

bench-fp: build
	cargo run --release --locked -p bench -- fp

bench-grammar: build
	cargo run --release --locked -p bench -- grammar

bench-model: build
	cargo run --release --locked -p bench -- model

suites: dependencies
	BLESS=1 cargo nextest run --locked -p everypath --test it every_shipped

bench-scale: build
	cargo run --release --locked -p bench -- scale

bench-memory: build
	cargo run --release --locked -p bench -- memory

# A Ray of several nodes on this machine, in an environment of its own.
test-cluster: build
	[ -x target/cluster/bin/python ] || python3 -m venv target/cluster
	target/cluster/bin/pip install --quiet --editable 'cluster/ray[test]'
	target/cluster/bin/python -m pytest -q cluster/ray/tests

bench-cluster: build
	[ -x target/cluster/bin/python ] || python3 -m venv target/cluster
	target/cluster/bin/pip install --quiet --editable 'cluster/ray[test]'
	target/cluster/bin/python cluster/ray/bench.py

bench-staged: build
	cargo run --release --locked -p bench -- staged

bench-programs: build
	cargo run --release --locked -p bench -- programs

bench-rust: build
	cargo run --release --locked -p bench -- rust

# Each part gets its share of the time; what differs is kept under target/sweep.
SWEEP_MINUTES ?= 5

sweep: build
	[ -x target/sweep/venv/bin/python ] || python3 -m venv target/sweep/venv
	target/sweep/venv/bin/pip install --quiet z3-solver bitwuzla cvc5
	command -v csmith >/dev/null || apt-get install --yes csmith libcsmith-dev
	cargo run --release --locked -p sweep -- --minutes $(SWEEP_MINUTES)

# The built page is checked in: whoever changes nothing in web/ needs no Node.
web:
	BLESS=1 cargo nextest run --locked -p report --test web schema
	cd web && npm ci --no-audit --no-fund && npm run build

screenshots: build
	scripts/screenshots

clean:
	cargo clean
