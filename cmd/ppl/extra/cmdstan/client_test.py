"""Uses CmdStanPy as its users do, with ppl in CmdStan's place. Run by cmdstanpy.sh where CmdStanPy's own tests
are not at hand; DATA is the folder test/data of its sources. Posteriors are held against closed forms."""

import json
import logging
import os
import subprocess

import cmdstanpy
import numpy as np
import pytest
from cmdstanpy import CmdStanModel, from_csv

DATA = os.environ["DATA"]
BERNOULLI = os.path.join(DATA, "bernoulli.stan")
TRIALS = os.path.join(DATA, "bernoulli.data.json")  # two of ten: the posterior of theta is beta(3, 9)
MEAN, MODE = 3 / 12, 2 / 10


@pytest.fixture(scope="module")
def bernoulli():
    return CmdStanModel(stan_file=BERNOULLI)


@pytest.fixture(scope="module")
def fit(bernoulli):
    return bernoulli.sample(data=TRIALS, chains=4, iter_warmup=200, iter_sampling=500, seed=12345, show_progress=False)


def test_version():
    assert cmdstanpy.cmdstan_path() and cmdstanpy.utils.cmdstan_version()[0] == 2


def test_sample(fit):
    assert fit.chains == 4 and fit.num_draws_sampling == 500 and fit.draws().shape == (500, 4, 8)
    assert abs(fit.stan_variable("theta").mean() - MEAN) < 0.02
    assert fit.metric_type == "diag_e" and fit.step_size.shape == (4,) and fit.metric.shape == (4, 1)
    assert set(fit.method_variables()) == {"lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"}
    assert fit.divergences.shape == (4,) and fit.draws_pd().shape[0] == 2000


def test_draws_xr(fit):
    assert fit.draws_xr().theta.dims == ("chain", "draw")


def test_summary_and_diagnose(fit):
    table = fit.summary()
    assert abs(table.loc["theta", "Mean"] - MEAN) < 0.02 and "R_hat" in table.columns
    assert "no problems detected" in fit.diagnose()
    assert fit.summary(percentiles=[1, 45, 99], sig_figs=3).columns.tolist().count("45%") == 1


def test_save_and_read(fit, tmp_path):
    fit.save_csvfiles(str(tmp_path))
    again = from_csv(str(tmp_path))
    # The files come in any order.
    assert np.array_equal(np.sort(again.stan_variable("theta")), np.sort(fit.stan_variable("theta")))


def test_warmup_thin_and_seeds(bernoulli):
    a = bernoulli.sample(data=TRIALS, chains=2, iter_warmup=100, iter_sampling=100, save_warmup=True, thin=2, seed=3, show_progress=False)
    assert a.draws(inc_warmup=True).shape == (100, 2, 8)
    b = bernoulli.sample(data=TRIALS, chains=2, iter_warmup=100, iter_sampling=100, save_warmup=True, thin=2, seed=3, show_progress=False)
    assert np.array_equal(a.draws(), b.draws())


def test_inits_and_metrics(bernoulli):
    inits = [os.path.join(DATA, f"bernoulli.init_{i}.json") for i in (1, 2)]
    metrics = [os.path.join(DATA, name) for name in ("bernoulli.metric.json", "bernoulli.metric-2.json")]
    f = bernoulli.sample(data=TRIALS, chains=2, inits=inits, metric=metrics, iter_warmup=100, iter_sampling=100, show_progress=False)
    assert f.chains == 2
    f = bernoulli.sample(data=TRIALS, chains=2, inits={"theta": 0.3}, metric="dense_e", iter_warmup=100, iter_sampling=50, show_progress=False)
    assert f.metric_type == "dense_e"
    f = bernoulli.sample(data=TRIALS, chains=1, adapt_engaged=False, metric={"inv_metric": [0.5]}, step_size=0.9, iter_warmup=10, iter_sampling=20, show_progress=False)
    assert f.num_draws_sampling == 20


def test_threads():
    model = CmdStanModel(stan_file=BERNOULLI, cpp_options={"STAN_THREADS": "TRUE"})
    f = model.sample(data=TRIALS, chains=4, parallel_chains=4, threads_per_chain=2, iter_warmup=50, iter_sampling=50, show_progress=False)
    assert f.chains == 4 and f.num_draws_sampling == 50


