// This file is gibbs_prior as a diagnosis: the chains, the tests, and the words.

package gibbsprior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Diagnosis implements diagnose.Diagnosis.
type Diagnosis struct{ options Options }

// NewDiagnosis checks the options.
func NewDiagnosis(o Options) (*Diagnosis, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	return &Diagnosis{o}, nil
}

// Name implements diagnose.Diagnosis.
func (d *Diagnosis) Name() string { return "gibbs_prior" }

// Figures are the verdict's figures. Distances and MMD are of all quantities together.
type Figures struct {
	RHat            draws.Number `json:"rhat"`            // largest over quantities
	ESS             draws.Number `json:"ess"`             // smallest bulk ESS
	Autocorrelation draws.Number `json:"autocorrelation"` // largest, from one step to the next
	Thin            int          `json:"thin"`            // steps between draws of the permutation test
	MMD             Test         `json:"mmd"`             // squared, unbiased
	Energy          draws.Number `json:"energy"`          // energy distance
	Exchange        Test         `json:"exchange"`        // of triples; Value is their number
	Compactness     Pair         `json:"compactness"`     // Frobenius norms of the parameters' covariances
	Entropy         Pair         `json:"entropy"`         // of normals with these covariances, or of discrete parameters, in nats; NaN of both together
	Statistics      []Statistic  `json:"statistics"`
	Dependences     []Dependence `json:"dependences"`     // of the pairs that depend on each other most
	Compatibility   draws.Number `json:"compatibility"`   // squared MMD of (t_k, y_k) and (t_{k+1}, y_k)
	CompatibilityP  draws.Number `json:"compatibility_p"` // adjusted with the other tests
	Failures        int          `json:"failures"`        // fits that failed
	Unfinished      int          `json:"unfinished"`      // fits whose optimiser did not converge

	Pointwise *PointwiseFigures `json:"pointwise"` // null where the method has no density

	fits    int   // of chains and triples
	steps   int   // of each chain
	thinned int   // draws of the permutation test
	enough  int   // steps that would do for a verdict; 0 where they do, or nobody knows
	cause   error // of the first failure
}

// Test is a statistic with its p-value.
type Test struct {
	Value draws.Number `json:"value"`
	P     draws.Number `json:"p"`
}

// Pair is a figure of both priors.
type Pair struct {
	Prior draws.Number `json:"prior"`
	Gibbs draws.Number `json:"gibbs"`
}

// Moments of a quantity.
type Moments struct {
	Mean draws.Number `json:"mean"`
	SD   draws.Number `json:"sd"`
}

// Statistic compares a quantity.
type Statistic struct {
	Name  string       `json:"name"`
	Prior Moments      `json:"prior"`
	Gibbs Moments      `json:"gibbs"`
	Shift draws.Number `json:"shift"` // of the mean
	Error draws.Number `json:"error"` // its standard error
	P     draws.Number `json:"p"`     // of mean and spread, adjusted over all

	Quantiles Quantiles `json:"quantiles"`
}

// Quantiles are those at 0.5/n, 1.5/n, ... of both distributions: samples small enough to
// keep and large enough to draw densities from. There are none of a quantity that is not
// defined at some draw.
type Quantiles struct {
	Prior []draws.Number `json:"prior"`
	Gibbs []draws.Number `json:"gibbs"`
}

// keptQuantiles is their number.
const keptQuantiles = 100

func quantilesOf(x [][]float64) []draws.Number {
	sorted := draws.Sorted(x)
	if len(sorted) == 0 {
		return nil
	}
	out := make([]draws.Number, keptQuantiles)
	for i := range out {
		out[i] = draws.Number(draws.Quantile(sorted, (float64(i)+0.5)/keptQuantiles))
	}
	return out
}

// The bounds of convergence below which there is a verdict.
const (
	MostRHat  = 1.05
	LeastESS  = 100
	mostPairs = 300  // points of each sample in the permutation test
	mostSwaps = 3000 // pairs in the test of compatibility
)

