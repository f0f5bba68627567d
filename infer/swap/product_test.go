package swap

import (
	"context"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

type gaussian struct{ Mean, Var float64 }

type productOracle struct {
	Cases []struct {
		F1, F2     [2]float64 // mean and variance
		T          int
		H          float64
		Printed    *gaussian `json:"as_printed_h2"`
		Consistent *gaussian `json:"kernel_consistent_2h2"`
	}
}

// TestOracleProduct: draws of the product of two normals against the exact law at finite
// T, for both pair weights. The factors' own draws are fewer than the oracle's T, with
// the oracle's width: 5 errors of 2000 draws of the product, and as many again for the
// sample of the factors.
func TestOracleProduct(t *testing.T) {
	const n, take = 4000, 2000
	for _, o := range infertest.ReadOracles[productOracle](t, "prior_swap/prod_gaussian*.json") {
		for i, c := range o.Cases {
			r := rng.New(uint64(i)+1, "test", 0, 0)
			factor := func(f [2]float64) [][]float64 {
				x := make([][]float64, n)
				for k := range x {
					x[k] = []float64{f[0] + math.Sqrt(f[1])*r.NormFloat64()}
				}
				return x
			}
			a, b := factor(c.F1), factor(c.F2)
			for name, law := range map[string]struct {
				want  *gaussian
				scale float64
			}{"h^2": {c.Printed, 1}, "2 h^2": {c.Consistent, 2}} {
				if law.want == nil {
					continue // the file does not say
				}
				p, err := newProductOf(context.Background(), a, nil, b, nil, c.H, law.scale*c.H*c.H)
				if err != nil {
					t.Fatal(err)
				}
				var sum, square float64
				z := make([]float64, 1)
				for range take {
					p.Draw(r, z)
					sum += z[0] / take
					square += z[0] * z[0] / take
				}
				sd := math.Sqrt(law.want.Var)
				shift, ratio := math.Abs(sum-law.want.Mean)/sd, math.Abs((square-sum*sum)/law.want.Var-1)
				t.Logf("case %d, weight %s: mean off by %.3f sd, variance by %.3f", i+1, name, shift, ratio)
				if !(shift <= 10/math.Sqrt(take)) || !(ratio <= 10*math.Sqrt(2.0/take)) {
					t.Errorf("case %d, weight %s: mean %.4f, variance %.4f, want %+v", i+1, name, sum, square-sum*sum, *law.want)
				}
			}
		}
	}
}

// TestOtherOracles: a case that has one of the two laws is held to that one.
func TestOtherOracles(t *testing.T) {
	infertest.ShareOracles(t, map[string]string{"prior_swap/prod_gaussian.json": `{"cases": [{"f1": [0, 1], "f2": [1, 0.25], "T": 10000,
		"h": 0.15848931924611134, "as_printed_h2": {"mean": 0.7940902299343082, "var": 0.21477559593218254}}]}`})
	t.Run("files", TestOracleProduct)
}
