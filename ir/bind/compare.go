// The simulate block against the simulator that the model block gives.

package bind

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// comparisons is how many simulations are made by either way.
const comparisons = 400

// alarm is the chance that simulators which agree are said to differ.
const alarm = 1e-4

// A Disagreement is what two simulators differ in.
type Disagreement struct {
	Quantity       string  // a parameter or observation, as in "theta[2]", or the log density
	Block, Derived float64 // its median
	Draws          int     // by either way
	P              float64 // of the two-sample Kolmogorov-Smirnov test, over all quantities
}

// Error reports what differs.
func (d *Disagreement) Error() string {
	return fmt.Sprintf("the simulate block and the model block disagree: %s has median %.4g in the one and %.4g in the other "+
		"(%d simulations each, p = %.1g)", d.Quantity, d.Block, d.Derived, d.Draws, d.P)
}

// CompareSimulators simulates by the simulate block and by what the model block says,
// and compares every number, as well as the log density of parameters and data, which
// shows dependencies. It is nil where they agree. The error says that one of them
// failed.
func (m *Model) CompareSimulators(seed uint64) (*Disagreement, error) {
	var names []string
	draw := func(stream rng.Purpose, simulate func(*rand.Rand) (*Simulated, error)) ([][]float64, error) {
		r := rng.New(seed, stream, 0, 0)
		var columns [][]float64
		for range comparisons {
			s, err := simulate(r)
			if err != nil {
				return nil, err
			}
			row, err := simulation{m}.quantitiesOf(s, &names)
			if err != nil {
				return nil, err
			}
			if columns == nil {
				columns = make([][]float64, len(row))
			}
			for i, x := range row {
				columns[i] = append(columns[i], x)
			}
		}
		return columns, nil
	}
	block, err := draw("simulate block", m.Simulate)
	if err != nil {
		return nil, err
	}
	derived, err := draw("derived simulator", m.SimulateDerived)
	if err != nil {
		return nil, err
	}
	var worst *Disagreement
	for i := range block {
		p := sameDistribution(block[i], derived[i]) * float64(len(block))
		if p < alarm && (worst == nil || p < worst.P) {
			worst = &Disagreement{Quantity: names[i], Block: median(block[i]), Derived: median(derived[i]), Draws: comparisons, P: p}
		}
	}
	return worst, nil
}

// quantitiesOf lists the numbers of a simulation and its log density. names is filled
// the first time.
func (m simulation) quantitiesOf(s *Simulated, names *[]string) ([]float64, error) {
	var row []float64
	first := *names == nil
	for _, list := range [][]Named{s.Parameters, s.Observations} {
		for _, v := range list {
			shape, err := m.machine().Shape(v.Var)
			if err != nil {
				return nil, err
			}
			if first {
				appendVarNames(names, v.Var, shape)
			}
			eachNumber(v.Value, func(x *eval.Value, i int) { row = append(row, x.X[i]) })
		}
	}
	if first {
		for i, n := range *names {
			if base, index, ok := strings.Cut(n, "."); ok {
				(*names)[i] = base + "[" + strings.ReplaceAll(index, ".", ",") + "]"
			}
		}
		*names = append(*names, "the log density")
	}
	other, err := m.Rebind(s.Observations)
	if err != nil {
		return nil, err
	}
	lp, err := other.plainValue(s.Point, standard)
	if err != nil {
		lp = math.Inf(-1)
	}
	return append(row, lp), nil
}

// sameDistribution is the p-value of the two-sample Kolmogorov-Smirnov test by its
// limiting distribution, which is on the safe side for small samples and for ties.
func sameDistribution(a, b []float64) float64 {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	d := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := math.Min(a[i], b[j])
		for i < len(a) && a[i] <= x {
			i++
		}
		for j < len(b) && b[j] <= x {
			j++
		}
		d = math.Max(d, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	n := float64(len(a)) * float64(len(b)) / float64(len(a)+len(b))
	return math.Min(1, 2*libm.Exp(-2*n*d*d))
}

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}
