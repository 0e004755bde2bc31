# make run          a simulated receiver, a real gpsd, puckd, and what a client sees, live
# make test         all tests
# make system-test  the package in a Debian 13 that boots with its own systemd; as root
# make deb          a package for the Debian release that this is, in .build/deb
# make install      into PREFIX (/usr/local), under DESTDIR; make uninstall removes it
# They install from apt what is missing. The rest is for those who work on it: build, lint, quality, quality-constants,
# privacy, bench, hot-text, check-instructions, fuzz, sanitize, faults.

# Recordings and measuring programs that are no part of this project.
PUCKD_SHARED ?= ../shared
export PUCKD_SHARED := $(abspath $(PUCKD_SHARED))

# Options for every build and test, such as -Xswiftc -warnings-as-errors.
SWIFT_FLAGS ?=
# What makes puckd small in memory (docs/performance.md): no regular expressions, 1 MB that nothing asks for; a section for
# each function, of which GNU ld puts those that run side by side; no names of functions for others to look up; relocations
# in a hundredth of their size.
SMALL := -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
	-Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -use-ld=bfd -Xlinker "-L$(CURDIR)/Sources/hot-text" -Xlinker -T -Xlinker hot-text.ld \
	-Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
RELEASE := -c release --static-swift-stdlib $(SMALL) $(SWIFT_FLAGS)
RELEASE_DIRECTORY = $(shell swift build $(RELEASE) --show-bin-path)
SOURCES := Package.swift Sources Tests

# Python with what the measuring programs need, in a virtual environment.
PYTHON := .build/python/bin/python

export DESTDIR PREFIX UNITDIR

.PHONY: run test system-test build install uninstall deb lint quality quality-constants privacy bench hot-text \
	check-instructions fuzz sanitize faults dependencies measuring-programs release-directory

run: build
	@Tests/scripts/run-demo.sh "$(RELEASE_DIRECTORY)"

test: dependencies
	swift build --build-tests $(SWIFT_FLAGS)
	swift test --skip-build $(SWIFT_FLAGS)

system-test:
	@Tests/scripts/install-dependencies.sh git python3
	Tests/system/make-trees.sh .build/system-test
	python3 Tests/system/run.py .build/system-test

build: dependencies
	swift build $(RELEASE)

install: build
	@systemd/install.sh install "$(RELEASE_DIRECTORY)"

uninstall:
	@systemd/install.sh uninstall

deb: build
	@Tests/scripts/install-dependencies.sh build-essential debhelper
	systemd/debian/build.sh "$(RELEASE_DIRECTORY)"

lint: dependencies
	swift format lint --strict --recursive $(SOURCES)

# Strangers' bytes, as libFuzzer makes them up, for so many seconds a target.
SECONDS ?= 60
fuzz: dependencies
	Tests/scripts/fuzz.sh $(SECONDS)

# All tests with the address sanitizer, but two that can't be: one measures memory, of which the sanitizer keeps what was
# freed; one compiles a program of its own against the library. XCTest itself leaks at its end, so leaks are not told.
sanitize: dependencies
	swift build --build-tests --sanitize address --scratch-path .build/sanitized
	ASAN_OPTIONS=detect_leaks=0 swift test --skip-build --sanitize address --scratch-path .build/sanitized \
		--skip 'PuckdTests/manyClients' --skip 'ClientLibraryTests/documentedProgram'

# What puckd does when things go wrong, as docs/reliability.md has it.
faults: build
	python3 Tests/faults/measure.py "$(RELEASE_DIRECTORY)/puckd"
	python3 Tests/faults/hostile.py "$(RELEASE_DIRECTORY)/puckd"

# Location quality, by `puckd replay`, beside other methods: on recorded tracks, with the bars; then on simulated receivers
# of many kinds. PROFILE: auto, car, boat, bike, walk. SEED: the simulated receivers of an earlier run. EACH: tracks of a kind.
PROFILE ?= auto
SEED ?=
EACH ?= 10
quality: measuring-programs $(PYTHON) build
	$(PYTHON) Tests/quality/measure.py "$(RELEASE_DIRECTORY)/puckd" .build/quality $(PROFILE); recorded=$$?; echo; \
		$(PYTHON) Tests/quality/simulate.py "$(RELEASE_DIRECTORY)/puckd" .build/quality/simulated --each $(EACH) \
		$(if $(SEED),--seed $(SEED)) && exit $$recorded

