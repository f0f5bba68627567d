package lang

// This file is the consultation: everything that can be checked of an answer within a budget,
// and whether it may be used.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// DefaultBudget is that of a consultation, in time of one processor.
const DefaultBudget = time.Minute

// ConsultOptions are the settings of a consultation.
type ConsultOptions struct {
	RunOptions
	// Budget is how much work may be done, as time of one processor; DefaultBudget where it is
	// 0. It is turned into counts (see OperationsPerSecond), so that what is decided by it
	// does not depend on the machine. The fit itself is made whatever it costs.
	Budget time.Duration
	// Line writes what to type next; nil for an expression of the method alone.
	Line func(diagnose.Next) string
}

// A Consultation is about one method on a model with data. Its steps are Run, then Plan and
// Add for each planned diagnosis, and Conclude; Consult does all of them.
type Consultation struct {
	Fit      *Fit                // of the method, with check = "full"
	Verdicts []*diagnose.Verdict // of the fit, the predictive checks and the diagnoses, in order
	Checks   []diagnose.Check    // what was asked, and what came out

	model   *Model
	method  *Method // with check = "full"
	options ConsultOptions
	cost    cost
	// piloted is how many evaluations a step took on simulated data, 0 where that was not measured,
	// and pilotWork the operations spent on it.
	piloted, pilotWork float64
	// before are the operations that what is planned before could use.
	before  float64
	reduced bool // sbc takes shorter chains than the fit
}

// NewConsultation prepares a consultation. The error is that of Supports.
func (m *Model) NewConsultation(method *Method, o ConsultOptions) (*Consultation, error) {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Line == nil {
		o.Line = func(n diagnose.Next) string { return n.Method }
	}
	full := *method
	full.checked = clones{}.of(method.checked)
	if full.Has("check") && !full.checked.Given("check") {
		if err := full.Set("check", checkFull); err != nil {
			return nil, err
		}
	}
	if err := m.Supports(&full); err != nil {
		return nil, err
	}
	return &Consultation{model: m, method: &full, options: o}, nil
}

