#!/usr/bin/env python3
"""Drives the folder that "ppl cmdstan" lays out as CmdStanPy 1.2 and 1.3 and CmdStanR 0.8 and
0.9 do: the same command lines, and files, standard output and exit codes read by the same
rules. Python's own library is all it needs.

    ppl cmdstan DIR && python3 replay.py DIR
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

home = os.path.abspath(sys.argv[1])
work = tempfile.mkdtemp()

MODEL = """
data { int<lower=0> N; array[N] int<lower=0, upper=1> y; }
parameters { real<lower=0, upper=1> theta; array[2] vector[3] z; tuple(real, vector[2]) t; }
transformed parameters { matrix[2, 2] m = rep_matrix(theta, 2, 2); }
model { theta ~ beta(1, 1); y ~ bernoulli(theta); for (i in 1:2) z[i] ~ std_normal(); t.1 ~ std_normal(); t.2 ~ std_normal(); }
generated quantities { int rep = bernoulli_rng(theta); complex c = to_complex(theta, 1); }
"""
MORE = MODEL.replace("generated quantities {", "generated quantities { real twice = 2 * theta;")
FIXED = "generated quantities { real x = normal_rng(0, 1); }\n"
DATA = {"N": 10, "y": [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]}


def path(*names):
    return os.path.join(work, *names)


def write(name, text):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return path(name)


def run(*args, code=0, **options):
    p = subprocess.run(args, capture_output=True, text=True, check=False, **options)
    assert p.returncode == code, f"{args}: exit code {p.returncode}\n{p.stdout}\n{p.stderr}"
    return p.stdout


def check(condition, *what):
    if not condition:
        raise AssertionError(what)


def version():
    """Both clients read the version out of the makefile."""
    with open(os.path.join(home, "makefile"), encoding="utf-8") as f:
        text = f.read()
    at = text.find("CMDSTAN_VERSION := ")
    check(at >= 0, "no version")
    numbers = text[at + len("CMDSTAN_VERSION := "):].split("\n")[0].split(".")
    check(tuple(map(int, numbers[:2])) >= (2, 35), numbers)


def compile_py(name, *flags):
    """CmdStanPy: stanc --info for the variables, make with the flags, then "info"."""
    stan = path(name + ".stan")
    info = json.loads(run(os.path.join(home, "bin", "stanc"), "--info", stan))
    for key in ("inputs", "parameters", "transformed parameters", "generated quantities", "functions", "distributions"):
        check(key in info, key)
    run("make", "STANCFLAGS+=--filename-in-msg=" + os.path.basename(stan), *flags, path(name), cwd=home)
    return exe_info(path(name)), info


def exe_info(exe):
    facts = {}
    for line in run(exe, "info").splitlines():
        pair = [x.strip() for x in line.split("=")]
        if len(pair) == 2:
            facts[pair[0]] = pair[1]
    check({"stan_version_major", "stan_version_minor", "STAN_THREADS"} <= set(facts), facts)
    return facts


def compile_r(name):
    """CmdStanR: flags asked of make, a syntax check by stanc, make with a model's name in
    quotation marks, in a folder with a space."""
    flags = run("make", "-s", "print-STANCFLAGS", cwd=home)
    check(flags.startswith("STANCFLAGS ="), flags)
    stan = path(name + ".stan")
    hpp = path(name + "-check.hpp")
    run(os.path.join(home, "bin", "stanc"), "--name=" + os.path.basename(name) + "_model", "--o=" + hpp, stan)
    check(os.path.exists(hpp), hpp)
    run("make", path(name), "STAN_THREADS=TRUE", f"STANCFLAGS += --name='{os.path.basename(name)}_model'", cwd=home)
    check(exe_info(path(name))["STAN_THREADS"] == "true")


def read(file):
    """The comments before and after the header, and the rows, with their places."""
    with open(file, encoding="utf-8") as f:
        lines = f.read().splitlines()
    comments, header, rows = [], None, []
    for number, line in enumerate(lines):
        if line.startswith("#"):
            comments.append(line)
        elif header is None:
            header = (number, line)
        else:
            rows.append((number, line))
    return lines, comments, header, rows


def config(comments):
    out = {}
    for line in comments:
        line = line.replace("(Default)", "").lstrip(" #\t").strip()
        pair = [x.strip() for x in line.split("=")]
        if len(pair) != 2:
            continue
        key, value = pair
        if key == "file":
            if not value.endswith("csv"):
                out["data_file"] = value
            continue
        for cast in (int, float, str):
            try:
                out[key] = cast(value)
                break
            except ValueError:
                pass
    return out


def adaptation(lines, at, metric):
    """The block behind warm-up, as CmdStanPy insists on it; gives the place behind it."""
    check(lines[at] == "# Adaptation terminated", lines[at])
    check(lines[at + 1].startswith("# Step size = "), lines[at + 1])
    float(lines[at + 1].split("=")[1])
    if metric == "unit_e":
        return at + 2 + lines[at + 2].startswith("# No free parameters")
    check(lines[at + 2] == {"diag_e": "# Diagonal elements of inverse mass matrix:", "dense_e": "# Elements of inverse mass matrix:"}[metric])
    n = len(lines[at + 3].lstrip("# ").split(","))
    for row in range(1 if metric == "diag_e" else n):
        check(len(lines[at + 3 + row].lstrip("# ").split(",")) == n)
    return at + 3 + (1 if metric == "diag_e" else n)


def check_sample(file, warmup=1000, sampling=1000, thin=1, save_warmup=False, fixed=False):
    lines, comments, (at, header), rows = read(file)
    c = config(comments)
    check(c["method"] == "sample", c)
    names = header.split(",")
    begin = at + 1
    kept = math.ceil(sampling / thin)
    check(c["save_warmup"] == int(save_warmup), c["save_warmup"])
    if not fixed:
        check(c["thin"] == thin and c["num_samples"] == sampling and c["num_warmup"] == warmup, c)
        if save_warmup:
            begin += math.ceil(warmup / thin)
        check(all(not line.startswith("#") for line in lines[at + 1:begin]), "warm-up")
        begin = adaptation(lines, begin, c["metric"])
        for line in lines[begin:begin + kept]:
            values = line.split(",")
            int(values[names.index("divergent__")]), int(values[names.index("treedepth__")])
    draws = lines[begin:begin + kept]
    check(len(draws) == kept and all(line.count(",") == len(names) - 1 and not line.startswith("#") for line in draws), "rows")
    check(lines[begin + kept].startswith("#"), "too many rows", lines[begin + kept])
    times = dict((phase, float(s)) for s, phase in re.findall(r"([\d.]+) seconds \((.+)\)", "\n".join(comments)))
    check(set(times) == {"Warm-up", "Sampling", "Total"}, times)
    return names, draws


def progress(text, chains=None):
    """The lines that feed progress bars."""
    pattern = r"Chain \[(\d*)\] Iteration:\s*(\d*)\s*/\s*(\d*)\s*\[\s*\d*%\]\s*\((\S*)\)" if chains else r"Iteration:\s*(\d+)\s*/\s*(\d+)\s*\[\s*\d+%\]\s*\((\S*)\)"
    found = re.findall(pattern, text)
    check(found, "no progress", text[:500])
    if chains:
        check({f[0] for f in found} == {str(c) for c in chains}, found)
    check({f[-1] for f in found} <= {"Warmup", "Sampling"}, found)


def sampling():
    exe, data = path("model"), path("data.json")
    base = [exe, "id=1", "random", "seed=4711", "data", "file=" + data]
    inits = write("inits.json", json.dumps({"theta": 0.3, "z": [[0, 0, 0], [0, 0, 0]]}))
    out = path("py-1.csv")
    # CmdStanPy with everything set, and files beside the draws.
    text = run(*base, "init=" + inits, "output", "file=" + out, "diagnostic_file=" + path("py-diagnostic-1.csv"), "profile_file=" + path("py-profile-1.csv"),
               "refresh=50", "sig_figs=18", "save_cmdstan_config=1", "method=sample", "num_samples=200", "num_warmup=300", "save_warmup=1", "thin=2",
               "algorithm=hmc", "engine=nuts", "max_depth=8", "stepsize=0.5", "metric=dense_e", "adapt", "engaged=1", "delta=0.9", "init_buffer=30",
               "term_buffer=30", "window=20", "save_metric=1")
    progress(text)
    names, _ = check_sample(out, 300, 200, 2, True)
    check(names[7:] == ["theta", "z.1.1", "z.2.1", "z.1.2", "z.2.2", "z.1.3", "z.2.3", "t:1", "t:2.1", "t:2.2",
                        "m.1.1", "m.2.1", "m.1.2", "m.2.2", "rep", "c.real", "c.imag"], names)
    with open(path("py-1_config.json"), encoding="utf-8") as f:
        c = json.load(f)
    check(c["method"]["sample"]["num_samples"] == 200 and c["method"]["sample"]["save_warmup"] is True and c["method"]["sample"]["thin"] == 2, c)
    check(c["method"]["sample"]["algorithm"]["hmc"]["metric"]["value"] == "dense_e" and c["id"] == 1, c)
    with open(path("py-1_metric.json"), encoding="utf-8") as f:
        m = json.load(f)
    check(m["metric_type"] == "dense_e" and len(m["inv_metric"]) == len(m["inv_metric"][0]) == 10 and m["stepsize"] > 0, m)
    # The metric comes back, without adaptation.
    run(*base, "output", "file=" + path("again.csv"), "method=sample", "num_warmup=0", "algorithm=hmc", "metric=dense_e",
        "metric_file=" + path("py-1_metric.json"), "stepsize=0.3", "adapt", "engaged=0")
    check_sample(path("again.csv"), warmup=0)
    # CmdStanR: every chain a process, "adapt" after the engine; each has its own files.
    for chain in (1, 2):
        text = run(exe, f"id={chain}", "random", f"seed={chain + 6}", "data", "file=" + data, "init=0.5", "output", f"file={path(f'r-{chain}.csv')}",
                   f"profile_file={path('r-profile.csv')}", "save_cmdstan_config=0", "method=sample", "num_samples=100", "num_warmup=100", "save_warmup=0",
                   "algorithm=hmc", "metric=unit_e", "engine=nuts", "adapt", "delta=0.8", "engaged=1", "save_metric=0")
        check_sample(path(f"r-{chain}.csv"), 100, 100)
        progress(text)
    check(not os.path.exists(path("r-1_config.json")) and not os.path.exists(path("r-1_metric.json")))
    # One process, several chains and threads.
    text = run(exe, "id=3", "random", "seed=1", "data", "file=" + data, "init=" + inits, "output", "file=" + path("many.csv"), "method=sample", "num_samples=50",
               "num_warmup=60", "algorithm=hmc", "adapt", "engaged=1", "save_metric=1", "num_chains=3", "num_threads=2", env=dict(os.environ, STAN_NUM_THREADS="2"))
    progress(text, (3, 4, 5))
    for chain in (3, 4, 5):
        check_sample(path(f"many_{chain}.csv"), 60, 50)
        check(os.path.exists(path(f"many_metric_{chain}.json")))
    # No parameters.
    run(path("fixed"), "id=1", "output", "file=" + path("fixed.csv"), "method=sample", "num_samples=30", "num_warmup=0", "algorithm=fixed_param")
    check(len(check_sample(path("fixed.csv"), 0, 30, fixed=True)[1]) == 30)


def point_and_approximations():
    exe, data = path("model"), path("data.json")
    base = [exe, "id=1", "random", "seed=3", "data", "file=" + data]
    mode = path("mode.csv")
    run(*base, "output", "file=" + mode, "method=optimize", "jacobian=1", "iter=2000", "algorithm=lbfgs", "init_alpha=0.001", "tol_obj=1e-12", "history_size=5", "save_iterations=0")
    _, comments, (_, header), rows = read(mode)
    check(config(comments)["method"] == "optimize" and header.startswith("lp__,theta") and len(rows) == 1)
    run(*base, "output", "file=" + path("laplace.csv"), "method=laplace", "mode=" + mode, "draws=150", "jacobian=1")
    _, comments, (_, header), rows = read(path("laplace.csv"))
    check(header.startswith("log_p__,log_q__,theta") and len(rows) == 150 and config(comments)["mode"] == mode)
    text = run(*base, "output", "file=" + path("vb.csv"), "method=variational", "algorithm=meanfield", "iter=2000", "grad_samples=2", "elbo_samples=50", "eta=1", "adapt", "engaged=1",
               "iter=30", "tol_rel_obj=0.01", "eval_elbo=100", "output_samples=120")
    check("COMPLETED." in text or "MAY BE DIVERGING" in text or "MEDIAN ELBO CONVERGED" in text, text[-500:])
    lines, _, (at, header), rows = read(path("vb.csv"))
    check(header.startswith("lp__,log_p__,log_g__,theta") and len(rows) == 121)
    check(lines[at + 1].startswith("# Stepsize adaptation complete.") and float(lines[at + 2].lstrip("# ").split("=")[1]) > 0, lines[at + 1:at + 3])
    check(rows[0][1].startswith("0,0,0,"), rows[0])
    run(*base, "output", "file=" + path("paths.csv"), "method=pathfinder", "num_paths=3", "psis_resample=1", "calculate_lp=1", "num_draws=40", "num_psis_draws=90", "num_elbo_draws=25", "save_single_paths=1",
        "max_lbfgs_iters=100", "history_size=5", "init_alpha=0.001")
    _, _, (_, header), rows = read(path("paths.csv"))
    check(header.startswith("lp_approx__,lp__") and len(rows) == 90, header)
    for single in (1, 2, 3):
        check(len(read(path(f"paths_path_{single}.csv"))[3]) == 40)


def later():
    data = path("data.json")
    run(path("more"), "id=1", "random", "seed=5", "data", "file=" + data, "output", "file=" + path("gq.csv"), "method=generate_quantities", "fitted_params=" + path("r-1.csv"))
    _, comments, (_, header), rows = read(path("gq.csv"))
    check(header.split(",")[:2] == ["twice", "rep"] and len(rows) == 100 and config(comments)["method"] == "generate_quantities", header)
    write("params.json", json.dumps({"theta": 0.4, "z": [[0, 1, 2], [3, 4, 5]], "t": {"1": 0.5, "2": [1, 2]}}))
    run(path("model"), "data", "file=" + data, "output", "file=" + path("lp.csv"), "method=log_prob", "constrained_params=" + path("params.json"), "jacobian=1")
    _, _, (_, header), rows = read(path("lp.csv"))
    check(header.startswith("lp__,g_theta") and len(rows) == 1, header)
    want = 2 * math.log(.4) + 8 * math.log(.6) + math.log(.4 * .6) - (0 + 1 + 4 + 9 + 16 + 25 + .25 + 1 + 4) / 2
    check(abs(float(rows[0][1].split(",")[0]) - want) < 1e-5, rows[0], want)
    text = run(path("model"), "data", "file=" + data, "output", "file=" + path("test.csv"), "method=diagnose", "test=gradient", "epsilon=1e-6", "error=1e-6")
    check("TEST GRADIENT MODE" in text and re.search(r"param idx +value +model +finite diff +error", text), text)
    text = run(os.path.join(home, "bin", "stansummary"), "--percentiles=5,50,95", "--sig_figs=6", "--csv_filename=" + path("summary.csv"), path("r-1.csv"), path("r-2.csv"))
    with open(path("summary.csv"), encoding="utf-8") as f:
        table = [line for line in f.read().splitlines() if not line.startswith("#")]
    check(table[0].split(",")[0].strip('"') == "name" and "R_hat" in table[0], table[0])
    text = run(os.path.join(home, "bin", "diagnose"), path("r-1.csv"), path("r-2.csv"))
    check("Checking sampler transitions treedepth" in text, text)


def failures():
    exe, data = path("model"), path("data.json")
    run(exe, "data", "file=" + path("gone.json"), "output", "file=" + path("x.csv"), "method=sample", code=1)
    run(exe, "data", "file=" + data, "output", "file=" + path("x.csv"), "method=sample", "num_samples=-1", code=1)
    run(exe, "data", "file=" + data, "method=smaple", code=1)
    write("wrong.json", json.dumps({"N": 2, "y": [0, 2]}))
    p = subprocess.run([exe, "data", "file=" + path("wrong.json"), "output", "file=" + path("x.csv"), "method=sample"], capture_output=True, text=True, check=False)
    check(p.returncode == 1 and re.search(r"y\[2\].*2", p.stdout + p.stderr), p)
    stan = write("bad.stan", "parameters { real x; } model { x ~ nrmal(0, 1); }\n")
    p = subprocess.run([os.path.join(home, "bin", "stanc"), stan], capture_output=True, text=True, check=False)
    check(p.returncode == 1 and "nrmal" in p.stderr, p)
    p = subprocess.run(["make", path("bad")], cwd=home, capture_output=True, text=True, check=False)
    check(p.returncode == 2 and "nrmal" in p.stdout + p.stderr, p)


write("model.stan", MODEL)
write("more.stan", MORE)
write("fixed.stan", FIXED)
write("with space/model.stan", MODEL)
write("data.json", json.dumps(DATA))
version()
facts, info = compile_py("model", "STAN_THREADS=TRUE")
check(facts["STAN_THREADS"] == "true", facts)
check(info["inputs"]["y"] == {"type": "int", "dimensions": 1} and info["parameters"]["z"]["dimensions"] == 2, info)
check(compile_py("fixed")[0]["STAN_THREADS"] == "false")
compile_r("more")
sampling()
point_and_approximations()
later()
failures()
print("ok")
