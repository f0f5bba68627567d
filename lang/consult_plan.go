package lang

// This file turns the budget of a consultation into counts.

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang/check"
)

// OperationsPerSecond is the stated rate by which a budget becomes a number of elementary
// operations: that of one processor, about. One evaluation of the log density with its gradient
// counts as bind.Model.GradientWork, and what the method does around it as operationsAround.
const OperationsPerSecond = 5e8

// What else costs are counted by.
const (
	operationsAround   = 200  // of a method, for each evaluation
	operationsSimulate = 100  // for each number of a simulated data set
	operationsWritten  = 2000 // for a model whose density cannot be recorded, for each number of parameters and data
	predictiveShare    = 0.1  // of the budget, for predictive checks
	searchShare        = 0.25 // of the budget, for the search for mass elsewhere
	gradientsPerStep   = 12   // of a Markov kernel whose own number is not known
	pilotSteps         = 10000
	breadChains        = 20
	breadDatasets      = 10
	leastChain         = 100 // steps of warm-up, and draws, of a chain that was cut
	growth             = 3   // of a chain that is run again, twice as long: the work of both over that of the first
	drawsPerRank       = 4   // of such a chain, for each draw that ranks are taken among
	mostReplications   = 4000
)

// A cost is what a fit has taken, in counts.
type cost struct {
	evaluations int     // of the log density or its gradient
	steps       int     // of Markov chains; 0 of other methods
	each        float64 // operations of an evaluation
}

func (c cost) operations() float64 { return float64(float64(c.evaluations) * c.each) }

// perStep is how many evaluations a step of a chain takes.
func (c cost) perStep() float64 {
	if c.steps == 0 {
		return gradientsPerStep
	}
	return float64(c.evaluations) / float64(c.steps)
}

// costOf counts what a fit has taken.
func (m *Model) costOf(p *infer.Posterior) cost {
	out := cost{each: m.costEach()}
	switch {
	case p.Fit != nil:
		out.evaluations = max(p.Fit.Evaluations, p.Fit.Iterations)
	case p.Draws.Kind() == draws.Chains:
		out.evaluations, out.steps = chainWork(p)
	default: // of particles and annealed chains nothing is counted
		out.evaluations = p.Draws.Total() * annealedSteps
	}
	return out
}

// costEach is the operations of an evaluation.
func (m *Model) costEach() float64 {
	if w, err := m.bound.GradientWork(make([]float64, m.Dim())); err == nil {
		return float64(w + operationsAround)
	}
	return float64(m.size() * operationsWritten)
}

// annealedSteps is about how many evaluations stand behind an annealed draw.
const annealedSteps = 1000

// size is how many numbers parameters and data have.
func (m *Model) size() int {
	n := m.Dim()
	observed, constant := m.bound.Data()
	for _, v := range append(observed, constant...) {
		n += len(v.Value.X)
	}
	return n
}

// budget is that of the consultation in operations.
func (c *Consultation) budget() float64 { return c.options.Budget.Seconds() * OperationsPerSecond }

// inTime is a number of operations as time of one processor.
func inTime(operations float64) string {
	seconds := operations / OperationsPerSecond
	switch {
	case seconds < 1:
		return fmt.Sprintf("about %.2g s of one processor", seconds)
	case seconds < 120:
		return fmt.Sprintf("about %.0f s of one processor", seconds)
	}
	return fmt.Sprintf("about %.0f min of one processor", seconds/60)
}

// replications is how many data sets a predictive check draws.
func (c *Consultation) replications() int {
	observed, _ := c.model.bound.Data()
	n := 1
	for _, v := range observed {
		n += len(v.Value.X)
	}
	return min(mostReplications, max(200, int(predictiveShare*c.budget()/float64(n*operationsSimulate))))
}

// planned is a diagnosis that fits the budget, or why there is none.
type planned struct {
	name       string
	diagnosis  *Diagnosis
	operations float64
	why        string
}

// refused is the plan of what does not fit. A budget that allows it has room for what comes before, too,
// which takes what it can use.
func (c *Consultation) refused(name string, operations float64) planned {
	need := time.Duration(math.Ceil((float64(c.cost.operations())+c.pilotWork+c.before+operations)/OperationsPerSecond)) * time.Second
	return planned{name: name, why: fmt.Sprintf("it takes %s at least, beside the fit; --budget %s allows it", inTime(operations), need)}
}

