package main

// This file judges the wrappers that simulate: on models whose simulate block is the model, and
// on others whose simulate block draws from something else.

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/seed-12b88e03/ppl/lang"
)

// diagnoses are what pairs are judged by; the methods inside are exact for them, with so much warm-up that groups forget where they
// start: with 10 steps a correlation of 0.85 from step to step is no exact method, and bad was right.
var diagnoses = []string{
	"sbc(gibbs(warmup = 10, draws = 100, chains = 1), replications = 150)",
	"gibbs_prior(gibbs(warmup = 60, draws = 1, chains = 1), steps = 500)",
	"bread(gibbs(), steps = [100, 300], chains = 10)",
}

// pair makes a model and its simulate block. A contaminated one draws the data so that
// posteriors are off by a standard deviation and more, or their spread by a factor of two.
func pair(number uint64, contaminated bool) *problem {
	w := &writer{r: rand.New(rand.NewPCG(77, number)), vars: map[string]any{}, rates: map[string]bool{}}
	kinds := []func(w *writer, contaminated bool) []string{locationPair, linePair, proportionPair, ratePair, groupsPair}
	simulate := kinds[number%uint64(len(kinds))](w, contaminated)
	class := "pair_right"
	if contaminated {
		class = "pair_contaminated"
	}
	return &problem{Class: class, Number: number, Vars: w.vars, Text: w.text() + "simulate {\n  " + strings.Join(simulate, "\n  ") + "\n}\n"}
}

// noise is the standard deviation that a contaminated simulator has for s, and the shift of
// the data that another one has.
func (w *writer) noise(s float64, contaminated bool) (sd, shift float64) {
	if !contaminated {
		return s, 0
	}
	if w.coin() {
		return rounded(s*w.uniform(2.5, 4), 4), 0
	}
	return s, rounded(s*w.uniform(2, 3), 4)
}

func locationPair(w *writer, contaminated bool) []string {
	n, s, sd := w.within(2, 4), w.scale(0.7, 2), w.scale(0.7, 1.5)
	w.vector("y", w.normals(n, 0, sd+s))
	w.real("mu", gaussian(0, sd))
	w.observe("y", "normal", "mu", num(s))
	noise, shift := w.noise(s, contaminated)
	return []string{
		fmt.Sprintf("mu = normal_rng(0, %s);", num(sd)),
		fmt.Sprintf("for (n in 1:N_y) { y[n] = normal_rng(mu + %s, %s); }", num(shift), num(noise)),
	}
}

func linePair(w *writer, contaminated bool) []string {
	n, s, sd := w.within(4, 7), w.scale(0.7, 2), w.scale(0.7, 1.5)
	w.vector("y", w.normals(n, 0, sd+s))
	w.vector("x", w.normals(n, 0, 1))
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.observe("y", "normal", "a + b * x[n]", num(s))
	noise, shift := w.noise(s, contaminated)
	return []string{
		fmt.Sprintf("a = normal_rng(0, %s);", num(sd)), fmt.Sprintf("b = normal_rng(0, %s);", num(sd)),
		fmt.Sprintf("for (n in 1:N_y) { y[n] = normal_rng(a + b * x[n] + %s, %s); }", num(shift), num(noise)),
	}
}

func proportionPair(w *writer, contaminated bool) []string {
	n, a, b := w.within(15, 30), w.uniform(2, 5), w.uniform(2, 5)
	w.whole("trials", n)
	w.whole("y", w.binomial(n, 0.4))
	w.unit("theta", betaDist(a, b))
	w.line("y ~ binomial(trials, theta);")
	p := "theta"
	if contaminated {
		p = []string{"0.5 * theta", "square(theta)", "0.3 + 0.7 * theta"}[w.r.IntN(3)]
	}
	return []string{fmt.Sprintf("theta = beta_rng(%s);", list(a, b)), fmt.Sprintf("y = binomial_rng(trials, %s);", p)}
}

func ratePair(w *writer, contaminated bool) []string {
	n, a, b := w.within(2, 4), w.uniform(2, 4), w.scale(0.3, 1)
	y := make([]int, n)
	for i := range y {
		y[i] = w.poisson(a / b)
	}
	w.counts("y", y)
	w.param("real<lower=0> lambda")
	w.prior("lambda", gamma(a, b))
	w.observe("y", "poisson", "lambda")
	rate := "lambda"
	if contaminated {
		rate = []string{"2 * lambda", "lambda / 2", "lambda + " + num(rounded(a/b, 3))}[w.r.IntN(3)]
	}
	return []string{fmt.Sprintf("lambda = gamma_rng(%s);", list(a, b)), fmt.Sprintf("for (n in 1:N_y) { y[n] = poisson_rng(%s); }", rate)}
}