# Which of the filter's tuned constants the recordings know. CONSTANTS: beginnings of their names, such as bank. gate.floor
CONSTANTS ?=
quality-constants: measuring-programs $(PYTHON)
	$(PYTHON) Tests/quality/build_driver.py .build/quality/driver
	$(PYTHON) Tests/quality/constants.py .build/quality/driver/filter-driver .build/quality $(CONSTANTS)

# The attacks on approximate location, and their figures beside the bars. QUICK=1: the short form. RADIUS: metres.
QUICK ?=
RADIUS ?= 5000
PRIVACY := .build/privacy/$(RADIUS)$(if $(QUICK),-quick)
privacy: measuring-programs $(PYTHON) build
	mkdir -p $(PRIVACY)/state
	TMPDIR=$(PRIVACY)/state APPROX_RADIUS=$(RADIUS) $(PYTHON) $(PUCKD_SHARED)/privacy/attack.py --name puckd \
		--cmd 'awk -f Tests/scripts/dwell.awk | PUCKD=$(RELEASE_DIRECTORY)/puckd $(PYTHON) $(PUCKD_SHARED)/privacy/puckd_filter.py' \
		--out $(PRIVACY)/figures.json $(if $(QUICK),--quick) >$(PRIVACY)/log
	rm -r $(PRIVACY)/state
	$(PYTHON) Tests/scripts/privacy-bars.py $(PRIVACY)/figures.json $(RADIUS)

# Speed and size beside gpsd, the kernel's floor and a Python filter. SECTIONS: fanout latency memory idle start pipeline,
# or some of them. QUICK=1: short windows.
SECTIONS ?=
BENCH := .build/bench
bench: $(BENCH)/floor $(BENCH)/readers $(BENCH)/latency $(PYTHON) build
	@$(PYTHON) -c 'import filterpy' 2>/dev/null || $(PYTHON) -m pip install --quiet filterpy
	@QUICK=$(QUICK) BENCH_TOOLS=$(BENCH) BENCH_BUILD="$(RELEASE_DIRECTORY)" $(PYTHON) Tests/bench/run.py $(SECTIONS)

$(BENCH)/%: Tests/bench/%.c Tests/bench/sockets.h
	@mkdir -p $(BENCH)
	$(CC) -O2 -Wall -Wextra -Werror -o $@ $< $(LDLIBS)

$(BENCH)/latency: LDLIBS = -lm -lutil -lsystemd

# Writes anew which functions run, for the linker to put side by side: for when memory at rest has grown, and for another
# compiler.
hot-text: $(BENCH)/readers
	@Tests/scripts/install-dependencies.sh valgrind python3
	swift build $(RELEASE) --product receiver-simulator
	swift build $(RELEASE) --product puckd -Xlinker -Map=.build/puckd.map
	@BENCH_TOOLS=$(BENCH) BENCH_BUILD="$(RELEASE_DIRECTORY)" python3 Tests/bench/hot_text.py .build/puckd.map

check-instructions: build
	@Tests/scripts/install-dependencies.sh valgrind python3
	Tests/scripts/check-instructions.py "$(RELEASE_DIRECTORY)"

release-directory:
	@echo "$(RELEASE_DIRECTORY)"

dependencies:
	@Tests/scripts/install-dependencies.sh

measuring-programs:
	@test -d "$(PUCKD_SHARED)/quality/data" || { \
		echo "The recorded tracks and the programs that measure with them are not in $(PUCKD_SHARED);" \
			"say where they are: make $(MAKECMDGOALS) PUCKD_SHARED=DIRECTORY" >&2; exit 1; }

$(PYTHON):
	@python3 -c 'import ensurepip' 2>/dev/null || Tests/scripts/install-dependencies.sh python3-venv
	python3 -m venv .build/python
	$(PYTHON) -m pip install --quiet numpy scipy
