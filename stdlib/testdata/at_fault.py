"""Derives the derivatives of at_fault.jsonl from the definitions, with 60 digits.

The conformance vectors of at_fault.jsonl give a derivative as exactly 0 that is none. Each
is taken here as a difference quotient of the function's definition in 400-digit arithmetic,
by no rule of differentiation that the library could share.

    python3 at_fault.py > at_fault.jsonl      (needs mpmath)
"""
import json
from mpmath import mp, mpf, erfc, exp, log, nstr, pi, sqrt

mp.dps = 400


def standard(y, mu, sigma):
    return (log(y) - mu) / sigma


DEFINITIONS = {
    "lognormal_cdf": lambda y, mu, s: erfc(-standard(y, mu, s) / sqrt(2)) / 2,
    "lognormal_lcdf": lambda y, mu, s: log(erfc(-standard(y, mu, s) / sqrt(2)) / 2),
    "lognormal_lccdf": lambda y, mu, s: log(erfc(standard(y, mu, s) / sqrt(2)) / 2),
    "lognormal_lpdf": lambda y, mu, s: -standard(y, mu, s) ** 2 / 2 - log(y * s * sqrt(2 * pi)),
    "lmultiply": lambda x, y: x * log(y),
    "pow": lambda x, y: exp(y * log(x)),
}

# The file, the function, the number of its vector, its arguments, and which of their
# derivatives are given as 0.
VECTORS = [
    ("continuous_cdf", "lognormal_cdf", 7, [6.8409e-31, -1.1707, 1.8117], [1, 2]),
    ("continuous_cdf", "lognormal_lccdf", 10, [1.7267e30, 1.7522, 1.6067], [0]),
    ("continuous_cdf", "lognormal_lccdf", 12, [5.3209e199, -1.142, 0.58761], [0]),
    ("continuous_cdf", "lognormal_lcdf", 7, [6.8409e-31, -1.1707, 1.8117], [1, 2]),
    ("continuous_cdf", "lognormal_lcdf", 11, [5.9126e-201, -1.797, 1.2969], [1, 2]),
    ("continuous_lpdf", "lognormal_lpdf", 7, [1.5121e-30, 1.5233, 1.6985], [1, 2]),
    ("continuous_lpdf", "lognormal_lpdf", 11, [8.4034e-201, -1.7162, 1.1282], [1, 2]),
    ("math", "lmultiply", 9, [2.4039, 1.1945e-174], [0]),
    ("math", "lmultiply", 10, [-1.8789, 6.3208e-150], [0]),
    ("math", "pow", 15, [1.7497e-84, 1.2492], [1]),
]


def partial(f, args, k):
    """The central difference quotient by argument k, relative error below 1e-100."""
    x = [mpf(a) for a in args]
    h = abs(x[k]) * mpf(10) ** -120
    at = lambda d: f(*(v + d if i == k else v for i, v in enumerate(x)))
    return (at(h) - at(-h)) / (2 * h)


for file, fn, i, args, zeros in VECTORS:
    for k in zeros:
        d = partial(DEFINITIONS[fn], args, k)
        print(json.dumps({"file": file, "fn": fn, "i": i, "args": args, "arg": k, "derivative": nstr(d, 60)}))
