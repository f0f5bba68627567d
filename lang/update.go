package lang

// This file takes a fit to other data.

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	other "github.com/seed-12b88e03/ppl/infer/update"
)

// moveMethod takes particles to the new data where weights do not hold.
const moveMethod = "smc()"

// An updating is what a Method of Updating begins with.
type updating struct {
	old *Model
	fit *draws.Draws
}

// Updating is the method that takes the draws of a fit of m to other data: those of the model of the same
// program that it is run on (package infer/update). Its options are those of smc. The error says that the fit has no
// draws of a posterior, or is a *MismatchError.
func (m *Model) Updating(fit *draws.Draws) (*Method, error) {
	switch {
	case fit.Total() == 0:
		return nil, errors.New("the fit has no draws")
	case fit.Kind() == draws.Mode:
		return nil, errors.New("the fit is one point; an update needs draws of a posterior")
	}
	if _, err := m.parametersIn(fit); err != nil {
		return nil, err
	}
	out, err := m.Program.Method(moveMethod)
	if err != nil {
		return nil, err
	}
	out.name, out.updating = "update", &updating{m, fit}
	return out, nil
}

// Update takes the draws of a fit of m to the data of another model of the same program. The errors are
// those of Run, and a *MismatchError where the new data have other parameters.
func (m *Model) Update(ctx context.Context, fit *draws.Draws, to *Model, o RunOptions) (*Fit, error) {
	method, err := m.Updating(fit)
	if err != nil {
		return nil, err
	}
	return to.Run(ctx, method, o)
}

// method is the update of a fit to the data of a model, by what moves particles.
func (u *updating) method(ctx context.Context, to *Model, move infer.Method, seed uint64) (infer.Method, error) {
	more, err := u.extended(to)
	if err != nil {
		return nil, err
	}
	fit := u.fit.Balanced().AtHand(MostEarlier)
	fit = fit.Thinned(apart(fit, u.old.ParameterColumns()))
	at, err := u.old.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	o := other.Options{Old: u.old.bound, LogWeights: fit.LogWeights(), Move: move}
	for chain := range fit.Chains() {
		for i := range fit.Len(chain) {
			q, err := u.old.bound.UnconstrainRow(draws.Picked(fit.Row(chain, i), at))
			if err != nil {
				return nil, atDraw(chain, i, err)
			}
			o.Points = append(o.Points, q)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if more != nil {
		more.Settle(o.Points[len(o.Points)/2])
		r := rng.New(seed, "update", 0, 0)
		for i, q := range o.Points {
			o.Points[i] = more.Complete(r, q)
		}
		o.Old = more
	}
	refit, err := to.Program.Method(DefaultMethod)
	if err != nil {
		return nil, err
	}
	o.Refit, err = (&builder{outermost: refit.checked, program: to.Program, info: refit.info}).build(refit.checked)
	return other.Method{Options: o}, err
}

// extended is the old model with the coordinates of elements that are missing in the new data and were not there in the old ones; nil where
// there are none. The error says which parameters are not the same: of one that the new data do not have, its density given the others is not known.
func (u *updating) extended(to *Model) (*other.Extended, error) {
	for _, element := range u.old.Imputed() {
		if !slices.Contains(to.Imputed(), element) {
			name, _, _ := strings.Cut(element, "[")
			return nil, &MismatchError{Variable: name, Text: element + " was missing when the fit was made, and is not now", Filled: true}
		}
	}
	_, err := to.parametersIn(u.fit)
	if err == nil {
		return nil, nil
	}
	had, has := asSet(u.old.ParameterColumns()), asSet(slices.Concat(to.ParameterColumns(), elementColumns(to.Imputed())))
	for _, name := range elementColumns(to.Imputed()) {
		had[name] = true
	}
	if !maps.Equal(had, has) {
		return nil, err
	}
	x, place := &other.Extended{Model: u.old.bound, To: to.bound, Place: make([]int, u.old.bound.Dim())}, map[string]int{}
	for k, name := range u.old.UnconstrainedNames() {
		place[name] = k
	}
	for i, name := range to.UnconstrainedNames() {
		if k, ok := place[name]; ok {
			x.Place[k] = i
		} else {
			x.Extra = append(x.Extra, i)
		}
	}
	if len(x.Extra) == 0 {
		return nil, nil
	}
	return x, nil
}

func asSet(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}

// elementColumns are the columns of elements, "y.3.1" of "y[3,1]".
func elementColumns(elements []string) []string {
	out := make([]string, len(elements))
	for i, e := range elements {
		out[i] = strings.NewReplacer("[", ".", ",", ".", " ", "", "]", "").Replace(e)
	}
	return out
}

// apart is how many draws of a chain there are to one that is independent of those before it.
func apart(fit *draws.Draws, parameters []string) int {
	if fit.Kind() != draws.Chains {
		return 1
	}
	least := float64(fit.Total())
	for _, s := range fit.Summaries() {
		// A parameter that is the same in all draws, such as the diagonal of a correlation matrix, has none: NaN.
		if s.ESSBulk > 0 && (s.Name == draws.LogDensityColumn || slices.Contains(parameters, s.Name)) {
			least = min(least, s.ESSBulk)
		}
	}
	return max(1, int(math.Ceil(float64(fit.Total())/max(least, 1)-0.25)))
}
