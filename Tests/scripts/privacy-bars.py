#!/usr/bin/env python3
"""usage: privacy-bars.py FIGURES.json RADIUS

Prints the figures of the attacks next to the bars of docs/privacy.md for a radius of 2500 or 5000 metres, and fails if
one is missed. Other radii have no bars, only figures."""
import json
import sys

# The name, the figures (the worst of them counts), whether more is better, and the bars at 2500 and 5000 m.
FIGURES = [
    ("one place, 30 days and restarts, m", ["stat_30d_med"], True, (1500, 3200)),
    ("5 clients; 4 devices; 30 installations, m", ["clients5_med", "household4_med", "reinstall30_med"], True,
     (1450, 2900)),
    ("home in 30 days, m", ["home_med"], True, (1000, 2000)),
    ("homes found to 500 m, share", ["home_under500_frac"], False, (0.15, 0.07)),
    ("more than one point at home at night, share", ["night_labels_gt1_frac"], False, (0, 0)),
    ("known street, car and walker, m", ["cross_med", "walk_cross_med"], True, (1200, 1500)),
    ("the same after 4 precise days, m", ["known_same_med", "walk_known_same_med"], True, (450, 550)),
    ("trajectory on the move, m", ["traj_moving_med"], True, (1900, 2600)),
    # Measured at the delivery, up to ten seconds after the epoch; a car has moved on by then.
    ("circle true at the epoch, share", ["honest_at_fix"], True, (0.999, 0.999)),
    ("circle true while held, share", ["honest_held"], True, (0.99, 0.99)),
    ("circle true while held, on the move, share", ["honest_held_moving"], True, (0.84, 0.84)),
]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1]) as file:
        measured = json.load(file)
    column = {"2500": 0, "5000": 1}.get(sys.argv[2])
    missed = 0
    for name, keys, more_is_better, bars in FIGURES:
        values = [measured[key] for key in keys if key in measured]
        if not values:
            continue
        worst = min(values) if more_is_better else max(values)
        line = "%-46s %9.4g" % (name, worst)
        if column is not None:
            bar = bars[column]
            # NaN is a miss.
            is_met = worst >= bar if more_is_better else worst <= bar
            missed += not is_met
            line += "   %s %-6g %s" % (">=" if more_is_better else "<=", bar, "" if is_met else "MISSED")
        print(line.rstrip())
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
