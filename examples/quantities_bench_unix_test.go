//go:build unix

package examples

// This file times generated quantities beside the sampling that they follow.

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/nuts"
	"github.com/seed-12b88e03/ppl/lang"
)

// quantities are usual generated quantities of the posteriors with reference draws, some with branches on values.
var quantities = map[string]string{
	"arK-arK":                                 `vector[T-K] log_lik; array[T-K] real y_rep; for (t in (K+1):T) { real m = alpha; for (k in 1:K) m += beta[k]*y[t-k]; log_lik[t-K] = normal_lpdf(y[t] | m, sigma); y_rep[t-K] = normal_rng(m, sigma);}`,
	"diamonds-diamonds":                       `vector[N] log_lik; vector[N] y_rep; { vector[N] mu = Intercept + Xc*b; for (n in 1:N) { log_lik[n] = normal_lpdf(Y[n] | mu[n], sigma); y_rep[n] = normal_rng(mu[n], sigma);} }`,
	"garch-garch11":                           `vector[T] log_lik; real ahead; real big = 0; { array[T] real s; s[1]=sigma1; for (t in 2:T) s[t] = sqrt(alpha0 + alpha1*square(y[t-1]-mu) + beta1*square(s[t-1])); for (t in 1:T) { log_lik[t] = normal_lpdf(y[t] | mu, s[t]); if (s[t] > 2) big += 1; } ahead = normal_rng(mu, sqrt(alpha0 + alpha1*square(y[T]-mu)+beta1*square(s[T]))); }`,
	"gp_pois_regr-gp_pois_regr":               `array[N] int y_rep; vector[N] log_lik; for (n in 1:N) { y_rep[n] = poisson_log_rng(f[n]); log_lik[n] = poisson_log_lpmf(k[n] | f[n]); }`,
	"hudson_lynx_hare-lotka_volterra":         `array[2] real y_init_rep; array[N,2] real y_rep; for (k in 1:2) { y_init_rep[k] = lognormal_rng(log(z_init[k]), sigma[k]); for (n in 1:N) y_rep[n,k] = lognormal_rng(log(z[n,k]), sigma[k]); }`,
	"kidiq-kidscore_momiq":                    `vector[N] log_lik; array[N] real y_rep; real above = 0; for (n in 1:N) { log_lik[n] = normal_lpdf(kid_score[n] | beta[1]+beta[2]*mom_iq[n], sigma); y_rep[n] = normal_rng(beta[1]+beta[2]*mom_iq[n], sigma); if (y_rep[n] > kid_score[n]) above += 1; }`,
	"low_dim_gauss_mix-low_dim_gauss_mix":     `array[N] int z; vector[N] log_lik; for (n in 1:N) { vector[2] lp = [log(theta)+normal_lpdf(y[n]|mu[1],sigma[1]), log1m(theta)+normal_lpdf(y[n]|mu[2],sigma[2])]'; log_lik[n] = log_sum_exp(lp); z[n] = categorical_logit_rng(lp); }`,
	"nes1976-nes":                             `vector[N] log_lik; for (n in 1:N) log_lik[n] = normal_lpdf(partyid7[n] | beta[1], sigma); real worst = 1e9; int which = 0; for (n in 1:N) if (log_lik[n] < worst) { worst = log_lik[n]; which = n; }`,
	"sblrc-blr":                               `vector[N] log_lik; vector[N] mu = X*beta; array[N] real y_rep = normal_rng(mu, sigma); real p = mean(to_vector(y_rep)) > mean(y); for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu[n], sigma);`,
	"eight_schools-eight_schools_noncentered": `array[J] int rank_of; array[J] real y_rep; vector[J] log_lik; for (j in 1:J) { int r = 1; for (i in 1:J) if (theta[i] > theta[j]) r += 1; rank_of[j] = r; y_rep[j] = normal_rng(theta[j], sigma[j]); log_lik[j] = normal_lpdf(y[j]|theta[j], sigma[j]); }`,
	"bball_drive_event_0-hmm_drive_0":         `array[N] int<lower=1, upper=K> z_star; real log_p_z_star; { array[N, K] int back_ptr; array[N, K] real best_logp; array[K] vector[K] theta = {theta1, theta2}; for (k in 1:K) best_logp[1, k] = exponential_lpdf(u[1] | phi[k]) + exponential_lpdf(v[1] | lambda[k]); for (t in 2:N) { for (k in 1:K) { best_logp[t, k] = negative_infinity(); for (j in 1:K) { real logp; logp = best_logp[t - 1, j] + log(theta[j, k]) + exponential_lpdf(u[t] | phi[k]) + exponential_lpdf(v[t] | lambda[k]); if (logp > best_logp[t, k]) { back_ptr[t, k] = j; best_logp[t, k] = logp; } } } } log_p_z_star = max(best_logp[N]); for (k in 1:K) if (best_logp[N, k] == log_p_z_star) z_star[N] = k; for (t in 1:(N - 1)) z_star[N - t] = back_ptr[N - t + 1, z_star[N - t + 1]]; }`,
}

// BenchmarkQuantities runs nuts() with and without generated quantities, for the examples and the posteriors. The
// metric "of-sampling" is the processor time of the quantities of the draws over that of sampling, warm-up included.
//
//	go test ./examples -run NONE -bench Quantities -benchtime 1x
func BenchmarkQuantities(b *testing.B) {
	const block = "generated quantities {"
	with := map[string][2]string{} // text of the model, and of its data
	files, err := filepath.Glob("*/*.ppl")
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\ninference {")
		data := strings.TrimSuffix(f, ".ppl") + ".json"
		if _, err := os.Stat(data); err == nil && strings.Contains(head, block) {
			with[base(f)] = [2]string{head, data}
		}
	}
	found, _ := posteriors(b)
	for _, p := range found {
		text, err := os.ReadFile(p.model)
		if err != nil {
			b.Fatal(err)
		}
		if own := quantities[p.name]; own != "" {
			with[p.name] = [2]string{string(text) + block + own + "}", p.data()}
		}
	}
	for name, m := range with {
		b.Run(name, func(b *testing.B) {
			head, _, _ := strings.Cut(m[0], block)
			sampling := fitSeconds(b, head, m[1])
			b.ReportMetric(fitSeconds(b, m[0], m[1])/sampling-1, "of-sampling")
			b.ReportMetric(sampling, "sampling-s")
		})
	}
}

// fitSeconds is the least processor time of three fits.
func fitSeconds(b *testing.B, text, data string) float64 {
	prog, err := lang.Compile("model.ppl", text, lang.Options{})
	if err != nil {
		b.Fatal(lang.ErrorText(err))
	}
	in, err := prog.ReadDataFile(data)
	if err != nil {
		b.Fatal(lang.ErrorText(err))
	}
	model, err := prog.Bind(in, lang.BindOptions{Seed: 1})
	if err != nil {
		b.Fatal(lang.ErrorText(err))
	}
	method, err := nuts.New(nuts.DefaultOptions())
	if err != nil {
		b.Fatal(err)
	}
	least := math.Inf(1)
	for range 3 {
		start := processorTime(b)
		if _, err := method.Run(b.Context(), model.Bound(), infer.Options{Seed: 2}); err != nil {
			b.Fatal(lang.ErrorText(err))
		}
		least = min(least, (processorTime(b) - start).Seconds())
	}
	return least
}
