package lang

// This file is a program with its data: what can be asked of a model at a point.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// BindOptions are the settings of Bind.
type BindOptions struct {
	Seed  uint64       // of the random numbers in transformed data
	Print func(string) // takes the text of print statements; nil drops it. It may be called from several goroutines
	// Unobserved reports that the data may lack observations, for a model that is only
	// simulated from.
	Unobserved bool
	// Impute names data variables of which elements may be missing (null in JSON, NA or nothing in a table, NaN). Each of
	// these becomes a parameter within the declared bounds, and a column such as "y.3".
	Impute []string
	// WithoutNative keeps the model from making machine code. Results are the same to the
	// last bit, but take longer.
	WithoutNative bool
	// Without names optimisations to leave out; the error of an unknown name lists them.
	// Values and gradients are the same up to rounding without them, and take longer.
	Without []string
	// Divide lets idle cores take over parts of statements over many rows of data, and of smaller calls
	// of reduce_sum and map_rect than they do anyway. It pays where fewer chains than cores are run. Draws do not depend on how
	// many cores there are, but their last digits may differ from those without it.
	Divide bool
}

// A Model is a program with its data. Points q are on the unconstrained scale and have
// Dim coordinates.
type Model struct {
	Program *Program
	bound   *bind.Model
	free    sync.Pool // of infer.Evaluator
}

// Bind is BindContext without a context; its errors are those.
func (p *Program) Bind(in *data.Set, o BindOptions) (*Model, error) {
	return p.BindContext(context.Background(), in, o)
}

// BindContext joins the program with data, checks sizes and constraints, and evaluates
// transformed data. A nil set is one without variables. The error is a *DataError where data
// and program do not fit together, an *eval.Error where transformed data fail, and a
// *CompileError of a program with errors. When ctx ends before all is done the error is its
// cause.
func (p *Program) BindContext(ctx context.Context, in *data.Set, o BindOptions) (*Model, error) {
	if err := p.broken(); err != nil {
		return nil, err
	}
	if in == nil {
		in = &data.Set{}
	}
	bound, err := bind.BindContext(ctx, p.IR, Library(), in, bind.Options{Seed: o.Seed, Print: o.Print, Unobserved: o.Unobserved,
		Impute: o.Impute, WithoutNative: o.WithoutNative, Without: o.Without, Divide: o.Divide})
	switch {
	case errors.Is(err, infer.ErrInterrupted) && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, newDataError(p.IR, in, err)
	}
	if len(bind.Imputed(bound)) > 0 { // the program has more parameters than were written
		whole := *p
		whole.IR = bind.Completed(bound)
		p = &whole
	}
	m := &Model{Program: p, bound: bound}
	m.free.New = func() any { return bound.NewEvaluator() }
	return m, nil
}

// Bound is the model as inference methods see it.
func (m *Model) Bound() *bind.Model { return m.bound }

// Dim is the number of unconstrained coordinates.
func (m *Model) Dim() int { return m.bound.Dim() }

// Columns names the values of a draw: parameters, transformed parameters and generated
// quantities, as in "theta.2". The caller must not change the slice.
func (m *Model) Columns() []string { return m.bound.Columns() }

// Imputed names the elements of data that were missing and are parameters, as in "y[3]".
func (m *Model) Imputed() []string { return bind.Imputed(m.bound) }

// LoosestTolerance is the greatest tolerance, relative or absolute, that solvers of differential equations have been given
// in evaluations so far; 0 where there are none. Log density and gradient are no more exact than that.
func (m *Model) LoosestTolerance() float64 { return bind.LoosestTolerance(m.bound) }

// UnconstrainedNames names the coordinates of a point.
func (m *Model) UnconstrainedNames() []string { return m.bound.UnconstrainedNames() }

// Density makes a target for one goroutine, with or without the log Jacobian of the
// constraint transforms, and with or without the constants that "~" may drop. Its values are
// in nats; its errors are those of LogDensity.
func (m *Model) Density(jacobian, propto bool) infer.Target { return m.bound.Density(jacobian, propto) }

// LogDensity is the log density at q in nats, Jacobian and constants included. Where the
// model has none (a scale that is not positive, reject()) the error is one of which
// infer.IsReject is true; other errors are failures of the program, with their place, or say
// that q has not Dim coordinates.
func (m *Model) LogDensity(q []float64) (float64, error) {
	if err := m.checkDim(q); err != nil {
		return math.NaN(), err
	}
	e := m.free.Get().(infer.Evaluator)
	defer m.free.Put(e)
	return e.LogDensity(q)
}