// Units implements diagnose.Diagnosis: chains, then triples, then the data sets of the pointwise prior.
func (d *Diagnosis) Units() int {
	return d.options.Chains + min(d.options.Steps, mostTriples) + 1 + pointwiseDatasets
}

// Diagnose implements diagnose.Diagnosis.
func (d *Diagnosis) Diagnose(ctx context.Context, m infer.Model, o infer.Options) (*diagnose.Verdict, error) {
	s, err := newSampler(d.options, m, o)
	if err != nil {
		return nil, err
	}
	triples := min(d.options.Steps, mostTriples)
	fits := s.share.Count(d.options.Chains)*(d.options.Steps-1) + s.share.Count(d.Units())
	count, err := diagnose.NewCounter(o.Observer, d.Name(), fits)
	if err != nil {
		return nil, err
	}
	s.count = count
	chains, err := s.begin(d.options.Chains, d.options.Spread)
	if err != nil {
		return nil, fmt.Errorf("gibbs_prior: %w", err)
	}
	if broken, err := d.lengthen(ctx, s, chains, d.options.Steps, o.Jobs); broken != nil || err != nil {
		return broken, err
	}
	before, after, records, err := s.triples(ctx, triples, o.Jobs, d.options.Chains, func() { count.Add(1) })
	if _, ok := errors.AsType[*FailsError](err); ok {
		return d.broken(nil, 0, err)
	}
	if err != nil {
		return nil, fmt.Errorf("gibbs_prior: %w", err)
	}
	names, values, err := valuesOf(d.options.Quantities, s.stated)
	if err != nil {
		return nil, err
	}
	pointwise, err := s.pointwise(ctx, m, names, values, o.Jobs, d.options.Chains+triples)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("gibbs_prior: %w", err)
	}
	if s.share.Divided() {
		return diagnose.Unjudged(d), nil
	}
	for steps := d.options.Steps; ; {
		f := &Figures{Statistics: []Statistic{}, Pointwise: pointwise}
		for i := range records {
			f.count(&records[i])
		}
		f.fits += len(before)
		v, err := d.judge(ctx, s, chains, before, after, f, names, values, o)
		if err != nil || v.Severity != diagnose.None || f.enough <= steps || f.enough > longest*d.options.Steps || ctx.Err() != nil {
			return v, err
		}
		steps = f.enough
		if broken, err := d.lengthen(ctx, s, chains, steps, o.Jobs); broken != nil || err != nil {
			return broken, err
		}
	}
}

// longest is how many times the steps that were asked for chains may have, where with so many they are worth a verdict. What
// decides on it, the chains' autocorrelation, is independent of what the tests find.
const longest = 3

// lengthen makes chains so many steps long; the verdict is on a method that fails.
func (d *Diagnosis) lengthen(ctx context.Context, s *sampler, chains []*Chain, steps, jobs int) (broken *diagnose.Verdict, err error) {
	stuck, err := s.chains(ctx, chains, steps, jobs, func(_ int, _, _ []float64) error { s.count.Add(1); return nil })
	if err != nil {
		return nil, fmt.Errorf("gibbs_prior: %w", err)
	}
	if i := slices.IndexFunc(stuck, func(err error) bool { return err != nil }); i >= 0 {
		return d.broken(chains[i], i, stuck[i])
	}
	return nil, nil
}

// count adds what happened in the fits of a chain.
func (f *Figures) count(c *Chain) {
	f.Failures += c.Failures
	f.Unfinished += c.Unfinished
	f.fits += len(c.Data)
	if f.cause == nil {
		f.cause = c.Cause
	}
}

// broken is the verdict on a method that fails on data of its own model; an error of another
// kind stays one.
func (d *Diagnosis) broken(c *Chain, index int, err error) (*diagnose.Verdict, error) {
	var always *FailsError
	if !errors.As(err, &always) {
		return nil, fmt.Errorf("gibbs_prior: %w", err)
	}
	text := fmt.Sprintf("%s failed on %d data sets in a row that were simulated from one draw of the parameters", d.options.Method.Name(), tries)
	if c != nil {
		text = fmt.Sprintf("After %d steps of chain %d %s", len(c.Data), index+1, text)
	}
	return &diagnose.Verdict{Kind: d.Name(), Severity: diagnose.Bad, Summary: text + ": " + always.Last.Error() + "."}, nil
}