func groupsPair(w *writer, contaminated bool) []string {
	j, s, sd, tau := w.within(3, 5), w.scale(0.7, 2), w.scale(0.7, 1.5), w.scale(0.7, 1.5)
	w.vector("y", w.normals(j, 0, sd+s+tau))
	w.real("mu", gaussian(0, sd))
	w.param("vector[N_y] theta")
	w.prior("theta", dist{name: "normal"}.with("mu", num(tau)))
	w.observe("y", "normal", "theta[n]", num(s))
	noise, shift := w.noise(s, contaminated)
	if shift > 0 {
		shift = rounded(2*(s+tau+sd), 4)
	}
	return []string{
		fmt.Sprintf("mu = normal_rng(0, %s);", num(sd)),
		fmt.Sprintf("for (n in 1:N_y) { theta[n] = normal_rng(mu, %s); y[n] = normal_rng(theta[n] + %s, %s); }", num(tau), num(shift), num(noise)),
	}
}

// judge runs a diagnosis on a pair.
func (p *problem) judge(ctx context.Context, expr string) (verdict, string, error) {
	m, err := p.bind()
	if err != nil {
		return "", "", fmt.Errorf("%s\n%s", lang.ErrorText(err), p.Text)
	}
	d, err := m.Program.Diagnosis(expr)
	if err != nil {
		return refused, firstLine(lang.ErrorText(err)), nil
	}
	v, err := m.Diagnose(ctx, d, lang.RunOptions{Seed: p.Number + 1})
	if err != nil {
		return refused, firstLine(lang.ErrorText(err)), nil
	}
	return verdict(v.Severity), v.Summary, nil
}

// A judged is a verdict on a pair.
type judged struct {
	problem *problem
	expr    string
	verdict verdict
	summary string
}

// judgePairs judges pairs and prints the table of verdicts.
func (s *settings) judgePairs(ctx context.Context, w io.Writer) error {
	pairs := s.pairsOf()
	found, errs := make([][]judged, len(pairs)), make([]error, len(pairs))
	inParallel(s.jobs, len(pairs), func(i int) {
		for _, expr := range diagnoses {
			if errs[i] == nil && ctx.Err() == nil && s.methods.MatchString(expr) {
				var v verdict
				var text string
				v, text, errs[i] = pairs[i].judge(ctx, expr)
				found[i] = append(found[i], judged{pairs[i], expr, v, text})
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(w, "| diagnosis | pairs | | good | warning | bad | none | refused |")
	fmt.Fprintln(w, "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, expr := range diagnoses {
		for _, class := range []string{"pair_right", "pair_contaminated"} {
			count, n := map[verdict]int{}, 0
			for _, list := range found {
				for _, j := range list {
					if j.expr == expr && j.problem.Class == class {
						count[j.verdict]++
						n++
					}
				}
			}
			if n > 0 {
				fmt.Fprintf(w, "| `%s` | %s | %d | %d | %d | %d | %d | %d |\n", expr, strings.TrimPrefix(class, "pair_"), n,
					count[verdicts[0]], count[verdicts[1]], count[verdicts[2]], count[verdicts[3]], count[refused])
			}
		}
	}
	if s.quiet {
		return ctx.Err()
	}
	fmt.Fprintln(w)
	for _, list := range found {
		for _, j := range list {
			good := j.verdict == verdicts[0]
			if s.verbose || good == (j.problem.Class == "pair_contaminated") {
				fmt.Fprintf(w, "go run ./examples/verdicts -write DIR -pairs 1 -from %d -classes %s # %s: %s: %s\n", j.problem.Number, j.problem.Class, j.expr, j.verdict, j.summary)
			}
		}
	}
	return ctx.Err()
}

// pairsOf are the pairs that the flags ask for.
func (s *settings) pairsOf() []*problem {
	var out []*problem
	for i := range uint64(s.pairs) {
		for _, contaminated := range []bool{false, true} {
			if p := pair(s.from+i, contaminated); s.classes.MatchString(p.Class) {
				out = append(out, p)
			}
		}
	}
	return out
}
