#!/usr/bin/python3
"""Tries the library of ppl bridgestan by the C interface, through ctypes: check.py PPL LIBRARY

For models of examples/, densities and gradients at a point are compared with those of `ppl density`, digit by digit, from one thread and from four;
then Hessians with differences, transforms there and back, messages, and the callback of print. Two models are open in one process.
"""
import ctypes as c
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

ppl, library = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
examples = os.path.join(here, "../../../../examples")
work = tempfile.mkdtemp()
doubles = lambda x: (c.c_double * len(x))(*x)
failed = 0


def check(name, right, more=""):
    global failed
    failed += not right
    print(f"{name}: {'as it should be' if right else 'WRONG'} {more}")


tried = set()


class Library:
    """Notes which functions were called."""

    def __init__(self, path):
        self.dll = c.CDLL(path)
        for f in ("bs_model_construct", "bs_rng_construct"):
            getattr(self.dll, f).restype = c.c_void_p  # a pointer would be cut to 32 bits
        for f in ("bs_name", "bs_model_info", "bs_param_names", "bs_param_unc_names"):
            getattr(self.dll, f).restype = c.c_char_p

    def __getattr__(self, f):
        tried.add(f)
        return getattr(self.dll, f)


def message(lib, error):
    """The text of an error, which is given back to the library."""
    text = error.value.decode()
    lib.bs_free_error_msg(error)
    return text


class Model:
    def __init__(self, path, data, seed=1):
        self.lib = lib = Library(path)
        error = c.c_char_p()
        self.m = lib.bs_model_construct(data.encode(), c.c_uint(seed), c.byref(error))
        if not self.m:
            raise ValueError(message(lib, error))
        self.m = c.c_void_p(self.m)
        self.dim = lib.bs_param_unc_num(self.m)

    def names(self, tp, gq):
        return self.lib.bs_param_names(self.m, c.c_bool(tp), c.c_bool(gq)).decode().split(",")

    def call(self, f, *args):
        error = c.c_char_p()
        if getattr(self.lib, f)(self.m, *args, c.byref(error)):
            raise ValueError(message(self.lib, error))

    def gradient(self, q, propto=False, jacobian=True):
        lp, grad = c.c_double(), (c.c_double * self.dim)()
        self.call("bs_log_density_gradient", c.c_bool(propto), c.c_bool(jacobian), doubles(q), c.byref(lp), grad)
        return lp.value, list(grad)


def make(name, text):
    path = os.path.join(work, name + ".ppl")
    with open(path, "w") as f:
        f.write(text)
    return subprocess.run([ppl, "bridgestan", path, "--library", library], check=True, capture_output=True, text=True).stdout.strip()


