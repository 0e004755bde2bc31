# `make help` lists the targets. They install from apt what is missing.
.DEFAULT_GOAL := help

# Recordings and measuring programs that are no part of this project.
PUCKD_SHARED ?= ../shared
export PUCKD_SHARED := $(abspath $(PUCKD_SHARED))

# Options for each build and test, such as -Xswiftc -warnings-as-errors.
SWIFT_FLAGS ?=
# These keep puckd small in memory (docs/performance.md): no regular expressions (1 MB, unused); one section per function, so
# that GNU ld can place the functions that run next to each other (linker/README.md); no exported names; packed relocations.
SMALL := -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
	-Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -use-ld=bfd -Xlinker "-L$(CURDIR)/linker" -Xlinker -T -Xlinker hot-text.ld \
	-Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs
RELEASE := -c release --static-swift-stdlib $(SMALL) $(SWIFT_FLAGS)
RELEASE_DIRECTORY = $(shell swift build $(RELEASE) --show-bin-path)
SOURCES := Package.swift Sources Tests

# Python with the packages of the measuring programs, in a virtual environment.
PYTHON := .build/python/bin/python

export DESTDIR PREFIX UNITDIR

.PHONY: help run test system-test build install uninstall deb release lint quality quality-constants privacy bench hot-text \
	check-hot-text check-instructions fuzz sanitize faults api dependencies measuring-programs release-directory

help:
	@awk -F ': .*## ' '/^[a-z-]+:.* ## / { printf "make %-19s %s\n", $$1, $$2 }' Makefile

run: build ## show puckd live: a simulated receiver, a real gpsd, and what a client sees
	@Tests/scripts/run-demo.sh "$(RELEASE_DIRECTORY)"

test: dependencies ## run all tests
	swift build --build-tests $(SWIFT_FLAGS)
	Tests/scripts/run-tests.sh $(SWIFT_FLAGS)

system-test: ## test the installed package in a Debian 13 that boots; as root
	@Tests/scripts/install-dependencies.sh git python3
	Tests/system/make-trees.sh .build/system-test
	python3 Tests/system/run.py .build/system-test

build: dependencies ## build puckd and puckctl in .build/release
	swift build $(RELEASE)

install: build ## install into PREFIX (/usr/local), under DESTDIR
	@systemd/install.sh install "$(RELEASE_DIRECTORY)"

uninstall: ## remove what `make install` installed
	@systemd/install.sh uninstall

deb: build ## make a package for this Debian release in .build/deb
	@Tests/scripts/install-dependencies.sh build-essential debhelper
	systemd/debian/build.sh "$(RELEASE_DIRECTORY)"

release: build ## check that this commit can be tagged as a release
	Tests/scripts/check-release.sh "$(RELEASE_DIRECTORY)"

# DocC comes with the toolchain of swift.org; Debian's has none.
api: dependencies ## make the API reference in .build/api
	Tests/scripts/make-api-reference.sh .build/api

lint: dependencies ## check the format
	swift format lint --strict --recursive $(SOURCES)

# Seconds of fuzzing for each target.
SECONDS ?= 60
fuzz: dependencies ## give random bytes to each parser (SECONDS=60 each)
	Tests/scripts/fuzz.sh $(SECONDS)

# Two tests cannot run with the address sanitizer: one measures memory, and the sanitizer keeps freed memory; one compiles a
# program of its own against the library. XCTest itself leaks when it ends, so leaks are not reported.
sanitize: dependencies ## run the tests with the address sanitizer
	swift build --build-tests --sanitize address --scratch-path .build/sanitized
	ASAN_OPTIONS=detect_leaks=0 swift test --skip-build --sanitize address --scratch-path .build/sanitized \
		--skip 'PuckdTests/manyClients' --skip 'ClientLibraryTests/documentedProgram'

faults: build ## measure what faults and hostile neighbours do (docs/reliability.md)
	python3 Tests/faults/measure.py "$(RELEASE_DIRECTORY)/puckd"
	python3 Tests/faults/hostile.py "$(RELEASE_DIRECTORY)/puckd"

