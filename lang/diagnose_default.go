package lang

// This file chooses the diagnoses of a method where the program names none.

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// What the time of a diagnosis is guessed from; a limit on the time guards against
// models that these do not fit.
const (
	gradientsPerStep = 12    // of a Markov kernel
	pilotSteps       = 10000 // kernel steps of a pilot run
	defaultChains    = 20
	defaultDatasets  = 10
	leastChain       = 100 // steps of warm-up, and draws, of a chain that was cut
)

// DefaultDiagnoses are bread and sbc of a method, where they have a meaning, at a size
// that ends in about the given time: shorter ladders, and fewer and shorter chains of the
// method itself, where the model is slow. The sizes stand in the expressions. The errors are
// those of Diagnosis.
func (m *Model) DefaultDiagnoses(method *Method, limit time.Duration, jobs int) ([]*Diagnosis, error) {
	gradient := m.timeGradient()
	gradients := limit.Seconds() / 2 * float64(max(jobs, 1)) / gradient // for each of the two
	var out []*Diagnosis
	for _, text := range []string{breadText(method, gradients), sbcText(method, gradients)} {
		d, err := m.Program.Diagnosis(text)
		if err != nil && strings.HasPrefix(text, "bread") {
			continue // it has no meaning for this method
		}
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// breadText takes the longest ladder that the number of gradients allows.
func breadText(method *Method, gradients float64) string {
	steps, top := "[10]", 10
	for _, n := range []int{100, 300, 1000} {
		cost := float64(defaultDatasets) * (pilotSteps + float64(2*defaultChains*float64(n+n/10+1))) * gradientsPerStep
		if cost <= gradients {
			top = n
		}
	}
	switch {
	case top > 100:
		steps = fmt.Sprintf("[10, 100, %d]", top)
	case top > 10:
		steps = "[10, 100]"
	}
	return fmt.Sprintf("bread(%s, steps = %s, chains = %d, datasets = %d)", methodText(method.checked), steps, defaultChains, defaultDatasets)
}

// leastReplications is what sbc needs for a verdict.
const leastReplications = 100

// sbcText takes as many and as long chains of the method as the number of gradients
// allows.
func sbcText(method *Method, gradients float64) string {
	c := clones{}.of(method.checked)
	kernel := c
	for kernel.Row.Option("warmup") == nil && kernel.Inner != nil {
		kernel = kernel.Inner
	}
	if kernel.Row.Option("warmup") != nil && !c.Row.UsesPart {
		cutChains(kernel, gradients/leastReplications/gradientsPerStep)
	}
	return fmt.Sprintf("sbc(%s, replications = %d)", methodText(c), leastReplications)
}

// cutChains makes do with that many steps: first fewer chains, then shorter ones.
func cutChains(c *check.CheckedMethod, steps float64) {
	set := func(option string, v int) {
		c.Args[option] = &check.Value{Kind: check.IntKind, Given: true, Int: v, Real: float64(v), Loc: c.Loc}
	}
	thin := 1
	if c.Has("thin") {
		thin = c.Int("thin")
	}
	each := float64(c.Int("warmup") + thin*c.Int("draws"))
	if float64(c.Int("chains"))*each <= steps {
		return
	}
	set("chains", max(1, int(steps/each)))
	if share := steps / each; share < 1 {
		set("warmup", min(c.Int("warmup"), max(leastChain, int(share*float64(c.Int("warmup"))))))
		set("draws", min(c.Int("draws"), max(leastChain, int(share*float64(c.Int("draws"))))))
	}
}

// timeGradient is the time of a gradient in seconds, measured for a moment; models
// without a gradient count by their density.
func (m *Model) timeGradient() float64 {
	e := m.bound.NewEvaluator()
	q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
	if s, ok := infer.Capability[infer.PriorSampler](e); ok {
		if err := s.DrawPrior(rng.New(0, "timing", 0, 0), q); err != nil {
			clear(q)
		}
	}
	best := math.Inf(1)
	until := time.Now().Add(50 * time.Millisecond)
	for time.Now().Before(until) {
		began := time.Now()
		n := 0
		for time.Since(began) < time.Millisecond {
			_, _ = e.LogDensityGrad(q, grad) // only its time counts
			n++
		}
		best = min(best, time.Since(began).Seconds()/float64(n))
	}
	return best
}
