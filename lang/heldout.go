package lang

// This file builds held_out: models with some of the rows of their data, and the scores of draws on others.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/heldout"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// heldOptions reads the options that need no data, and checks them. The size of the data is left out.
func (b *builder) heldOptions(c *check.CheckedMethod) (o heldout.Options, rows *ir.Var, err error) {
	o.Splits, o.Share, o.Rows = c.Int("splits"), c.Real("share"), 2
	if rows, err = b.rowsOf(c); err != nil {
		return o, nil, err
	}
	if o.Method, err = b.ofFit(c.Inner).build(c.Inner); err != nil {
		return o, nil, err
	}
	_, err = heldout.New(o)
	return o, rows, err
}

// rowsOf is the data variable that counts the rows: the one that is given, or the first size of what the model
// observes.
func (b *builder) rowsOf(c *check.CheckedMethod) (*ir.Var, error) {
	prog := b.program.IR
	var rows *ir.Var
	if v := c.Args["rows"]; v != nil {
		i := slices.IndexFunc(prog.Data, func(d *ir.Var) bool { return d.Name == v.Expr.Span().Text() })
		if i < 0 || !prog.Data[i].Type.IsScalar() || !prog.Data[i].Type.HasOnlyInts() {
			return nil, methodError(v.Loc, "held-out-rows", "rows must be a variable of the data that counts rows, such as N in \"int N; vector[N] y;\", found %s", v.Expr.Span().Text())
		}
		rows = prog.Data[i]
	} else if rows = b.program.countOf(); rows == nil {
		return nil, methodError(c.Loc, "held-out-rows", "it is not known which variable counts the rows of the data; give rows = N")
	}
	for _, v := range append(slices.Clone(prog.Data), prog.Parameters...) {
		for k, size := range v.Decl.Sizes {
			if !ir.Reads(size, rows) {
				continue
			}
			switch {
			case v.Kind == ir.Parameter:
				return nil, methodError(v.Loc, "held-out-parameter", "the size of the parameter %s depends on %s: a fit to some rows says nothing of it in the others", v.Name, rows.Name)
			case k > 0 || rootOf(size) != rows:
				return nil, methodError(v.Loc, "held-out-data", "%s has %s in a size that is not its first alone, so that its rows cannot be left out", v.Name, rows.Name)
			}
		}
	}
	return rows, nil
}

// countOf is the data variable that is the first size of an observed one; nil where there is none, or several.
func (p *Program) countOf() (rows *ir.Var) {
	observed := graph.Observed(p.IR)
	for _, v := range p.IR.Data {
		if len(v.Decl.Sizes) == 0 || !observed[v] {
			continue
		}
		n := rootOf(v.Decl.Sizes[0])
		if n == nil || n.Kind != ir.Datum || rows != nil && rows != n {
			return nil
		}
		rows = n
	}
	return rows
}

func (b *builder) heldOut(c *check.CheckedMethod, m *Model) (diagnose.Diagnosis, infer.Model, error) {
	o, rows, err := b.heldOptions(c)
	if err != nil {
		return nil, nil, err
	}
	if len(m.Imputed()) > 0 {
		return nil, nil, methodError(c.Loc, "held-out-missing", "elements of the data are missing: whole rows cannot be left out beside them")
	}
	s := &held{model: m, rows: rows, at: c.Loc}
	if v := c.Args["prediction"]; v != nil {
		s.prediction, s.text = b.statistic(v.Expr), v.Expr.Span().Text()
		if t := s.prediction.Type(); t.Rank() != 1 || t.Base.IsComplex() || t.Base == types.TupleBase {
			return nil, nil, methodError(v.Loc, "held-out-prediction", "prediction must have a number for each row, found %s, which is a %s", s.text, t)
		}
	}
	if _, err := m.bound.NewObservations(0); err != nil {
		return nil, nil, methodError(c.Loc, "held-out-likelihood", "held_out needs a likelihood that is a product over observations: %v", err)
	}
	observed, constant := m.bound.Data()
	for _, v := range slices.Concat(observed, constant) {
		if v.Var == rows {
			o.Rows = int(v.Value.X[0])
		}
		if v.Var.Kind == ir.Datum && (len(v.Value.Fields) > 0 || len(v.Value.Elems) > 0 || v.Var.Type.Base.IsComplex()) {
			return nil, nil, methodError(v.Var.Loc, "held-out-data", "%s is a tuple or complex: its rows cannot be left out", v.Var.Name)
		}
	}
	if s.prediction == nil {
		s.unpredictable = bind.Drawable(m.bound)
	}
	o.Part = s.part
	d, err := heldout.New(o)
	return d, m.bound, err
}

