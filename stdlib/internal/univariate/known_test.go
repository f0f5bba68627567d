// Densities that have been given their counts are those of each count by itself.

package univariate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Ordinary and extreme parameters, single numbers and vectors.
func TestKnownCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, d := range Distributions() {
		if d.Known == nil {
			continue
		}
		row := DensityFunctions(d)[0]
		for try := range 200 {
			n := 2 + r.IntN(300)
			trials := row.Name == "binomial_lpmf" || row.Name == "binomial_logit_lpmf"
			y, in := make([]float64, n), []catalogue.Tensor{}
			for i := range y {
				y[i] = float64(r.IntN([]int{4, 40, 300, 3000}[try%4]))
			}
			in = append(in, catalogue.Tensor{Dims: []int{n}, X: y})
			var active []int
			for j := 1; j < len(catalogue.ParseArgs(d.Args)); j++ {
				x, size := catalogue.Tensor{X: make([]float64, 1)}, 1
				if r.IntN(2) == 0 {
					x, size = catalogue.Tensor{Dims: []int{n}, X: make([]float64, n)}, n
				}
				for i := range size {
					switch {
					case trials && j == 1:
						x.X[i] = 3000 + float64(r.IntN(10))
					case row.Name == "binomial_lpmf":
						x.X[i] = r.Float64()
					case j == 1 && (row.Name == "poisson_log_lpmf" || row.Name == "neg_binomial_2_log_lpmf") || trials:
						x.X[i] = 3 * r.NormFloat64()
						if try == 7 {
							x.X[i] = 705
						}
					default:
						x.X[i] = math.Exp(2 * r.NormFloat64())
						if try%5 == 0 {
							x.X[i] *= 2000
						}
					}
				}
				if in = append(in, x); !trials || j != 1 {
					active = append(active, j)
				}
			}
			fn, given, ok := row.Sums(in, active)
			if !ok {
				continue
			}
			tried++
			with := append([]catalogue.Tensor{given}, in[1:]...)
			value := func(k *catalogue.Kernel, in []catalogue.Tensor) (float64, [][]float64) {
				din := make([][]float64, len(in))
				for _, j := range active {
					din[j] = make([]float64, len(in[j].X))
				}
				v, err := k.ValueGrad(in, din, make([]float64, k.Work(in)))
				if err != nil {
					t.Fatal(row.Name, err)
				}
				return v, din
			}
			got, slopes := value(fn.Kernel, with)
			want, wants := value(row.Kernel.OneByOne, in)
			if got != want && !(math.Abs(got-want) <= 1e-11*float64(n)*(1+math.Abs(want/float64(n)))) {
				t.Errorf("%s, try %d: %v, element by element %v", row.Name, try, got, want)
			}
			for _, j := range active {
				for i, s := range slopes[j] {
					if w := wants[j][i]; !(math.Abs(s-w) <= 1e-9*(1+math.Abs(w))) {
						t.Errorf("%s, try %d: derivative %d of argument %d is %v, element by element %v", row.Name, try, i, j, s, w)
					}
				}
			}
		}
	}
	if tried < 900 {
		t.Errorf("%d cases", tried)
	}
}