// planSBC takes as many and as long chains of the method as the budget allows.
func (c *Consultation) planSBC(left float64) (planned, error) {
	const name = "sbc"
	if c.Fit.Posterior.Stopping.Learned() {
		return planned{name: name, why: "inside sbc chains take effects as they are written, without the centring that this fit has learned"}, nil
	}
	own, kernel := c.ownChains()
	all := sbc.LeastReplications * growth * max(c.cost.operations(), float64(c.cost.steps)*c.perStep()*c.cost.each)
	defer func() { c.before = all }()
	if left >= all {
		return c.plan(name, sbcText(own, 0), all)
	}
	if c.cost.steps == 0 || kernel.Row.Option("warmup") == nil || own.Row.UsesPart {
		return c.refused(name, all), nil
	}
	perStep := sbc.LeastReplications * growth * c.perStep() * c.cost.each
	if left < 2*leastChain*perStep {
		return c.refused(name, 2*leastChain*perStep), nil
	}
	steps := cutChains(kernel, left/perStep)
	c.reduced = true
	return c.plan(name, sbcText(own, kernel.Int("chains")*kernel.Int("draws")/drawsPerRank), float64(steps)*perStep)
}

// sbcText is the diagnosis, whose chains are run again at most once. It takes ranks among that
// many draws, if that is fewer than sbc takes where it is not told: chains that were cut have
// no more in effect.
func sbcText(c *check.CheckedMethod, among int) string {
	options := fmt.Sprintf("replications = %d", sbc.LeastReplications)
	if o := sbc.DefaultOptions(nil); among > 0 && among < o.Draws {
		options += fmt.Sprintf(", draws = %d", max(among, o.Bins-1))
	}
	if kernel := c.Row.Option("warmup"); kernel != nil {
		options += ", doublings = 1"
	}
	return fmt.Sprintf("sbc(%s, %s)", methodText(c), options)
}

// plan makes the diagnosis of an expression; a model or method that it has no meaning for is
// no error.
func (c *Consultation) plan(name, text string, operations float64) (planned, error) {
	d, err := c.model.Program.Diagnosis(text)
	if err == nil {
		err = c.model.Judges(d)
	}
	if err != nil {
		why, _, _ := strings.Cut(err.Error(), "\n")
		return planned{name: name, why: why}, nil
	}
	return planned{name: name, diagnosis: d, operations: operations}, nil
}

// planBread takes the longest ladder that the budget allows.
func (c *Consultation) planBread(left float64) (planned, error) {
	const name = "bread"
	own := clones{}.of(c.method.checked)
	dropCheck(own)
	steps, cost := "", math.Inf(1)
	for _, n := range []int{1000, 300, 100, 10} {
		cost = breadDatasets * (pilotSteps + float64(2*breadChains*(n+n/10+1))) * c.perStep() * c.cost.each
		if cost > left {
			continue
		}
		switch {
		case n > 100:
			steps = fmt.Sprintf("[10, 100, %d]", n)
		case n > 10:
			steps = "[10, 100]"
		default:
			steps = "[10]"
		}
		break
	}
	if steps == "" {
		return c.refused(name, cost), nil
	}
	return c.plan(name, fmt.Sprintf("bread(%s, steps = %s, chains = %d, datasets = %d)", methodText(own), steps, breadChains, breadDatasets), cost)
}

// dropCheck takes the search for mass elsewhere away, which is about the data at hand.
func dropCheck(c *check.CheckedMethod) {
	for ; c != nil; c = c.Inner {
		delete(c.Args, "check")
	}
}

// fixLengths returns a method that ended by itself the lengths that it came to.
func fixLengths(c *check.CheckedMethod, plan draws.Plan) {
	for name, n := range map[string]int{"warmup": plan.Warmup, "draws": plan.Draws} {
		if !c.Has(name) {
			c.Args[name] = &check.Value{Kind: check.IntKind, Given: true, Int: n, Real: float64(n), Loc: c.Loc}
		}
	}
	for _, name := range []string{"ess", "rhat", "max_draws"} {
		delete(c.Args, name)
	}
}

// cutChains makes do with that many steps, first by fewer chains and then by shorter ones, and
// returns how many steps are left.
func cutChains(c *check.CheckedMethod, steps float64) int {
	set := func(option string, v int) {
		c.Args[option] = &check.Value{Kind: check.IntKind, Given: true, Int: v, Real: float64(v), Loc: c.Loc}
	}
	thin := 1
	if c.Has("thin") {
		thin = c.Int("thin")
	}
	length := func() int { return c.Int("warmup") + thin*c.Int("draws") }
	each := float64(length())
	set("chains", min(c.Int("chains"), max(1, int(steps/each))))
	if share := steps / each; share < 1 {
		set("warmup", min(c.Int("warmup"), max(leastChain, int(share*float64(c.Int("warmup"))))))
		set("draws", min(c.Int("draws"), max(leastChain, int(share*float64(c.Int("draws"))))))
	}
	return c.Int("chains") * length()
}

// statedText is a method with the options that were stated.
func statedText(c *check.CheckedMethod) string {
	var args []string
	if c.Inner != nil || len(c.Swap) > 0 {
		return ""
	}
	for _, o := range c.Row.Options {
		if v := c.Args[o.Name]; v != nil && v.Given && o.Name != "check" {
			args = append(args, o.Name+" = "+valueText(v))
		}
	}
	return c.Row.Name + "(" + strings.Join(args, ", ") + ")"
}