// held makes models with some of the rows.
type held struct {
	model         *Model
	rows          *ir.Var
	prediction    ir.Expr // nil for the mean of simulated data
	text          string  // of it
	at            source.Span
	unpredictable error // why data cannot be simulated; nil where they can, and with a prediction

	lock sync.Mutex // binding is by one goroutine at a time
}

// part implements heldout.Options.
func (s *held) part(ctx context.Context, rows []int) (heldout.Part, error) {
	values := map[string]any{}
	observed, constant := s.model.bound.Data()
	for _, v := range slices.Concat(observed, constant) {
		switch {
		case v.Var.Kind != ir.Datum:
		case v.Var == s.rows:
			values[v.Var.Name] = len(rows)
		case slices.ContainsFunc(v.Var.Decl.Sizes, func(x ir.Expr) bool { return ir.Reads(x, s.rows) }):
			values[v.Var.Name] = nested(v.Value, rows)
		default:
			values[v.Var.Name] = nested(v.Value, nil)
		}
	}
	in, err := Data(values)
	if err != nil {
		return nil, err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	m, err := s.model.Program.BindContext(ctx, in, BindOptions{})
	if err != nil {
		return nil, fmt.Errorf("with %d of the rows: %w", len(rows), err)
	}
	bind.Within(ctx, m.bound)
	if !slices.Equal(m.parameterColumns(), s.model.parameterColumns()) {
		return nil, fmt.Errorf("the parameters have other sizes with some of the rows than with all")
	}
	return &heldPart{own: m, of: s, rows: len(rows)}, nil
}

// nested are the numbers of a value as slices in slices; of the first dimension those at the given places, or all.
func nested(v *eval.Value, keep []int) any {
	arrays := v.T.Dims
	inner := 1
	for _, n := range v.Dims[arrays:] {
		inner *= n
	}
	number := func(at int) any {
		if v.T.Base == types.IntBase {
			return int(v.X[at])
		}
		return v.X[at]
	}
	var walk func(level, at int) any
	walk = func(level, at int) any {
		if level == len(v.Dims) {
			return number(at)
		}
		places := keep
		if level > 0 || keep == nil {
			places = make([]int, v.Dims[level])
			for i := range places {
				places[i] = i
			}
		}
		step := 1 // from one place to the next
		if level < arrays {
			step = inner
			for _, n := range v.Dims[level+1 : arrays] {
				step *= n
			}
		} else if level > arrays { // columns of a matrix
			step = v.Dims[level-1]
		}
		out := make([]any, len(places))
		for i, k := range places {
			out[i] = walk(level+1, at+k*step)
		}
		return out
	}
	return walk(0, 0)
}

// A heldPart implements heldout.Part.
type heldPart struct {
	own  *Model
	of   *held
	rows int
}

// Model implements heldout.Part.
func (s *heldPart) Model() infer.Model { return s.own.bound }

// Score implements heldout.Part.
func (s *heldPart) Score(ctx context.Context, others heldout.Part, p *infer.Posterior, seed uint64) (out heldout.Score, err error) {
	if err := s.of.separate(ctx, p.Draws, s.own, others.(*heldPart).own); err != nil {
		return out, err
	}
	logs, err := s.own.LogLik(ctx, p.Draws, 1)
	if err != nil {
		return out, err
	}
	var logw []float64 // of the draws, chain by chain; nil where all weigh the same
	if p.LogWeights != nil && logs.Total() == p.Draws.Total() {
		logw = slices.Concat(p.LogWeights...)
	}
	total := 0.0
	for _, column := range logs.Columns() {
		l := slices.Concat(logs.Column(column)...)
		if logw == nil {
			total += infer.LogMean(l).Value
			continue
		}
		for k := range l {
			l[k] += logw[k]
		}
		total += infer.LogSumExp(l) - infer.LogSumExp(logw)
	}
	out.LogDensity, out.RMSE = total/float64(s.rows), math.NaN()
	if s.of.unpredictable != nil {
		out.Why = "data cannot be simulated from the model, and no prediction was given"
		return out, nil
	}
	mean, err := s.predict(ctx, p, logw, seed)
	if err != nil {
		return out, err
	}
	_, y := s.own.Observed()
	if len(mean) != len(y) {
		return out, fmt.Errorf("prediction = %s has %d numbers for %d observations", s.of.text, len(mean), len(y))
	}
	square := 0.0
	for i := range y {
		square += float64((y[i] - mean[i]) * (y[i] - mean[i]))
	}
	out.RMSE = math.Sqrt(square / float64(len(y)))
	return out, nil
}

// mostApart is how far, relative to their size, the log likelihoods of parts may be from that of all rows.
const mostApart = 1e-6

// separate makes sure that rows do not depend on each other given the parameters, of which the first draw is an
// example: the log likelihoods of the parts add up to that of all rows. They do not where transformed data have a mean
// over rows, which would be another one for rows that were left out, or where one row is the past of another.
func (s *held) separate(ctx context.Context, fit *draws.Draws, parts ...*Model) error {
	sum, size := 0.0, 1.0
	for i, m := range append(parts, s.model) {
		l, err := m.likelihood(ctx, fit)
		if err != nil { // all rows have one: a part that has none, or rejects the point, is no part
			l = math.NaN()
		}
		if size += math.Abs(l); i == len(parts) {
			l = -l
		}
		sum += l
	}
	if math.Abs(sum) <= float64(mostApart*size) {
		return nil
	}
	e := methodError(s.at, "held-out-rows-depend", "the log likelihoods of the rows that are left out and of the others do not add up to that of all: rows depend on each other")
	e.Problem.Help = "means and standard deviations over rows, as transformed data have them, would be others in the rows that are left out: compute them outside and give them as data; rows that follow each other in time cannot be left out at random"
	return e
}

// likelihood is the sum of the log densities of the observations at the first draw of a fit.
func (m *Model) likelihood(ctx context.Context, fit *draws.Draws) (float64, error) {
	logs, err := m.LogLik(ctx, fit.First(1), 1)
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, column := range logs.Columns() {
		total += slices.Concat(logs.Column(column)...)[0]
	}
	return total, nil
}

// predict is the mean over draws of the prediction, or of data simulated at each.
func (s *heldPart) predict(ctx context.Context, p *infer.Posterior, logw []float64, seed uint64) ([]float64, error) {
	n := p.Draws.Total()
	w := slices.Repeat([]float64{1 / float64(n)}, n)
	if len(logw) == n {
		infer.Weights(logw, w)
	}
	at, err := s.own.parametersIn(p.Draws)
	if err != nil {
		return nil, err
	}
	var mean []float64
	k := 0
	for chain := range p.Draws.Chains() {
		for i := range p.Draws.Len(chain) {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			row := draws.Picked(p.Draws.Row(chain, i), at)
			var x []float64
			if s.of.prediction != nil {
				values, err := s.own.bound.Evaluate([]ir.Expr{s.of.prediction}, row)
				if err != nil {
					return nil, err
				}
				x = values[0]
			} else {
				d, err := s.own.bound.SimulateGiven(predictiveStream(seed, chain, i), row)
				if err != nil {
					return nil, err
				}
				_, x = bind.Numbers(d.Observations)
			}
			if mean == nil {
				mean = make([]float64, len(x))
			}
			for j, v := range x {
				mean[j] += float64(w[k] * v)
			}
			k++
		}
	}
	return mean, nil
}
