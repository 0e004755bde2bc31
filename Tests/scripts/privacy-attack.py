#!/usr/bin/env python3
"""usage: privacy-attack.py ATTACK.py COMMAND FIGURES.json [--quick]

Runs the attacks of a bench on the mechanism that COMMAND runs, on all processors, and writes the figures.

The short form watches more homes than the bench's own. An attack finds 4 homes of 100 to 500 m; the bench's short form
tests 12 homes, too few to tell 4 of 100 from the bar of 7."""
import concurrent.futures
import importlib
import json
import os
import sys

import numpy as np

PARTS_WITHOUT_PEOPLE = ["stat", "coll", "street", "shift"]
FIRST_PERSON, DAYS = 1000, 30
# How many are watched for a month, and how many of them are followed on the move for a day.
PEOPLE, PEOPLE_QUICK = 300, 120
TRAJECTORIES, TRAJECTORIES_QUICK = 14, 6


def bench_at(path):
    """The bench as a module that worker processes find by the same name."""
    directory, name = os.path.split(os.path.abspath(path))
    if directory not in sys.path:
        sys.path.insert(0, directory)
    return importlib.import_module(os.path.splitext(name)[0])


def figures_of(path, command, part, quick):
    bench = bench_at(path)
    return bench.evaluate(bench.CmdBox(command, "puckd"), quick, part)


def month_of(path, command, number):
    """What the mechanism shows in a month of one person's life."""
    bench = bench_at(path)
    person = bench.Person(FIRST_PERSON + number, DAYS)
    box = bench.CmdBox(command, "puckd")
    device = box.new_device()
    shown = box.run(device, person.t, person.lat, person.lon, person.eph, person.spd, person.crs)
    return person, (np.asarray(shown[0]), person.frame.xy(shown[1], shown[2]), np.asarray(shown[3]), device)


def main():
    if len(sys.argv) not in (4, 5) or sys.argv[4:] not in ([], ["--quick"]):
        sys.exit(__doc__)
    path, command, output = sys.argv[1:4]
    quick = len(sys.argv) == 5
    bench_at(path)
    figures = {}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        parts = [pool.submit(figures_of, path, command, part, quick) for part in PARTS_WITHOUT_PEOPLE]
        months = [
            pool.submit(month_of, path, command, number) for number in range(PEOPLE_QUICK if quick else PEOPLE)
        ]
        people, traces = zip(*[month.result() for month in months])
        bench = bench_at(path)
        bench.honesty_utility(people, traces, figures)
        bench.attack_home(None, people, traces, figures)
        bench.attack_traj(
            bench.CmdBox(command, "puckd"), people, traces, figures, TRAJECTORIES_QUICK if quick else TRAJECTORIES)
        for part in parts:
            figures.update(part.result())
    with open(output, "w") as file:
        json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