// valuesOf are the names of quantities and their values at points.
func valuesOf(quantities func(infer.Model) ([]string, func(q, out []float64) error, error), m infer.Model) (names []string, values func(points [][]float64) ([][]float64, error), err error) {
	names, at, err := quantities(m)
	return names, func(points [][]float64) ([][]float64, error) {
		out := make([][]float64, len(points))
		for i, q := range points {
			out[i] = make([]float64, len(names))
			if err := at(q, out[i]); err != nil && !infer.IsReject(err) {
				return nil, err
			}
		}
		return out, nil
	}, err
}

// mostTriples bounds the independent fits of the exchangeability test.
const mostTriples = 200

// triples draws t from the prior and t' from the method's answer to data given t. The first
// is unit number unit.
func (s *sampler) triples(ctx context.Context, n, jobs, unit int, done func()) (before, after [][]float64, records []Chain, err error) {
	a, b := make([][]float64, n), make([][]float64, n)
	records = make([]Chain, n)
	err = infer.Each(ctx, jobs, n, func(ctx context.Context, i int) error {
		if ctx.Err() != nil || !s.share.Has(unit+i) {
			return nil
		}
		q, err := s.prior("gibbs_prior/triple", i)
		if err != nil {
			return err
		}
		_, next, err := s.step(ctx, fmt.Sprintf("triple %d", i+1), q, uint64(i), &records[i])
		if ctx.Err() != nil {
			return nil
		}
		a[i], b[i] = q, next
		done()
		return err
	})
	for i := range n {
		if b[i] != nil {
			before, after = append(before, a[i]), append(after, b[i])
		}
	}
	return before, after, records, err
}

// judge computes the other figures and the verdict.
func (d *Diagnosis) judge(ctx context.Context, s *sampler, chains []*Chain, before, after [][]float64, f *Figures, names []string, values func([][]float64) ([][]float64, error), o infer.Options) (*diagnose.Verdict, error) {
	shortest := math.MaxInt
	for _, c := range chains {
		shortest = min(shortest, len(c.Data))
		f.count(c)
	}
	v := &diagnose.Verdict{Kind: d.Name(), Severity: diagnose.None, Incomplete: ctx.Err() != nil}
	if kept := shortest - shortest/10; kept < 20 {
		f.unknown()
		v.Summary, v.Figures = fmt.Sprintf("The chains have %d steps after the first tenth, too few to judge by.", kept), f
		return v, nil
	}
	var gibbs [][][]float64 // chain, step, quantity
	for _, c := range chains {
		x, err := values(c.Points[1+shortest/10 : shortest+1])
		if err != nil {
			return nil, err
		}
		gibbs = append(gibbs, x)
	}
	var points [][]float64
	for i := range len(gibbs) * len(gibbs[0]) {
		q, err := s.prior("gibbs_prior/prior", i)
		if err != nil {
			return nil, err
		}
		points = append(points, q)
	}
	prior, err := values(points)
	if err != nil {
		return nil, err
	}
	at := varying(slices.Concat(append(slices.Clone(gibbs), prior)...))
	if len(at) == 0 {
		f.unknown()
		v.Summary, v.Figures = "No quantity varies, so there is nothing to compare.", f
		return v, nil
	}
	if named := d.options.Statistics; named > 0 {
		for _, k := range constant(len(names), at) {
			if k >= len(names)-named {
				v.Notes = append(v.Notes, fmt.Sprintf("%s is the same in all draws, and was left out.", names[k]))
			}
		}
	}
	names = only(names, at)
	for _, rows := range append(slices.Clone(gibbs), prior) {
		for i, row := range rows {
			rows[i] = only(row, at)
		}
	}
	ps := f.statistics(names, gibbs, prior)
	if err := d.sizes(f, s.stated, chains, shortest, points); err != nil {
		return nil, err
	}
	r := rng.New(o.Seed, "gibbs_prior/tests", 0, o.Replicate)
	thinned := f.thin(gibbs)
	f.steps, f.thinned = shortest, len(thinned)
	discrepancy := math.NaN()
	if len(thinned) >= LeastESS {
		p := pool(every(thinned, mostPairs), every(prior, mostPairs))
		var value float64
		value, discrepancy = p.mmd(r)
		f.MMD.Value, f.Energy = draws.Number(value), draws.Number(p.energy())
	} else {
		f.MMD.Value, f.Energy = draws.Number(math.NaN()), draws.Number(math.NaN())
	}
	exchange := math.NaN()
	if len(before) >= LeastESS {
		a, err := values(before)
		if err != nil {
			return nil, err
		}
		b, err := values(after)
		if err != nil {
			return nil, err
		}
		exchange = exchangeable(a, b, r)
	}
	f.Exchange.Value = draws.Number(len(before))
	f.compatibility(chains, shortest, r)
	d.conclude(v, f, ps, discrepancy, exchange)
	return v, nil
}