def test_fixed_param():
    model = CmdStanModel(stan_file=os.path.join(DATA, "bernoulli_datagen.stan"))
    f = model.sample(data=os.path.join(DATA, "bernoulli_datagen.data.json"), fixed_param=True, iter_sampling=50, chains=1, show_progress=False)
    assert f.num_draws_sampling == 50 and f.metric_type is None


@pytest.mark.parametrize("algorithm", ["lbfgs", "bfgs", "newton"])
def test_optimize(bernoulli, algorithm):
    mle = bernoulli.optimize(data=TRIALS, algorithm=algorithm, seed=1, show_console=False)
    assert mle.converged and abs(mle.stan_variable("theta") - MODE) < 1e-3
    assert len(bernoulli.optimize(data=TRIALS, algorithm=algorithm, save_iterations=True).optimized_iterations_np) > 1


def test_optimize_jacobian(bernoulli):
    assert abs(bernoulli.optimize(data=TRIALS, jacobian=True, seed=1).stan_variable("theta") - MEAN) < 1e-3


def test_optimize_without_mode():
    model = CmdStanModel(stan_file=os.path.join(DATA, "eight_schools.stan"))
    with pytest.raises(RuntimeError):
        model.optimize(data=os.path.join(DATA, "eight_schools.data.json"), algorithm="lbfgs", seed=1)


def test_laplace(bernoulli):
    f = bernoulli.laplace_sample(data=TRIALS, draws=400, seed=1, jacobian=True)
    assert f.draws().shape[0] == 400 and abs(f.stan_variable("theta").mean() - MEAN) < 0.05
    mode = bernoulli.optimize(data=TRIALS, jacobian=True)
    assert bernoulli.laplace_sample(data=TRIALS, mode=mode, draws=20).mode.stan_variable("theta") == mode.stan_variable("theta")


def test_variational(bernoulli):
    f = bernoulli.variational(data=TRIALS, seed=999999, algorithm="fullrank", draws=300)
    assert f.variational_sample.shape == (300, 4) and abs(f.variational_params_dict["theta"] - MEAN) < 0.1
    assert f.stan_variable("theta", mean=False).shape == (300,)


def test_pathfinder(bernoulli):
    f = bernoulli.pathfinder(data=TRIALS, draws=300, num_paths=4, seed=1)
    assert f.draws().shape[0] == 300 and f.is_resampled and abs(f.stan_variable("theta").mean() - MEAN) < 0.03
    assert not bernoulli.pathfinder(data=TRIALS, psis_resample=False).is_resampled
    inits = f.create_inits(chains=2, seed=1)
    bernoulli.sample(data=TRIALS, chains=2, inits=inits, iter_warmup=50, iter_sampling=50, show_progress=False)


def test_generate_quantities(fit, bernoulli):
    model = CmdStanModel(stan_file=os.path.join(DATA, "bernoulli_ppc.stan"))
    f = model.generate_quantities(data=TRIALS, previous_fit=fit, seed=1)
    assert f.stan_variable("y_rep").shape == (2000, 10) and set(np.unique(f.stan_variable("y_rep"))) <= {0, 1}
    assert f.draws_pd(inc_sample=True).shape[0] == 2000
    for other in (bernoulli.optimize(data=TRIALS), bernoulli.variational(data=TRIALS, seed=5)):
        model.generate_quantities(data=TRIALS, previous_fit=other, seed=1)


def test_generate_quantities_of_warmup(bernoulli):
    f = bernoulli.sample(data=TRIALS, chains=1, iter_warmup=40, iter_sampling=30, save_warmup=True, show_progress=False)
    g = CmdStanModel(stan_file=os.path.join(DATA, "bernoulli_ppc.stan")).generate_quantities(data=TRIALS, previous_fit=f)
    assert g.draws(inc_warmup=True).shape[0] == 70


def test_log_prob(bernoulli):
    table = bernoulli.log_prob({"theta": 0.1}, data=TRIALS)
    theta = 0.1
    density = 3 * np.log(theta) + 9 * np.log1p(-theta)  # with the Jacobian
    assert abs(table["lp__"][0] - density) < 1e-6
    assert abs(table["g_theta"][0] - (3 - 12 * theta)) < 1e-6


