// This file gives targets the factorisation that coordinate ascent needs.

package infertest

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// Factorise implements infer.Factorisable where Factors is set.
func (m *Model) Factorise(infer.Blocking) (*infer.Factorisation, error) {
	if m.Factors == nil {
		return nil, &infer.MissingError{Method: "cavi", Needs: "a factorisation"}
	}
	return m.Factors(), nil
}

// numberTo is a statistic: number i of a block to a power.
func numberTo(i int, power float64) infer.Statistic {
	return infer.Statistic{{Index: i, Power: power}}
}

// Quadratic is the factorisation by coordinates of a log density that is a polynomial of
// degree 2; its coefficients are differences of the density.
func Quadratic(m *Model) func() *infer.Factorisation {
	return func() *infer.Factorisation {
		f := m.New()
		at := func(i, j int, x, y float64) float64 {
			q := make([]float64, m.N)
			q[i] += x
			q[j] += y
			v, _ := f(q, nil)
			return v
		}
		zero := at(0, 0, 0, 0)
		out := &infer.Factorisation{Terms: []infer.FactorTerm{{Coef: zero}}}
		for i := range m.N {
			out.Blocks = append(out.Blocks, infer.FactorBlock{
				Name: m.Columns()[i], Size: 1, Coords: []int{i}, Statistics: []infer.Statistic{numberTo(0, 1), numberTo(0, 2)},
			})
			up, down := at(i, i, 1, 0), at(i, i, -1, 0)
			of := func(k int32) []infer.BlockStatistic { return []infer.BlockStatistic{{Block: int32(i), Statistic: k}} }
			out.Terms = append(out.Terms,
				infer.FactorTerm{Coef: (up - down) / 2, Of: of(0)},
				infer.FactorTerm{Coef: (up+down)/2 - zero, Of: of(1)})
			for j := range i {
				cross := at(i, j, 1, 1) - up - at(j, j, 1, 0) + zero
				out.Terms = append(out.Terms, infer.FactorTerm{Coef: cross, Of: append([]infer.BlockStatistic{{Block: int32(j)}}, of(0)...)})
			}
		}
		return out
	}
}

// funnelFactors is the factorisation of Funnel with y observed: that of v has the
// function exp(-v).
func funnelFactors(y float64) func() *infer.Factorisation {
	return func() *infer.Factorisation {
		v := func(k int32) infer.BlockStatistic { return infer.BlockStatistic{Statistic: k} }
		return &infer.Factorisation{
			Blocks: []infer.FactorBlock{
				{Name: "v", Size: 1, Coords: []int{0},
					Statistics: []infer.Statistic{numberTo(0, 1), numberTo(0, 2), {{Func: infer.Function, Power: 1}}},
					Functions: func() infer.BlockFunctions {
						return func(t float64, out []float64) error {
							out[0] = libm.Exp(-t)
							return nil
						}
					}},
				{Name: "x", Size: 1, Coords: []int{1}, Statistics: []infer.Statistic{numberTo(0, 2)}},
			},
			Terms: []infer.FactorTerm{
				{Coef: -y*y/2 - 3*logRoot2Pi},
				{Coef: y - 0.5, Of: []infer.BlockStatistic{v(0)}},
				{Coef: -1, Of: []infer.BlockStatistic{v(1)}},
				{Coef: -0.5, Of: []infer.BlockStatistic{v(2), {Block: 1}}},
			},
		}
	}
}