// constant are the places below n that are not among some.
func constant(n int, some []int) (out []int) {
	for k := range n {
		if !slices.Contains(some, k) {
			out = append(out, k)
		}
	}
	return out
}

// unknown marks all figures of the chains as not measured.
func (f *Figures) unknown() {
	none := draws.Number(math.NaN())
	f.RHat, f.ESS, f.Autocorrelation, f.Energy = none, none, none, none
	f.MMD, f.Exchange, f.Compatibility, f.CompatibilityP = Test{none, none}, Test{none, none}, none, none
	f.Compactness, f.Entropy = Pair{none, none}, Pair{none, none}
}

// mostAutocorrelation is that of the thinned draws.
const mostAutocorrelation = 0.05

// thin finds the smallest lag at which no quantity is autocorrelated, as far as the
// chains can tell, and returns the draws at multiples of it.
func (f *Figures) thin(gibbs [][][]float64) [][]float64 {
	steps := len(gibbs[0])
	bound := max(mostAutocorrelation, 3/math.Sqrt(float64(steps*len(gibbs))))
	var columns [][][]float64
	for k := range gibbs[0][0] {
		columns = append(columns, column(gibbs, k))
	}
	f.Thin = 1
	for ; f.Thin < steps/2; f.Thin++ {
		if !slices.ContainsFunc(columns, func(x [][]float64) bool { return autocorrelation(x, f.Thin) > bound }) {
			break
		}
	}
	var out [][]float64
	for _, c := range gibbs {
		for i := 0; i < len(c); i += f.Thin {
			out = append(out, c[i])
		}
	}
	return out
}

// every takes at most n elements, evenly.
func every[T any](x []T, n int) []T {
	if len(x) <= n {
		return x
	}
	out := make([]T, n)
	for i := range out {
		out[i] = x[i*len(x)/n]
	}
	return out
}

// compatibility compares (t_k, y_k) and (t_{k+1}, y_k), which have the same law where some
// prior makes all of the method's answers exact: both parameters are draws from its
// posterior given y_k then, so that they may be swapped. Pairs lie so far apart that they
// are independent.
func (f *Figures) compatibility(chains []*Chain, steps int, r *rand.Rand) {
	var before, after []joint
	for _, c := range chains {
		for k := steps / 10; k < steps; k += f.Thin + 1 {
			before = append(before, joint{c.Points[k], c.Data[k]})
			after = append(after, joint{c.Points[k+1], c.Data[k]})
		}
	}
	f.Compatibility, f.CompatibilityP = draws.Number(math.NaN()), draws.Number(math.NaN())
	if len(before) < LeastESS {
		return
	}
	value, p := swaps(every(before, mostSwaps), every(after, mostSwaps), r)
	f.Compatibility, f.CompatibilityP = draws.Number(value), draws.Number(p)
}