# Location quality, by `puckd replay`, beside other methods: on recorded tracks, with the bars; then on simulated receivers
# of many kinds. PROFILE: auto, car, boat, bike, walk. SEED: the simulated receivers of an earlier run. EACH: tracks of a kind.
PROFILE ?= auto
SEED ?=
EACH ?= 10
quality: measuring-programs $(PYTHON) build ## measure how well the puck follows tracks with a known truth
	$(PYTHON) Tests/quality/measure.py "$(RELEASE_DIRECTORY)/puckd" .build/quality $(PROFILE); recorded=$$?; echo; \
		$(PYTHON) Tests/quality/simulate.py "$(RELEASE_DIRECTORY)/puckd" .build/quality/simulated --each $(EACH) \
		$(if $(SEED),--seed $(SEED)) && exit $$recorded

# Which of the filter's tuned constants the recordings know. CONSTANTS: beginnings of their names, such as bank. gate.floor
CONSTANTS ?=
quality-constants: measuring-programs $(PYTHON) ## find which tuned constants the recordings know
	$(PYTHON) Tests/quality/build_driver.py .build/quality/driver
	$(PYTHON) Tests/quality/constants.py .build/quality/driver/filter-driver .build/quality $(CONSTANTS)

# QUICK=1 runs the short form. RADIUS is in metres.
QUICK ?=
RADIUS ?= 5000
PRIVACY := .build/privacy/$(RADIUS)$(if $(QUICK),-quick)
privacy: measuring-programs $(PYTHON) build ## attack the approximate location (QUICK=1, RADIUS=5000)
	mkdir -p $(PRIVACY)/state
	TMPDIR=$(PRIVACY)/state APPROX_RADIUS=$(RADIUS) $(PYTHON) Tests/scripts/privacy-attack.py \
		$(PUCKD_SHARED)/privacy/attack.py \
		'awk -f Tests/scripts/dwell.awk | PUCKD=$(RELEASE_DIRECTORY)/puckd $(PYTHON) $(PUCKD_SHARED)/privacy/puckd_filter.py' \
		$(PRIVACY)/figures.json $(if $(QUICK),--quick)
	rm -r $(PRIVACY)/state
	$(PYTHON) Tests/scripts/privacy-bars.py $(PRIVACY)/figures.json $(RADIUS)

# Some of: fanout latency memory idle start pipeline. All by default.
SECTIONS ?=
BENCH := .build/bench
bench: dependencies $(BENCH)/floor $(BENCH)/readers $(BENCH)/latency $(PYTHON) build ## measure speed and memory beside gpsd (SECTIONS, QUICK=1)
	@$(PYTHON) -c 'import filterpy' 2>/dev/null || $(PYTHON) -m pip install --quiet filterpy
	@QUICK=$(QUICK) BENCH_TOOLS=$(BENCH) BENCH_BUILD="$(RELEASE_DIRECTORY)" $(PYTHON) Tests/bench/run.py $(SECTIONS)

$(BENCH)/%: Tests/bench/%.c Tests/bench/sockets.h
	@mkdir -p $(BENCH)
	$(CC) -O2 -Wall -Wextra -Werror -o $@ $< $(LDLIBS)

$(BENCH)/latency: LDLIBS = -lm -lutil -lsystemd

hot-text: dependencies $(BENCH)/readers ## write the list of functions that run (linker/README.md)
	@Tests/scripts/install-dependencies.sh valgrind python3
	swift build $(RELEASE) --product receiver-simulator
	swift build $(RELEASE) --product puckd -Xlinker -Map=.build/puckd.map
	@BENCH_TOOLS=$(BENCH) BENCH_BUILD="$(RELEASE_DIRECTORY)" python3 Tests/bench/hot_text.py .build/puckd.map

check-hot-text: build ## check that the list of functions is up to date
	Tests/scripts/check-hot-text.py "$(RELEASE_DIRECTORY)"

check-instructions: build ## count the instructions of an epoch and of a frame
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
