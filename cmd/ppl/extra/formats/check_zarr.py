#!/usr/bin/env python3
"""Reads the Zarr store of a fit with xarray and compares it with the fit's CSV files.

Needs Debian's python3-xarray and python3-zarr. Usage: check_zarr.py DIR, where DIR is the
folder of "ppl run MODEL --out DIR --format zarr [--predictive] [--save-warmup]".
"""

import csv
import glob
import os
import sys

import numpy as np
import xarray as xr

STATS = {
    "lp__": "lp", "accept_stat__": "acceptance_rate", "stepsize__": "step_size", "treedepth__": "tree_depth",
    "n_leapfrog__": "n_steps", "divergent__": "diverging", "energy__": "energy",
}


def read_csv(path):
    with open(path) as f:
        rows = list(csv.reader(line for line in f if not line.startswith("#")))
    return rows[0], np.array([[float(x) for x in row] for row in rows[1:]])


def main(folder):
    store = os.path.join(folder, "draws.zarr")
    groups = sorted(os.listdir(store))
    opened = {g: xr.open_zarr(store, group=g, consolidated=True) for g in groups if not g.startswith(".")}
    for name, group in opened.items():
        print(f"{name}: {dict(group.sizes)}; {', '.join(sorted(group.data_vars))}")
    chains = sorted(glob.glob(os.path.join(folder, "chain-*.csv")), key=lambda p: int(p.split("-")[-1][:-4]))
    worst = 0.0
    compared = 0
    for c, path in enumerate(chains):
        names, rows = read_csv(path)
        draws = opened["posterior"].sizes["draw"]
        rows = rows[-draws:]  # what comes before is warm-up
        for k, column in enumerate(names):
            if column.endswith("__"):
                values = opened["sample_stats"][STATS.get(column, column[:-2])].values[c]
            else:
                base, *index = column.split(".")
                part = index.pop() if index and index[-1] in ("real", "imag") else None
                group = "log_likelihood" if base == "log_lik" else "posterior"
                variable = opened[group][base].values[c]
                values = variable[(slice(None),) + tuple(int(i) - 1 for i in index)]
                if part:
                    values = getattr(values, part)
            assert values.shape == (draws,), (column, values.shape)
            error = np.abs(values.astype(float) - rows[:, k]) / np.maximum(1e-300, np.abs(rows[:, k]))
            worst = max(worst, float(np.nanmax(error)))
            compared += 1
    print(f"{compared} columns of {len(chains)} chains compared; greatest relative difference {worst:.1e}")
    assert worst < 1e-6, "the store differs from the CSV files"
    if "sample_stats" in opened and "diverging" in opened["sample_stats"]:
        assert opened["sample_stats"]["diverging"].dtype == bool
        assert opened["sample_stats"]["tree_depth"].dtype.kind == "i"
    for name, group in opened.items():
        for variable in group.data_vars:
            dims = group[variable].dims
            if name not in ("observed_data", "constant_data"):
                assert dims[:2] == ("chain", "draw"), (name, variable, dims)
    print("ok")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