// Consult fits the model by a method and checks the answer by all that the budget allows. When
// ctx ends early the conclusion is about what was done. The errors are those of Run and
// Diagnose.
func (m *Model) Consult(ctx context.Context, method *Method, o ConsultOptions) (*Consultation, *diagnose.Verdict, error) {
	c, err := m.NewConsultation(method, o)
	if err == nil {
		err = c.Run(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	list, err := c.Plan()
	for _, d := range list {
		if err != nil || ctx.Err() != nil {
			break
		}
		var v *diagnose.Verdict
		if v, err = m.Diagnose(ctx, d, o.RunOptions); err == nil {
			c.Add(v)
		}
	}
	return c, c.Conclude(), err
}

// Run fits the model and makes the checks that need no more than the draws. The error is that
// of Run of the model.
func (c *Consultation) Run(ctx context.Context) error {
	o := c.options.RunOptions
	o.search = max(1, int(searchShare*c.budget()/c.model.costEach()))
	fit, err := c.model.Run(ctx, c.method, o)
	if err != nil {
		return err
	}
	c.Fit = fit
	c.cost = c.model.costOf(fit.Posterior)
	v := diagnose.OfFit(fit.Name, fit.Method, fit.Findings)
	v.Incomplete = fit.Posterior.Incomplete
	c.Verdicts = append(c.Verdicts, v)
	c.program()
	c.fitted()
	c.elsewhere()
	if err := c.predict(ctx, "posterior"); err != nil {
		return err
	}
	if err := c.predict(ctx, "prior"); err != nil {
		return err
	}
	c.leaveOneOut()
	return c.pilot(ctx)
}

// ConsultFit is about a fit that was made earlier: what its draws can be asked. line is that of
// ConsultOptions.
func ConsultFit(f *Fit, line func(diagnose.Next) string) (*Consultation, *diagnose.Verdict) {
	c := &Consultation{Fit: f, options: ConsultOptions{Line: line}}
	v := diagnose.OfFit(f.Name, f.Method, f.Findings)
	v.Incomplete = f.Posterior.Incomplete
	c.Verdicts = append(c.Verdicts, v)
	c.fitted()
	c.elsewhere()
	c.leaveOneOut()
	for _, name := range []string{"posterior predictive check", "sbc", "bread"} {
		c.skip(name, diagnose.OfMethod, "it needs the model")
	}
	return c, c.Conclude()
}

func (c *Consultation) check(k diagnose.Check) { c.Checks = append(c.Checks, k) }

// skip notes what was not checked, and why.
func (c *Consultation) skip(name string, role diagnose.Role, format string, args ...any) {
	c.check(diagnose.Check{Name: name, Role: role, Severity: diagnose.None, Outcome: fmt.Sprintf(format, args...)})
}

// program reports the warnings about the program.
func (c *Consultation) program() {
	var texts []string
	p := c.model.Program
	for _, w := range append(p.Problems().Sorted(), p.Lint().Sorted()...) {
		texts = append(texts, w.Message)
	}
	k := diagnose.Check{Name: "program", Role: diagnose.Aside, Done: true, Outcome: "no warnings"}
	k.Severity = diagnose.Measure{Value: float64(len(texts)), Values: 2 + len(p.IR.Parameters)}.AtMost(0, float64(len(texts)))
	if len(texts) > 0 {
		k.Outcome = counted(len(texts), "warning") + ": " + strings.Join(texts[:min(len(texts), 3)], "; ")
		k.Reasons = []string{"Of the program, ppl check --pedantic warns: " + sentence(texts[0])}
	}
	c.check(k)
	differ, err := c.model.CheckSimulate(c.options.Seed)
	if err == nil && differ != nil {
		c.check(diagnose.Check{Name: "simulate block", Role: diagnose.OfMethod, Done: true, Severity: diagnose.Warning, Outcome: differ.Message,
			Reasons: []string{"The simulate block is another model than the model block: " + sentence(differ.Message)}, Remedy: sentence(differ.Help)})
	}
}

// fitted judges the fit by its own findings.
func (c *Consultation) fitted() {
	own := slices.DeleteFunc(c.unlabelled(), func(f diagnose.Finding) bool { return f.Name == "population" })
	k := diagnose.Check{Name: "fit", Role: diagnose.OfAnswer, Done: true, Severity: diagnose.Worst(own)}
	var names []string
	for _, f := range own {
		if f.Severity == k.Severity {
			names = append(names, strings.ReplaceAll(f.Name, "_", " "))
		}
	}
	k.Outcome = c.spent() + outcomeOf(k.Severity, names)
	if k.Severity == diagnose.Warning || k.Severity == diagnose.Bad {
		for _, f := range own {
			if f.Severity != k.Severity {
				continue
			}
			k.Reasons = append(k.Reasons, f.Meaning)
			if f.Name == "rhat" {
				k.Reasons = append(k.Reasons, c.apart()...)
			}
			if k.Remedy == "" {
				k.Remedy, k.Method = f.Remedy, c.next(f.Name)
				if f.Name == "rhat" && strings.HasPrefix(k.Method, "smc") {
					k.Remedy = "Where chains keep to different places, longer ones are no remedy: particles that come from the prior find several modes in their proportions."
				}
			}
		}
	}
	c.check(k)
}

// unlabelled are the findings of the fit; where elements are exchanged as the posterior
// allows, those on convergence are about what does not depend on their order.
func (c *Consultation) unlabelled() []diagnose.Finding {
	p := c.Fit.Posterior
	if p.Population == nil || len(p.Population.Exchanged) == 0 {
		return slices.Clone(c.Fit.Findings)
	}
	rows := slices.DeleteFunc(slices.Clone(c.Fit.Summaries), func(s draws.Summary) bool {
		return slices.Contains(p.Population.Exchanged, draws.Base(s.Name))
	})
	return diagnose.Posterior(p, rows)
}

// apart says how far the chains are from one another, in the quantity with the largest R-hat.
func (c *Consultation) apart() []string {
	worst := slices.MaxFunc(c.Fit.Summaries, func(a, b draws.Summary) int { return cmp.Compare(atLeastZero(a.RHat), atLeastZero(b.RHat)) })
	x := c.Fit.Posterior.Draws.Column(worst.Name)
	if len(x) < 2 {
		return nil
	}
	low, high, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, chain := range x {
		m := draws.Mean([][]float64{chain})
		low, high = min(low, m), max(high, m)
		least = min(least, draws.SD([][]float64{chain}))
	}
	return []string{fmt.Sprintf("The means of %s in the single chains go from %.3g to %.3g, where the standard deviation within a chain is as small as %.2g.", worst.Name, low, high, least)}
}

func atLeastZero(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

// outcomeOf says which checks of a fit came out as the worst.
func outcomeOf(s diagnose.Severity, names []string) string {
	switch s {
	case diagnose.Good:
		return "all checks of the fit itself passed"
	case diagnose.None:
		return "there was nothing to judge it by"
	}
	return fmt.Sprintf("%s: %s", s, strings.Join(names, ", "))
}

// spent is what the fit has cost.
func (c *Consultation) spent() string {
	if c.cost.evaluations == 0 {
		return ""
	}
	return fmt.Sprintf("%d evaluations of the density, %s; ", c.cost.evaluations, inTime(c.cost.operations()))
}

// elsewhere judges the fit by a population.
func (c *Consultation) elsewhere() {
	const name = "mass elsewhere"
	at := slices.IndexFunc(c.Fit.Findings, func(f diagnose.Finding) bool { return f.Name == "population" })
	if at < 0 {
		why := "the method does not aim at the posterior of the model"
		switch {
		case c.Fit.Posterior.Incomplete:
			why = "the run was cut short"
		case c.model == nil:
			why = "the run did not look for any"
		case c.model.Dim() == 0:
			why = "there are no continuous parameters"
		case c.method.checked.Given("check") && c.method.checked.Text("check") == checkNone:
			why = `the method has check = "none"`
		}
		c.skip(name, diagnose.OfAnswer, "%s", why)
		return
	}
	f := c.Fit.Findings[at]
	k := diagnose.Check{Name: name, Role: diagnose.OfAnswer, Done: true, Severity: f.Severity, Outcome: strings.TrimSuffix(f.Meaning, "."), Needed: true}
	if r := c.Fit.Posterior.Population; r != nil && r.Failed != "" && !r.Improper {
		k.Done = false
	}
	if f.Severity != diagnose.Good {
		k.Reasons, k.Remedy, k.Method = []string{f.Meaning}, f.Remedy, c.next(f.Name)
	}
	c.check(k)
}

// predict compares the data with data sets simulated from the posterior or the prior.
func (c *Consultation) predict(ctx context.Context, from string) error {
	name := from + " predictive check"
	role := diagnose.OfModel
	if from == "prior" {
		role = diagnose.Aside
	}
	checks, err := c.model.PredictiveChecks(ctx, c.Fit.Posterior, from, c.replications(), c.options.RunOptions)
	var not *NotPredictable
	switch {
	case errors.As(err, &not):
		c.skip(name, role, "%s", not.Why)
		return nil
	case ctx.Err() != nil:
		c.skip(name, role, "the run was cut short")
		return nil
	case err != nil:
		return err
	}
	v := diagnose.Predictive(from, checks)
	v.Directive = name
	c.Verdicts = append(c.Verdicts, v)
	f := v.Figures.(diagnose.PredictiveFigures)
	k := diagnose.Check{Name: name, Role: role, Done: true, Severity: v.Severity,
		Outcome: fmt.Sprintf("%d data sets simulated from the %s, %s; smallest adjusted %s", f.Replications, from, counted(len(f.Checks), "statistic"), diagnose.PValue(float64(f.P)))}
	if v.Severity == diagnose.Warning || v.Severity == diagnose.Bad {
		k.Reasons = []string{v.Summary}
		k.Remedy = "Change the model where it says what the data are like: tails, spread, groups, what depends on what."
		if from == "prior" {
			k.Remedy = "Look at units and scales of prior and data."
		}
	}
	c.check(k)
	return nil
}

// leaveOneOut judges whether predictions can be had by importance weights.
func (c *Consultation) leaveOneOut() {
	const name, variable = "leave-one-out", "log_lik"
	if len(c.Fit.Imputed) > 0 {
		c.skip(name, diagnose.Aside, "%s is missing: ppl loo FIT tells its density from those of observations", c.Fit.Imputed[0])
		return
	}
	r, err := loo.Of(c.Fit.Posterior.Draws, variable)
	var missing *loo.MissingError
	switch {
	case errors.As(err, &missing):
		c.skip(name, diagnose.Aside, "the generated quantities have no %s", variable)
		return
	case err != nil:
		c.skip(name, diagnose.Aside, "%v", err)
		return
	}
	c.check(looCheck(name, r))
}

// looCheck is what the Pareto shapes say.
func looCheck(name string, r *loo.Result) diagnose.Check {
	worst, bad := r.Worst(), len(r.Bad())
	k := diagnose.Check{Name: name, Role: diagnose.Aside, Done: true,
		Severity: diagnose.Measure{Value: float64(bad), Values: r.Draws}.AtMost(0, math.Inf(1)),
		Outcome:  fmt.Sprintf("elpd %.1f (standard error %.1f); largest Pareto k %.2f, of %s", r.LOO.ELPD.Value, r.LOO.ELPD.Error, worst.K, worst.Name)}
	if bad > 0 {
		k.Reasons = []string{fmt.Sprintf("The weights of %d of %d observations do not hold, those of %s worst (Pareto k %.2f): they weigh much in the answer. ppl loo fits the model without them.", bad, len(r.LOO.Terms), worst.Name, worst.K)}
	}
	return k
}

// Plan returns the diagnoses by simulated data that the budget allows. What it does not allow is
// noted with what it would take. The errors are those of Program.Diagnosis.
func (c *Consultation) Plan() ([]*Diagnosis, error) {
	if c.Fit.Posterior.Incomplete {
		for _, name := range []string{"sbc", "bread"} {
			c.skip(name, diagnose.OfMethod, "the run was cut short")
		}
		return nil, nil
	}
	if ok, problems, err := c.model.Generative(); !ok || err != nil {
		reason := fmt.Sprint(err)
		if len(problems) > 0 {
			reason = problems[0].Message
		}
		for _, name := range []string{"sbc", "bread"} {
			c.skip(name, diagnose.OfMethod, "the model cannot be simulated from (%s)", strings.TrimSuffix(reason, "."))
		}
		return nil, nil
	}
	var out []*Diagnosis
	left := float64(c.budget()) - float64(c.cost.operations()) - c.pilotWork
	for _, plan := range []func(left float64) (planned, error){c.planSBC, c.planBread} {
		p, err := plan(left)
		if err != nil {
			return nil, err
		}
		if p.diagnosis == nil {
			c.skip(p.name, diagnose.OfMethod, "%s", p.why)
			continue
		}
		left -= p.operations
		out = append(out, p.diagnosis)
	}
	return out, nil
}

// Add takes the verdict of a planned diagnosis.
func (c *Consultation) Add(v *diagnose.Verdict) {
	c.Verdicts = append(c.Verdicts, v)
	k := diagnose.Check{Name: v.Kind, Role: diagnose.OfMethod, Done: true, Severity: v.Severity, Outcome: strings.TrimSuffix(v.Summary, ".")}
	switch f := v.Figures.(type) {
	case sbc.Figures:
		c.ofSBC(&k, f)
	case bread.Figures:
		ofBread(&k, f)
	}
	if k.Severity == diagnose.Warning || k.Severity == diagnose.Bad {
		k.Reasons = []string{v.Summary}
		k.Remedy = "Reparameterise the model, or take another method."
		k.Method = c.next(v.Kind)
	}
	c.check(k)
}

// ofSBC says what calibration by simulated data came to. Chains that were cut judge themselves
// and not those of the fit.
func (c *Consultation) ofSBC(k *diagnose.Check, f sbc.Figures) {
	if len(f.Parameters) > 0 {
		p := f.Parameters[0].P
		for _, q := range f.Parameters {
			p = min(p, q.P)
		}
		k.Outcome = fmt.Sprintf("%s, %s ranked; smallest adjusted %s", counted(f.Replications, "simulated data set"), counted(len(f.Parameters), "quantity"), diagnose.PValue(float64(p)))
	}
	if c.reduced {
		k.Outcome += "; with shorter chains than those of the fit"
		if k.Severity == diagnose.Bad {
			k.Severity = diagnose.Warning
		}
	}
}

// ofBread says what annealed chains came to. How far they end from the posterior is about
// them and not about the fit; that they contradict each other is about the method's steps.
func ofBread(k *diagnose.Check, f bread.Figures) {
	broken := float64(f.Contradiction) < violated
	if !broken {
		k.Role = diagnose.Aside
	}
	if len(f.Ladder) == 0 {
		return
	}
	steps := f.Ladder[len(f.Ladder)-1].Steps
	switch {
	case broken:
		k.Outcome = "forward and reverse chains contradict each other, " + diagnose.PValue(float64(f.Contradiction))
	case f.Flat:
		k.Outcome = "the likelihood is the same for all parameters, so that there is nothing to anneal"
	case k.Severity == diagnose.None:
		k.Outcome = fmt.Sprintf("chains of %d steps from the prior are too short to tell", steps)
	default:
		k.Outcome = fmt.Sprintf("chains of %d steps from the prior end within %.2g nats of the posterior (standard error %.1g)", steps, float64(f.Jeffreys.Bound), float64(f.Jeffreys.Error))
	}
}

// violated is the p-value below which forward and reverse chains contradict each other.
const violated = 0.01

// Conclude reports whether the answer may be used, and what to do next. It may be called at any
// time after Run.
func (c *Consultation) Conclude() *diagnose.Verdict {
	v := diagnose.Conclude(c.Checks, c.options.Budget.Seconds(), c.options.Line)
	v.Directive = "Consultation about " + c.Fit.Name
	if c.options.Budget > 0 {
		v.Directive += ", budget " + c.options.Budget.String()
	}
	v.Incomplete = c.Fit.Posterior.Incomplete || slices.ContainsFunc(c.Verdicts, func(v *diagnose.Verdict) bool { return v.Incomplete })
	return v
}

// next is the method that helps against a finding; empty where none is known to.
func (c *Consultation) next(finding string) string {
	if c.model == nil {
		return ""
	}
	own := c.method.checked
	kernel := "nuts"
	if c.model.bound.Summable() != nil {
		kernel = "gibbs"
	}
	r := c.Fit.Posterior.Population
	text := ""
	switch finding {
	case "population", "other_evidence":
		if r != nil && r.From == draws.PriorStart && len(r.Exchanged) == 0 && !r.Improper && own.Row.Name != "smc" {
			text = fmt.Sprintf("smc(%s())", kernel)
		}
	case "divergences":
		if text = c.with(map[string]string{"delta": "0.99"}); own.Row.Name == "nuts" {
			text = "walnuts()"
		}
	case "rhat", "ess_bulk", "ess_tail":
		text = c.longer()
		if finding == "rhat" && c.stuck() && r != nil && r.From == draws.PriorStart && !r.Improper {
			text = fmt.Sprintf("smc(%s())", kernel)
		}
	case "sbc", "pareto_k", "weighted_moments", "understated", "optimiser":
		if own.Row.Name != kernel && c.Fit.Posterior.Draws.Kind() != draws.Chains {
			text = kernel + "()"
		}
	}
	if text == "" || text == methodText(own) {
		return ""
	}
	m, err := c.model.Program.Method(text)
	if err != nil || c.model.Supports(m) != nil {
		return ""
	}
	return text
}

// stuck reports whether chains are in different places, so that longer ones are no remedy.
func (c *Consultation) stuck() bool {
	return slices.ContainsFunc(c.Fit.Findings, func(f diagnose.Finding) bool {
		return f.Name == "rhat" && float64(f.Value) > stuckRHat
	})
}

// stuckRHat is the R-hat of chains whose means differ by about as much as each varies.
const stuckRHat = 1.2

// longer is the method with chains four times as long.
func (c *Consultation) longer() string {
	own := c.method.checked
	if own.Row.Option("warmup") == nil || own.Row.Option("draws") == nil {
		return ""
	}
	if !own.Has("draws") {
		return c.with(map[string]string{"max_draws": fmt.Sprint(4 * c.Fit.Posterior.Plan.Draws)})
	}
	lengths := map[string]string{"draws": fmt.Sprint(4 * own.Int("draws"))}
	if own.Has("warmup") {
		lengths["warmup"] = fmt.Sprint(4 * own.Int("warmup"))
	}
	return c.with(lengths)
}

// with is the method, as far as it was stated, with other values of options; empty where it
// has not all of them.
func (c *Consultation) with(options map[string]string) string {
	m := &Method{checked: clones{}.of(c.method.checked), rows: c.method.rows}
	for name, value := range options {
		if m.checked.Row.Option(name) == nil || m.Set(name, value) != nil {
			return ""
		}
	}
	return statedText(m.checked)
}

// counted is a number of things.
func counted(n int, what string) string {
	if n != 1 {
		if what = strings.TrimSuffix(what, "y"); strings.HasSuffix(what, "it") {
			what += "ie"
		}
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// sentence ends a text with a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.TrimSuffix(text, ".") + "."
}