def test_model_information(bernoulli, tmp_path):
    info = bernoulli.src_info()
    assert list(info["inputs"]) == ["N", "y"] and "theta" in info["parameters"]
    assert bernoulli.exe_info()["STAN_THREADS"] in ("true", "false")
    copy = tmp_path / "m.stan"
    copy.write_text("parameters { real  x; } model { x ~ normal( 0,1); }")
    model = CmdStanModel(stan_file=str(copy), compile=False)
    model.format(overwrite_file=True, backup=False, max_line_length=60, canonicalize=["deprecations", "braces"])
    assert "real x;" in copy.read_text()
    old = tmp_path / "deprecated.stan"
    with open(os.path.join(DATA, "format_me_deprecations.stan"), encoding="utf-8") as f:
        old.write_text(f.read())
    with pytest.raises(Exception):
        CmdStanModel(stan_file=str(old), compile=False).format()


def test_include_paths():
    model = CmdStanModel(stan_file=os.path.join(DATA, "bernoulli_include.stan"), stanc_options={"include-paths": [DATA]}, force_compile=True)
    assert model.exe_file


def test_wrong_programs_and_data(bernoulli, caplog):
    with caplog.at_level(logging.WARNING), pytest.raises(ValueError, match="(?s).*Syntax error|Failed to compile"):
        CmdStanModel(stan_file=os.path.join(DATA, "bad_syntax.stan"))
    with pytest.raises(RuntimeError, match="variable does not exist"):
        bernoulli.sample(data={"N": 10}, chains=1, show_progress=False)
    with pytest.raises(RuntimeError):
        bernoulli.sample(data={"N": 3, "y": [0, 1, 7]}, chains=1, show_progress=False)


@pytest.mark.parametrize("name", ["container_vars", "complex_var", "matrix_var", "bernoulli_array", "lotka-volterra", "linear_regression", "logistic"])
def test_models_compile(name):
    path = os.path.join(DATA, name + ".stan")
    if not os.path.exists(path):
        pytest.skip(name)
    assert CmdStanModel(stan_file=path).exe_file


def test_save_profile_and_diagnostics(bernoulli, tmp_path):
    f = bernoulli.sample(data=TRIALS, chains=1, iter_warmup=20, iter_sampling=20, save_latent_dynamics=True, output_dir=str(tmp_path), show_progress=False)
    assert os.path.exists(f.runset.diagnostic_files[0])


def test_time_limit(bernoulli):
    with pytest.raises(TimeoutError):
        bernoulli.sample(data=TRIALS, iter_sampling=10**7, timeout=0.2, chains=1, show_progress=False)


def test_fit_by_ppl_run(tmp_path):
    """A fit that ppl makes in its own way, whose header has remarks: its metric is of low rank, and theta is an effect."""
    model, data = tmp_path / "m.ppl", tmp_path / "m.json"
    model.write_text("""data { int J; vector[J] y; vector<lower=0>[J] s; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, s); }
""")
    data.write_text('{"J": 8, "y": [28, 8, -3, 7, -1, 1, 18, 12], "s": [15, 10, 16, 11, 9, 11, 10, 18]}')
    subprocess.run([os.environ["PPL"], "run", "m.ppl", "--seed", "1", "--quiet", "--save-warmup", "--out", "fit"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    f = from_csv(str(tmp_path / "fit" / "chain-*.csv"))
    record = json.loads((tmp_path / "fit" / "run.json").read_text())
    assert f.metric_type == "diag_e" and f.metric.shape == (4, 10) and f.draws(inc_warmup=True).shape[1:] == (4, 17)
    assert f.metadata.cmdstan_config["delta"] == record["adaptation"][0]["delta"]
    assert np.allclose(sorted(map(list, f.metric)), sorted(c["inv_metric"] for c in record["adaptation"]), rtol=1e-7)


@pytest.mark.parametrize("method", ["mh", "gibbs"])
def test_fit_without_metric(tmp_path, method):
    """Methods that CmdStan does not have: CmdStanPy reads their files as those of fixed_param."""
    (tmp_path / "m.ppl").write_text("parameters { vector[2] x; } model { x ~ normal(0, 1); }")
    options = f"{method}(draws = 100, warmup = 100, chains = 2)"
    subprocess.run([os.environ["PPL"], "run", "m.ppl", "--seed", "1", "--quiet", "--method", options, "--out", "fit"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    f = from_csv(str(tmp_path / "fit" / "chain-*.csv"))
    assert f.draws().shape[:2] == (100, 2) and f.stan_variable("x").shape == (200, 2)
