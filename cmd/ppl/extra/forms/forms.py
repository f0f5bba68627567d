"""Times models that are written in different ways and mean the same: how much longer does each take than the fastest?

usage: python3 forms.py PPL [GROUP ...]

PPL is the command. forms.txt has a group of models under each "== name", a model body a line, with lines of functions or
transformed parameters before it. A row has the least time of a gradient in microseconds, and each model's over that; their
log densities must agree.
"""

import json, pathlib, random, re, subprocess, sys, tempfile

N, K, G, T = 1000, 5, 20, 50
DATA = """data { int N; int K; int G; int T; int J; vector[N] y; vector[N] x; vector[N] z; matrix[N, K] X; array[N] int g; array[N] int k;
  array[N] int c; matrix[J, T] Y; array[J, T] int C; array[N] int o; vector[N] p; array[G] int n; array[G] int start; array[N] int gs;
  array[N] vector[3] YM; }
parameters { real a; real b; vector[K] w; vector[G] u; real<lower=0> s; real<lower=0> tau; vector<lower=0>[G] sg; ordered[3] cut;
  real<lower=0, upper=1> q; vector[J] v; vector[T] e; matrix[G, K] B; simplex[3] th; vector[3] m3; cholesky_factor_corr[3] L;
  vector<lower=0>[3] s3; }
"""
PRIORS = """a ~ normal(0, 1); b ~ normal(0, 1); w ~ normal(0, 1); u ~ normal(0, tau); s ~ normal(0, 1); tau ~ normal(0, 1);
  sg ~ normal(0, 1); v ~ normal(0, 1); e ~ normal(0, 1); to_vector(B) ~ normal(0, 1); s3 ~ normal(0, 1); m3 ~ normal(0, 1);
  L ~ lkj_corr_cholesky(2); cut ~ normal(0, 2);
"""


def numbers():
    r = random.Random(2)
    real = lambda: round(r.gauss(0, 1), 3)
    vector = lambda n: [real() for _ in range(n)]
    groups = [r.randint(1, G) for _ in range(N)]
    counts = [groups.count(i + 1) for i in range(G)]
    return {"N": N, "K": K, "G": G, "T": T, "J": N // T, "y": vector(N), "x": vector(N), "z": vector(N), "X": [vector(K) for _ in range(N)],
            "g": groups, "gs": sorted(groups), "n": counts, "start": [1 + sum(counts[:i]) for i in range(G)],
            "k": [r.randint(0, 1) for _ in range(N)], "c": [r.randint(0, 6) for _ in range(N)], "o": [r.randint(1, 4) for _ in range(N)],
            "Y": [vector(T) for _ in range(N // T)], "C": [[r.randint(0, 1) for _ in range(T)] for _ in range(N // T)],
            "p": [abs(real()) + 0.1 for _ in range(N)], "YM": [vector(3) for _ in range(N)]}


def groups():
    out, functions, transformed = {}, "", ""
    for line in pathlib.Path(__file__).with_name("forms.txt").read_text().splitlines():
        if line.startswith("== "):
            models = out.setdefault(line[3:], [])
        elif line.startswith("functions: "):
            functions = line[11:] + "\n"
        elif line.startswith("transformed: "):
            transformed = "transformed parameters { " + line[13:] + " }\n"
        else:
            models.append(functions + DATA + transformed + "model { " + PRIORS + line + " }\n")
            functions = transformed = ""
    return out


def gradient(ppl, folder, text):
    """Nanoseconds, the least of two runs, and the log density; None and the message where there is none."""
    model, best = folder / "model.stan", None
    model.write_text(text)
    for _ in range(2):
        r = subprocess.run([ppl, "density", model, "--data", folder / "data.json", "--at", "zeros", "--time"], capture_output=True, text=True)
        found = re.search(r'"log_density":([-0-9.e+]+).*"ns_per_gradient":([0-9.e+]+)', r.stdout)
        if not found:
            return None, r.stderr or r.stdout
        best = min(float(found[2]), best or float(found[2]))
    return best, found[1]


def main(ppl, *only):
    with tempfile.TemporaryDirectory() as d:
        folder = pathlib.Path(d)
        (folder / "data.json").write_text(json.dumps(numbers()))
        for name, models in groups().items():
            if only and name not in only:
                continue
            times = [gradient(ppl, folder, text) for text in models]
            failed = [message for t, message in times if t is None]
            if failed:
                print(name, failed[0])
                continue
            least = min(t for t, _ in times)
            densities = {f"{float(lp):.8g}" for _, lp in times}
            differ = "" if len(densities) == 1 else "  log densities differ: " + " ".join(sorted(densities))
            print(f"{name:10} {least / 1000:8.2f}  " + " ".join(f"{t / least:.1f}" for t, _ in times) + differ, flush=True)


main(*sys.argv[1:])
