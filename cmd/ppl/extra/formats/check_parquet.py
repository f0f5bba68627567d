#!/usr/bin/env python3
"""Compares a fit's draws.parquet, as Apache Arrow's reader prints it, with its CSV files.

Usage: check_parquet.py DIR PRINTED, where PRINTED is the output of Arrow's parquet_reader
with --json for DIR/draws.parquet (check.sh makes it).
"""

import csv
import glob
import json
import math
import os
import sys


def main(folder, printed):
    with open(printed) as f:
        text = f.read()
    rows = json.loads(text[text.index("[\n"):] if "[\n" in text else text[text.index("[{"):])
    worst, compared = 0.0, 0
    for path in glob.glob(os.path.join(folder, "chain-*.csv")):
        chain = int(path.split("-")[-1][:-4])
        with open(path) as f:
            expected = list(csv.DictReader(line for line in f if not line.startswith("#")))
        found = [r for r in rows if int(r["chain__"]) == chain]
        assert len(found) == len(expected), (chain, len(found), len(expected))
        for have, want in zip(found, expected):
            for name, value in want.items():
                x, y = float(have[name]), float(value)
                compared += 1
                if math.isnan(x) and math.isnan(y) or x == y:
                    continue
                worst = max(worst, abs(x - y) / abs(y))
    print(f"{compared} numbers compared; greatest relative difference {worst:.1e}")
    assert worst < 1e-6, "the Parquet file differs from the CSV files"
    print("ok")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