for name in ("eight_schools", "dugongs", "seeds", "school_flu"):
    program = os.path.join(examples, name, name + ".ppl")
    data = program[:-4] + ".json"
    so = os.path.join(work, name + "_model.so")
    subprocess.run([ppl, "bridgestan", program, "--library", library, "--out", so], check=True, capture_output=True)
    m = Model(so, data)
    q = [0.1 + 0.01 * (i % 7) for i in range(m.dim)]
    with open(os.path.join(work, "q.json"), "w") as f:
        json.dump({"unconstrained": q}, f)
    printed = json.loads(subprocess.run([ppl, "density", program, "--data", data, "--at", os.path.join(work, "q.json"), "--quiet"], check=True, capture_output=True, text=True).stdout)
    want = (printed["log_density"], printed["gradient"])
    check(f"{name}, {m.dim} coordinates", m.gradient(q) == want)
    alone = c.c_double()
    m.call("bs_log_density", c.c_bool(False), c.c_bool(True), doubles(q), c.byref(alone))
    check("  density alone", alone.value == want[0])
    check("  coordinates by name", len(m.lib.bs_param_unc_names(m.m).decode().split(",")) == m.dim)
    seen = []
    threads = [threading.Thread(target=lambda: seen.extend(m.gradient(q) for _ in range(200))) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    check("  in four threads", len(seen) == 800 and all(s == want for s in seen))
    out, back = (c.c_double * len(m.names(False, False)))(), (c.c_double * m.dim)()
    m.call("bs_param_constrain", c.c_bool(False), c.c_bool(False), doubles(q), out, None)
    m.call("bs_param_unconstrain", out, back)
    check("  there and back", all(abs(a - b) < 1e-12 * (1 + abs(b)) for a, b in zip(back, q)))
    n = m.dim
    lp, grad, hessian, product = c.c_double(), (c.c_double * n)(), (c.c_double * (n * n))(), (c.c_double * n)()
    m.call("bs_log_density_hessian", c.c_bool(False), c.c_bool(True), doubles(q), c.byref(lp), grad, hessian)
    v = [1.0 if i == n - 1 else 0.0 for i in range(n)]
    m.call("bs_log_density_hessian_vector_product", c.c_bool(False), c.c_bool(True), doubles(q), doubles(v), c.byref(lp), product)
    h = 1e-5
    up, down = [m.gradient([x + s * d for x, d in zip(q, v)])[1] for s in (h, -h)]
    size = max(abs(x) for x in hessian)
    check("  Hessian", all(abs(hessian[i * n + n - 1] - (up[i] - down[i]) / (2 * h)) < 1e-5 * size and abs(hessian[i * n + n - 1] - product[i]) < 1e-6 * size for i in range(n)))
    args = [m.m, c.c_bool(False), c.c_bool(True), doubles(q), c.byref(lp), grad, None]
    f, began = m.lib.bs_log_density_gradient, time.perf_counter()
    codes = [f(*args) for _ in range(2000)]
    check("  2000 gradients", not any(codes))
    print(f"  a gradient takes {(time.perf_counter() - began) / 2000 * 1e6:.2f} us, with what ctypes takes")
    m.lib.bs_model_destruct(m.m)

texts = []
callback = c.CFUNCTYPE(None, c.POINTER(c.c_char), c.c_size_t)(lambda text, size: texts.append(text[:size]))
so = make("printing", 'data { int N; } transformed data { print("N is ", N); } parameters { real<lower=0> x; } model { x ~ exponential(1); if (x > 100) reject("too large"); } generated quantities { real g = normal_rng(x, 1); }')
lib = Library(so)
lib.bs_set_print_callback(callback, None)
m = Model(so, '{"N": 3}')
check("print", texts == [b"N is 3\n"])
check("version and name", (c.c_int.in_dll(lib.dll, "bs_major_version").value, m.lib.bs_name(m.m)) == (2, b"printing_model") and b"STAN_THREADS=true" in m.lib.bs_model_info(m.m))
check("names", (m.names(True, True), m.names(False, False)) == (["x", "g"], ["x"]) and m.lib.bs_param_num(m.m, c.c_bool(True), c.c_bool(True)) == 2)
r, q = c.c_void_p(lib.bs_rng_construct(c.c_uint(4), None)), (c.c_double * 1)()
out = (c.c_double * 2)()
m.call("bs_param_constrain", c.c_bool(True), c.c_bool(True), doubles([0.5]), out, r)
m.call("bs_param_initialize", None, r, c.c_double(2), c.c_int(100), c.c_bool(True), q)
check("random numbers", out[1] != 0 and 0 < abs(q[0]) <= 2)
m.call("bs_param_unconstrain_json", b'{"x": 1}', q)
check("values by name", q[0] == 0)
lib.bs_rng_destruct(r)
for name, do, want in (
    ("a rejected point", lambda: m.gradient([5.0]), "too large"),
    ("data that are missing", lambda: Model(so, ""), "N"),
    ("values that are none", lambda: m.call("bs_param_unconstrain", doubles([-1.0]), q), "x"),
):
    try:
        do()
        check(name, False)
    except ValueError as e:
        check(name, want in str(e), repr(str(e))[:100])
m.lib.bs_model_destruct(m.m)
interface = "".join(open(os.path.join(here, f)).read() for f in ("main.go", "library.c"))
declared = set(re.findall(r"^(?://export |.*\bint )(bs_[a-z_]+)(?:$|\()", interface, re.M))
check(f"{len(tried)} functions were called", tried == declared and len(tried) == 20, " ".join(sorted(tried ^ declared)))
sys.exit(min(1, failed))