// conclude puts the tests together.
func (d *Diagnosis) conclude(v *diagnose.Verdict, f *Figures, ps []float64, discrepancy, exchange float64) {
	smallest := math.NaN()
	for _, p := range ps {
		if !math.IsNaN(p) && !(p >= smallest) {
			smallest = p
		}
	}
	adjusted := diagnose.Holm([]float64{smallest, discrepancy, exchange, float64(f.CompatibilityP)})
	f.MMD.P, f.Exchange.P, f.CompatibilityP = draws.Number(adjusted[1]), draws.Number(adjusted[2]), draws.Number(adjusted[3])
	v.Figures = f
	v.Tables = append([]diagnose.Table{f.table()}, f.correlations(d.options.Warning)...)
	v.Notes = append(v.Notes, f.aside()...)
	if why := f.undecided(discrepancy); why != "" {
		d.withoutChain(v, f, exchange, why)
		return
	}
	other, compatible := smallestOf(adjusted[:3]), smallestOf(adjusted[3:])
	v.Severity = diagnose.Judge(min(other, compatible), int(f.ESS), d.options.Bad, d.options.Warning)
	v.Summary = d.summary(f, other, compatible)
	if v.Severity == diagnose.Good && d.judgesCode() {
		v.Severity = diagnose.None
		v.Summary = fmt.Sprintf("Chains of %s that start at the parameters which made the data leave the stated prior as it is, however short they are: that judges the code, in which nothing was found, and not the answer. Without warm_start the answer is judged.", d.options.Method.Name())
	}
}

// judgesCode reports whether each fit is a chain started at the truth, which if the kernel is
// right is a draw from the posterior whatever the number of its steps (Geweke 2004).
func (d *Diagnosis) judgesCode() bool {
	_, markov := d.options.Method.(infer.Markov)
	return markov && d.options.Restart != nil
}

// undecided is what the Gibbs chains lack, with the number of steps that would do; empty
// where they have converged.
func (f *Figures) undecided(discrepancy float64) string {
	var lacks []string
	more := 1.0
	if !(f.RHat <= MostRHat) {
		lacks, more = append(lacks, fmt.Sprintf("R-hat is %.3f and must be at most %.2f", float64(f.RHat), MostRHat)), 2
	}
	if !(f.ESS >= LeastESS) {
		lacks, more = append(lacks, fmt.Sprintf("the effective draws are %.0f and must be at least %d", float64(f.ESS), LeastESS)), max(more, LeastESS/max(1, float64(f.ESS)))
	}
	if math.IsNaN(discrepancy) && f.thinned < LeastESS {
		lacks, more = append(lacks, fmt.Sprintf("the draws that lie %d steps apart, as far as it takes to be independent, are %d and must be at least %d", f.Thin, f.thinned, LeastESS)),
			max(more, LeastESS/max(1, float64(f.thinned)))
	}
	if len(lacks) == 0 {
		return ""
	}
	f.enough = int(math.Ceil(1.2*more*float64(f.steps)/100) * 100)
	return fmt.Sprintf("%s; about steps = %d would do", strings.Join(lacks, ", "), f.enough)
}

// withoutChain judges by the triples alone, which need no convergence.
func (d *Diagnosis) withoutChain(v *diagnose.Verdict, f *Figures, exchange float64, why string) {
	f.Exchange.P, f.MMD.P, f.CompatibilityP = draws.Number(exchange), draws.Number(math.NaN()), draws.Number(math.NaN())
	v.Severity = diagnose.Judge(exchange, int(f.Exchange.Value), d.options.Bad, d.options.Warning)
	if v.Severity == diagnose.Good || v.Severity == diagnose.None {
		v.Severity = diagnose.None
		v.Summary = fmt.Sprintf("The Gibbs chains have not converged far enough for a verdict: %s.", why)
		return
	}
	v.Summary = fmt.Sprintf("%s does not answer for the stated prior: parameters drawn from it and from the answers to their data are not exchangeable (p %.2g, by %.0f independent fits).",
		d.options.Method.Name(), exchange, float64(f.Exchange.Value))
	v.Notes = append(v.Notes, fmt.Sprintf("The Gibbs chains themselves have not converged: %s.", why))
}

// smallestOf is the smallest of some p-values, those that are numbers.
func smallestOf(ps []float64) float64 {
	out := 1.0
	for _, p := range ps {
		if p < out {
			out = p
		}
	}
	return out
}

