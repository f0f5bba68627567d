"""Times the gradient of sums over 500 arguments of densities, distribution functions and functions of the library, slowest first.

usage: python3 functions.py PPL [PATTERN [FOLDER]]

PPL is the command; only names that match the pattern are timed. With a folder, each model and its data are written there too,
for a comparison with Stan (cmd/ppl/extra/peers/stan): the priors are narrow, so that a sampler stays where the arguments are ordinary.
functions.txt has a distribution or a statement a line.
"""

import json, pathlib, random, re, subprocess, sys, tempfile

N = 500
MODEL = """data { int N; vector[N] x; vector[N] y; vector<lower=0>[N] p; vector[N] q; array[N] int k; array[N] int b; array[N] int n; }
parameters { real a; real c; real e; }
model {
  a ~ normal(0, 0.01); c ~ normal(0, 0.01); e ~ normal(0, 0.01);
  vector[N] m = 0.3 + a + (0.7 + c) * x;
  vector[N] s = exp(0.1 + e + 0.3 * (1 + c) * x);
  %s
}
"""
NAMES = r"\b(x|y|p|q|k|b|n|m|s)\b(?!\()"


def numbers():
    r = random.Random(4)
    draw = lambda f: [f() for _ in range(N)]
    return {"N": N, "x": draw(lambda: r.gauss(0, 1)), "y": draw(lambda: r.gauss(0, 1)), "p": draw(lambda: r.expovariate(1) + 0.05),
            "q": draw(lambda: r.uniform(0.05, 0.95)), "k": draw(lambda: r.randint(0, 8)), "b": draw(lambda: r.randint(0, 1)),
            "n": draw(lambda: r.randint(9, 12))}


def models():
    distributions = True
    for line in pathlib.Path(__file__).with_name("functions.txt").read_text().splitlines():
        if not line or line[0] == "#":
            distributions = distributions and bool(line)
            continue
        name, text = line.split(": ", 1)
        if not distributions:
            yield name, "for (i in 1:N) " + text if "[i]" in text else text
            continue
        variate, parameters = text.split("|")
        for suffix in ("lpmf" if variate.strip() in "kb" else "lpdf", "lcdf", "lccdf"):
            call = f"target += {name}_{suffix}({variate}|{parameters});"
            yield f"{name}_{suffix}", call
            yield f"{name}_{suffix}_loop", "for (i in 1:N) " + re.sub(NAMES, r"\1[i]", call)


def microseconds(ppl, folder):
    r = subprocess.run([ppl, "density", folder / "model.stan", "--data", folder / "data.json", "--at", "zeros", "--time"], capture_output=True, text=True)
    found = re.search(r'"log_density":(-?[0-9.e+-]+).*"ns_per_gradient":([0-9.e+]+)', r.stdout)
    return (float(found[2]) / 1000, found[1]) if found else (None, r.stderr or r.stdout)


def main(ppl, pattern="", keep=None):
    rows, failed = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name, statement in models():
            if not re.search(pattern, name):
                continue
            folder = pathlib.Path(keep or scratch) / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "data.json").write_text(json.dumps(numbers()))
            (folder / "model.stan").write_text(MODEL % statement)
            time, told = microseconds(ppl, folder)
            if time is not None:
                rows.append((time, name, told))
            elif "undeclared-function" not in told:  # there is no such tail
                failed.append((name, told))
    for time, name, density in sorted(rows, reverse=True):
        print(f"{name:32} {time:9.1f}  {density}")
    for name, told in failed:
        print(name, told)


main(*sys.argv[1:])
