package papers

// This file holds Grosse, Ancha and Roy, "Measuring the reliability of MCMC inference with bidirectional Monte
// Carlo" (2016): bounds beside exact ones on models whose path is known, J beside B, and planted faults.

import (
	"context"
	"fmt"
	"math"
	"path"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/lang"
)

// judge runs bread.
func judge(t *testing.T, m *lang.Model, expr string, seed uint64) bread.Figures {
	t.Helper()
	d, err := m.Program.Diagnosis(expr)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	v, err := m.Diagnose(context.Background(), d, lang.RunOptions{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	f, ok := v.Figures.(bread.Figures)
	if !ok {
		t.Fatalf("the figures are a %T", v.Figures)
	}
	return f
}

// ofSets is the mean of values of several data sets, the same number for each, which are the unit of error.
func ofSets(x []draws.Number, sets int) estimate {
	means := make([]draws.Number, sets)
	for i, v := range x {
		means[i*sets/len(x)] += v * draws.Number(sets) / draws.Number(len(x))
	}
	return ofValues(means)
}

// ofValues is the mean of independent values.
func ofValues(x []draws.Number) estimate {
	var sum, squares float64
	n := float64(len(x))
	for _, v := range x {
		sum += float64(v) / n
	}
	for _, v := range x {
		squares += (float64(v) - sum) * (float64(v) - sum)
	}
	return estimate{sum, math.Sqrt(squares / n / (n - 1))}
}

// TestPaperGrosseBounds: a normal mean, observed once, with a kernel that draws from each target: the forward value
// is below log p(y) by the sum over steps of the difference between the mean log likelihood at one temperature and the
// next, and likewise the reverse one. Means are over simulated data sets, the unit of error.
func TestPaperGrosseBounds(t *testing.T) {
	tb := newTable(t)
	const sets = 300
	f := judge(t, load(t, "grosse2016/gauss.ppl", "grosse2016/gauss.json"), fmt.Sprintf(`bread(sampler, steps = [10, 100, 1000], chains = 1, datasets = %d, schedule = "linear")`, sets), 1)
	// The mean log likelihood at temperature b, over y ~ N(0, 2): theta given y is normal(v b y, v), v = 1/(1+b).
	mean := func(b float64) float64 {
		v := 1 / (1 + b)
		return -(math.Log(2*math.Pi) + 2*(1-v*b)*(1-v*b) + v) / 2
	}
	evidence := -(math.Log(4*math.Pi) + 1) / 2
	for _, r := range f.Ladder {
		if len(r.Forward) == 0 {
			tb.sampled("App. B", "n = 1: mean reverse value, log p(y | theta)", mean(1), ofValues(r.Reverse), 6)
			continue
		}
		n := r.Steps
		var lower, upper float64
		for i := range n {
			lower += mean(float64(i)/float64(n)) / float64(n)
			upper += mean(float64(i+1)/float64(n)) / float64(n)
		}
		what := fmt.Sprintf("n = %d: ", n)
		tb.sampled("App. B", what+"mean forward value", lower, ofValues(r.Forward), 6)
		tb.sampled("App. B", what+"mean reverse value", upper, ofValues(r.Reverse), 6)
		tb.sampled("App. B", what+"B, the gap (J is 0: the end states are exact)", upper-lower, estimate{float64(r.Gap), float64(r.Error)}, 6)
	}
	// Its error over data sets has the spread of log p(y) itself, sqrt(1/2), in it.
	tb.sampled("section 4", "mean log p(y) by the acceptance ratio", evidence, estimate{float64(f.LogEvidence.Estimate), math.Sqrt(0.5 / sets)}, 6)
}

// finite is the model of grosse2016/finite.ppl with states 3 u + v, counted from 0.
type finite struct {
	L [][]float64 `json:"l"`
}

func (m finite) prior(s int) float64 {
	return []float64{0.5, 0.3, 0.2}[s/3] * []float64{0.2, 0.3, 0.5}[s%3]
}

func (m finite) log(s int) float64 { return m.L[s/3][s%3] }

// at is the target at a temperature, and its normalising constant.
func (m finite) at(b float64) (p [9]float64, z float64) {
	for s := range p {
		p[s] = m.prior(s) * math.Exp(b*m.log(s))
		z += p[s]
	}
	for s := range p {
		p[s] /= z
	}
	return p, z
}

// moved is the law after a palindromic sweep at a temperature: u, v, u, where same says which states agree in what stays.
func (m finite) moved(p [9]float64, b float64) [9]float64 {
	target, _ := m.at(b)
	column := func(a, b int) bool { return a%3 == b%3 }
	line := func(a, b int) bool { return a/3 == b/3 }
	for _, same := range []func(a, b int) bool{column, line, column} {
		var next [9]float64
		for s := range p {
			total := 0.0
			for r := range p {
				if same(s, r) {
					total += target[r]
				}
			}
			for r := range p {
				if same(s, r) {
					next[r] += p[s] * target[r] / total
				}
			}
		}
		p = next
	}
	return p
}

func (m finite) mean(p [9]float64) float64 {
	sum := 0.0
	for s, w := range p {
		sum += w * m.log(s)
	}
	return sum
}

// TestPaperGrosseFinite is Appendix B: the bound B beside the divergence J that it bounds, by the matrices of the chain. The
// reverse chains start from the exact draws of grosse2016/exact.json, one each, so that their exact mean is
// that given these.
func TestPaperGrosseFinite(t *testing.T) {
	tb := newTable(t)
	var m finite
	readJSON(t, "grosse2016/finite.json", &m)
	var starts struct{ U, V []int }
	readJSON(t, "grosse2016/exact.json", &starts)
	var given [9]float64
	for i, u := range starts.U {
		given[3*(u-1)+starts.V[i]-1] += 1 / float64(len(starts.U))
	}
	f := judge(t, load(t, "grosse2016/finite.ppl", "grosse2016/finite.json"), fmt.Sprintf(`bread(sampler, steps = [1, 3, 10, 30, 100], chains = %d, schedule = "linear", data = "given", start = "grosse2016/exact.json")`, len(starts.U)), 1)
	posterior, z := m.at(1)
	for _, r := range f.Ladder {
		n := float64(r.Steps)
		p, _ := m.at(0)
		q, exact := given, posterior
		var lower, upper, ideal float64
		for i := range r.Steps {
			lower += m.mean(p) / n
			p = m.moved(p, float64(i+1)/n)
			upper += m.mean(q) / n
			ideal += m.mean(exact) / n
			q, exact = m.moved(q, 1-float64(i+1)/n), m.moved(exact, 1-float64(i+1)/n)
		}
		j := 0.0
		for s := range p {
			j += (p[s] - posterior[s]) * math.Log(p[s]/posterior[s])
		}
		what := fmt.Sprintf("n = %d: ", r.Steps)
		tb.sampled("App. B", what+"mean forward value", lower, ofValues(r.Forward), 6)
		tb.sampled("App. B", what+"mean reverse value", upper, ofValues(r.Reverse), 6)
		tb.note("App. B", what+"B (exactly; J)", fmt.Sprintf("%.4f; %.4f", ideal-lower, j), float64(r.Gap), float64(r.Error))
		if !(ideal-lower >= j-1e-9 && lower <= math.Log(z) && ideal >= math.Log(z)) {
			t.Errorf("%sB %g, J %g, bounds %g and %g, log p(y) %g", what, ideal-lower, j, lower, ideal, math.Log(z))
		}
	}
	tb.sampled("section 4", "log p(y) by the acceptance ratio", math.Log(z), estimate{float64(f.LogEvidence.Estimate), float64(f.LogEvidence.Error)}, 6)
}

// TestPaperGrosseFaults is section 5.2.2: a simulator of multivariate normal vectors with the transposed matrix of
// eigenvectors, and with other faults. Forward values above reverse ones are impossible but for chance; the reverse value of one
// step shows it, longer chains forget their start. Without a fault p is below 1e-3 once in a thousand seeds; the
// paper's fault must give less than 1e-6. The power for others is printed.
func TestPaperGrosseFaults(t *testing.T) {
	tb := newTable(t)
	const sets = 6
	var d struct {
		N, D, K int
		Y       [][]float64
	}
	readJSON(t, "grosse2016/collapsed.json", &d)
	for fault, name := range []string{"no fault", "eigenvectors transposed", "largest eigenvalue forgotten", "noise too wide by a fifth"} {
		if fault > 1 && !subset.Whole() {
			continue
		}
		vars := map[string]any{"N": d.N, "D": d.D, "K": d.K, "Y": d.Y, "fault": fault}
		f := judge(t, loadWith(t, "grosse2016/collapsed.ppl", vars), fmt.Sprintf(`bread(sampler, steps = [3, 30], chains = 10, schedule = "sigmoidal", datasets = %d)`, sets), 1)
		for _, r := range f.Ladder {
			what := fmt.Sprintf("%s, n = %d: mean ", name, r.Steps)
			reverse := ofSets(r.Reverse, sets)
			tb.note("section 5.2.2", what+"reverse value", "-", reverse.value, reverse.fault)
			if len(r.Forward) > 0 {
				forward := ofSets(r.Forward, sets)
				tb.note("section 5.2.2", what+"forward value", "-", forward.value, forward.fault)
			}
		}
		p := float64(f.Contradiction)
		tb.note("section 5.2.2", name+": p that forward and reverse values fit together", []string{"large", "small", "-", "-"}[fault], p, 0)
		if fault == 0 && !(p > 1e-3) || fault == 1 && !(p < 1e-6) {
			t.Errorf("%s: p %g", name, p)
		}
	}
}

// TestPaperGrosseRealData is Figure 1 and Appendix D at the size of a test, on simulated data and on Old Faithful's: forward
// values on data simulated at fitted hyperparameters improve with the number of steps as those on the data at hand do. By the rule of
// papers.md the medians, each shifted by its best one, differ by less than 3 nats or the larger interquartile
// range, as far as they are within 50 nats of the best. Where data are simulated from the prior of an
// autoregression's coefficients, which explode, the curves must not agree.
func TestPaperGrosseRealData(t *testing.T) {
	tb := newTable(t)
	for _, c := range []struct {
		model, hyper string
		agree        bool
		whole        bool
	}{
		{"grosse2016/regression", "scale_sq, sigma_sq", true, false}, {"grosse2016/logistic", "scale_sq", true, false},
		{"grosse2016/autoregression", "sigma_sq, alpha, beta", true, false}, {"grosse2016/mixture", "scale_sq, sigma_sq", true, true},
		{"grosse2016/autoregression", "sigma_sq", false, true},
	} {
		if c.whole && !subset.Whole() {
			continue
		}
		m := load(t, c.model+".ppl", c.model+".json")
		f := judge(t, m, `bread(sampler, steps = [10, 30, 100, 300], chains = 20, schedule = "sigmoidal", data = "fitted", hyper = [`+c.hyper+`], datasets = 5)`, 1)
		if f.Real == nil {
			t.Fatalf("%s: no data at hand", c.model)
		}
		if f.Real.Agree != c.agree {
			t.Errorf("%s with %s: agree is %t", c.model, c.hyper, f.Real.Agree)
		}
		for _, r := range f.Real.Rungs {
			what := fmt.Sprintf("%s, fitted %s, n = %d: shifted median, data at hand - simulated", path.Base(c.model), c.hyper, r.Steps)
			apart := float64(r.Real - r.Simulated)
			switch {
			case !c.agree:
				tb.note("App. D", what, "not 0", apart, 0)
			case min(r.Real, r.Simulated) > -50:
				tb.exact("Figure 1", what, 0, apart, max(3, float64(r.Spread)))
			}
		}
	}
}

// TestPaperGrosseSettling is Figure 1c: the reverse values of chains whose start made S moves under the posterior
// do not depend on S. All S have the same simulated data sets, which differences are taken on.
func TestPaperGrosseSettling(t *testing.T) {
	tb := newTable(t)
	models := [][2]string{{"regression", "scale_sq, sigma_sq"}}
	settle := []int{10, 100, 1000}
	if subset.Whole() {
		models = append(models, [2]string{"logistic", "scale_sq"}, [2]string{"autoregression", "sigma_sq, alpha, beta"}, [2]string{"mixture", "scale_sq, sigma_sq"})
		settle = append(settle, 10000)
	}
	for _, c := range models {
		m := load(t, "grosse2016/"+c[0]+".ppl", "grosse2016/"+c[0]+".json")
		var first []bread.Rung
		for _, moves := range settle {
			f := judge(t, m, fmt.Sprintf(`bread(sampler, steps = [30, 100, 300], chains = 20, schedule = "sigmoidal", data = "fitted", hyper = [%s], datasets = 10, settle = %d)`, c[1], moves), 1)
			for i, r := range f.Ladder {
				now := ofSets(r.Reverse, f.Datasets)
				if first == nil {
					tb.note("Figure 1c", fmt.Sprintf("%s, S = %d, n = %d: mean reverse value", c[0], moves, r.Steps), "-", now.value, now.fault)
					continue
				}
				apart := make([]draws.Number, len(r.Reverse))
				for k, v := range r.Reverse {
					apart[k] = v - first[i].Reverse[k]
				}
				tb.sampled("Figure 1c", fmt.Sprintf("%s, n = %d: S = %d less S = %d", c[0], r.Steps, moves, settle[0]), 0, ofSets(apart, f.Datasets), 6)
			}
			if first == nil {
				first = f.Ladder
			}
		}
	}
}