// summary reports what the tests of the prior found, smallest adjusted p other, and whether
// some prior makes the answers exact.
func (d *Diagnosis) summary(f *Figures, other, compatible float64) string {
	name := d.options.Method.Name()
	incompatible := compatible < d.options.Warning
	tested := !math.IsNaN(float64(f.CompatibilityP))
	text, end := fmt.Sprintf("The prior that %s effectively used cannot be told from the stated one (smallest adjusted p %.2g)", name, other), "."
	switch same := !(other < d.options.Warning); {
	case same && incompatible:
		end = fmt.Sprintf(", but no prior makes its answers exact posteriors: parameters drawn before and after a fit do not go with the data alike (p %.2g).", compatible)
	case same && tested:
		end = fmt.Sprintf(", and its answers vary with the data as exact posteriors do (compatibility p %.2g).", compatible)
	case !same:
		text = fmt.Sprintf("The prior that %s effectively used differs from the stated one (p %.2g%s)", name, other, f.suspects(d.options.Warning))
		switch {
		case incompatible:
			end = fmt.Sprintf("; no prior at all makes its answers exact posteriors: parameters drawn before and after a fit do not go with the data alike (p %.2g).", compatible)
		case tested:
			end = fmt.Sprintf("; under the prior that it used its answers may be exact (compatibility p %.2g).", compatible)
		}
	}
	return text + end
}

// aside is what the figures say beside the verdict.
func (f *Figures) aside() (notes []string) {
	if f.Failures > 0 {
		notes = append(notes, fmt.Sprintf("%d fits failed and were repeated with other observations; the first: %v.", f.Failures, f.cause))
	}
	if f.Unfinished > 0 {
		notes = append(notes, fmt.Sprintf("In %d of %d fits the optimiser did not converge; what is judged is the answer that they have all the same.", f.Unfinished, f.fits))
	}
	if p := f.Pointwise; p != nil && !p.Proper {
		notes = append(notes, fmt.Sprintf("No proper prior makes its answer to the data at hand exact: in some direction it says less than the likelihood alone; the same holds for %d of %d simulated data sets.", p.Improper, p.Datasets))
	}
	return notes
}

// suspects names the quantities that differ.
func (f *Figures) suspects(bound float64) string {
	var names []string
	for _, s := range f.Statistics {
		if float64(s.P) < bound {
			names = append(names, s.Name)
		}
	}
	for _, p := range f.Dependences {
		if float64(p.P) < bound {
			names = append(names, fmt.Sprintf("%s with %s", p.A, p.B))
		}
	}
	const most = 5
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf("; %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return "; " + strings.Join(names, ", ")
}

func (f *Figures) table() diagnose.Table {
	t := diagnose.Table{Title: "Stated prior and Gibbs prior", Header: []string{"", "prior mean", "sd", "gibbs mean", "sd", "shift", "error", "p"}}
	text := func(x draws.Number) string { return fmt.Sprintf("%.4g", float64(x)) }
	for _, s := range f.Statistics {
		t.Rows = append(t.Rows, []string{s.Name, text(s.Prior.Mean), text(s.Prior.SD), text(s.Gibbs.Mean), text(s.Gibbs.SD), text(s.Shift), text(s.Error),
			fmt.Sprintf("%.2g", float64(s.P))})
	}
	return t
}

// correlations is the table of the pairs that differ, if there are any.
func (f *Figures) correlations(bound float64) []diagnose.Table {
	t := diagnose.Table{Title: "Correlations of normal scores, where they may differ", Header: []string{"", "prior", "gibbs", "p"}}
	for _, p := range f.Dependences {
		if float64(p.P) < bound {
			t.Rows = append(t.Rows, []string{p.A + " with " + p.B, fmt.Sprintf("%.3f", float64(p.Prior)), fmt.Sprintf("%.3f", float64(p.Gibbs)), fmt.Sprintf("%.2g", float64(p.P))})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return []diagnose.Table{t}
}

var _ diagnose.Diagnosis = (*Diagnosis)(nil)