// Gradient is LogDensity with its gradient, in nats for a unit of each coordinate; the slice
// of Dim numbers is the caller's. The errors are those of LogDensity.
func (m *Model) Gradient(q []float64) (float64, []float64, error) {
	if err := m.checkDim(q); err != nil {
		return math.NaN(), nil, err
	}
	e := m.free.Get().(infer.Evaluator)
	defer m.free.Put(e)
	grad := make([]float64, len(q))
	lp, err := e.LogDensityGrad(q, grad)
	return lp, grad, err
}

// Hessian returns the second derivatives of LogDensity at q, row by row, by extrapolated
// differences of gradients; relative is the estimated error of an entry over the geometric
// mean of its row's and column's entries on the diagonal, the greatest of all. The errors are
// those of LogDensity, at q or near it.
func (m *Model) Hessian(q []float64) (rows [][]float64, relative float64, err error) {
	if err := m.checkDim(q); err != nil {
		return nil, math.NaN(), err
	}
	h, err := optimize.NewHessian(m.Density(true, false), q)
	if err != nil {
		return nil, math.NaN(), err
	}
	for i := range q {
		rows = append(rows, h.At[i*len(q):(i+1)*len(q):(i+1)*len(q)])
	}
	return rows, h.Error, nil
}

// Constrain returns the values of all Columns at q; seed serves the random numbers of
// generated quantities. Where these are rejected infer.IsReject is true of the error, and the
// values before them are there. Other errors are those of LogDensity.
func (m *Model) Constrain(q []float64, seed uint64) ([]float64, error) {
	if err := m.checkDim(q); err != nil {
		return nil, err
	}
	e := m.free.Get().(infer.Evaluator)
	defer m.free.Put(e)
	out := make([]float64, len(m.Columns()))
	return out, e.Write(q, rng.New(seed, rng.Quantities, 0, 0), out)
}

// Conditionals describes the blocks of a Gibbs sweep: which full conditional was found
// for each parameter, or why none. The error says why there is no point to look at.
func (m *Model) Conditionals() ([]infer.Block, error) { return m.bound.Conditionals() }

// Unconstrain returns the point of parameter values by name, a point of Dim coordinates. The error
// says which parameter is missing, has other sizes, or lies outside of its constraint.
func (m *Model) Unconstrain(values *data.Set) ([]float64, error) { return m.bound.Unconstrain(values) }

// ParameterColumns names the columns of the parameters, which come first in Columns.
func (m *Model) ParameterColumns() []string { return m.bound.ParameterColumns() }

// UnconstrainRow returns the point of parameter values in the order of ParameterColumns, such
// as the first of what Constrain gives. The error says which parameter lies outside of its
// constraint, or that their number is another.
func (m *Model) UnconstrainRow(values []float64) ([]float64, error) {
	if want := len(m.ParameterColumns()); len(values) != want {
		return nil, fmt.Errorf("the model's parameters have %d numbers, found %d", want, len(values))
	}
	return m.bound.UnconstrainRow(values)
}

// unconstrainedKey stands in a set for a point that is given as it is.
const unconstrainedKey = "unconstrained"

// Point returns the point of a set: parameter values by name, or, where the set has the
// one variable "unconstrained", the coordinates themselves. The errors are those of
// Unconstrain.
func (m *Model) Point(values *data.Set) ([]float64, error) {
	v, ok := values.Vars[unconstrainedKey]
	if !ok || len(values.Vars) != 1 {
		q, err := m.Unconstrain(values)
		var missing *data.Error
		if errors.As(err, &missing) && missing.Code == "data-missing" {
			missing.Message = strings.NewReplacer("the data do not have it", "the point does not have it", "; they have ", "; it has ", "; they are empty", "; it is empty").Replace(missing.Message)
		}
		return q, err
	}
	if v.IsTuple() || len(v.Dims) != 1 || v.Dims[0] != m.Dim() {
		return nil, values.ErrorAt(v, nil, "data-size", "the model has %d unconstrained coordinates, found sizes %v", m.Dim(), v.Dims)
	}
	return v.X, nil
}

func (m *Model) checkDim(q []float64) error {
	if len(q) != m.Dim() {
		return fmt.Errorf("the model has %d unconstrained coordinates, found %d", m.Dim(), len(q))
	}
	return nil
}
