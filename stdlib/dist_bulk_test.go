// This file holds the tight loops of densities against one variate after the other.

package stdlib

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// TestBulk takes all choices of scalar and vector arguments. Values agree to 1e-12 of the
// sum of the absolute terms, the log factorials of counts among them, gradients to 1e-10 of the
// largest entry.
func TestBulk(t *testing.T) {
	r := testRand(11)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		if d.Bulk == nil {
			return
		}
		k := densityRow(d.Name + univariate.DensitySuffix(d)).Kernel
		for shape := 1; shape < 1<<(len(params)+1); shape++ {
			for _, n := range []int{2, 41, 300} {
				compareBulk(t, k, d, params, shape, n, r)
			}
		}
	})
}

func compareBulk(t *testing.T, k *catalogue.Kernel, d *catalogue.Distribution, params []float64, shape, n int, r *rand.Rand) {
	in := bulkArguments(d, params, shape, n, r)
	want, size, slopes := oneByOne(t, k.OneByOne, in, n)
	din := make([][]float64, len(in))
	for j := range din {
		din[j] = make([]float64, len(in[j].X))
		din[j][0] = 1 // gradients are added to what is there
	}
	got, err := k.ValueGrad(in, din, make([]float64, k.Work(in)))
	if err != nil {
		t.Fatal(err)
	}
	if d.Discrete {
		for i := range n {
			l, _ := math.Lgamma(in[0].X[i%len(in[0].X)] + 1)
			size += math.Abs(l)
		}
	}
	if math.Abs(got-want) > 1e-12*size {
		t.Errorf("%s(%v), shape %b, %d variates: %v, one by one %v", d.Name, params, shape, n, got, want)
	}
	most := 1.0
	for _, s := range slopes {
		for _, v := range s {
			most = math.Max(most, math.Abs(v))
		}
	}
	for j, s := range slopes {
		if strings.HasPrefix(catalogue.ParseArgs(d.Args)[j].Type, "int") {
			continue
		}
		din[j][0]--
		for i, v := range s {
			if math.Abs(din[j][i]-v) > 1e-10*most {
				t.Errorf("%s(%v), shape %b, %d variates: derivative %d of argument %d is %v, one by one %v",
					d.Name, params, shape, n, i, j, din[j][i], v)
				return
			}
		}
	}
}

// bulkArguments draws variates, and varies vectors of parameters by a tenth.
func bulkArguments(d *catalogue.Distribution, params []float64, shape, n int, r *rand.Rand) []catalogue.Tensor {
	x := append([]float64{0}, params...)
	in := make([]catalogue.Tensor, len(x))
	for j, a := range catalogue.ParseArgs(d.Args) {
		m := 1
		if shape>>j&1 != 0 {
			m, in[j].Dims = n, []int{n}
		}
		for range m {
			v := x[j]
			switch {
			case j == 0:
				v = d.Draw(r, params)
			case strings.HasPrefix(a.Type, "int"):
			case v > 0 && v < 1:
				v -= 0.1 * v * r.Float64()
			default:
				v += 0.1 * v * r.Float64()
			}
			in[j].X = append(in[j].X, v)
		}
	}
	return in
}

// oneByOne returns the value, the sum of the absolute terms, and the gradient.
func oneByOne(t *testing.T, k *catalogue.Kernel, in []catalogue.Tensor, n int) (value, size float64, slopes [][]float64) {
	t.Helper()
	for j := range in {
		slopes = append(slopes, make([]float64, len(in[j].X)))
	}
	work := make([]float64, k.Work(in))
	for i := range n {
		one, din := make([]catalogue.Tensor, len(in)), make([][]float64, len(in))
		for j := range in {
			at := i % len(in[j].X)
			one[j].X, din[j] = in[j].X[at:at+1], slopes[j][at:at+1]
		}
		v, err := k.ValueGrad(one, din, work)
		if err != nil {
			t.Fatal(err)
		}
		value += v
		size += math.Abs(v) + 1
	}
	return value, size, slopes
}

// TestBulkOfNone takes all choices of empty arguments: the density is 0, and single
// arguments are held against their requirements as elsewhere.
func TestBulkOfNone(t *testing.T) {
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		if d.Bulk == nil {
			return
		}
		k := densityRow(d.Name + univariate.DensitySuffix(d)).Kernel
		for shape := 1; shape < 1<<(len(params)+1); shape++ {
			for bad := 0; bad <= len(params); bad++ { // the argument that is no number; 0 for none
				in := bulkArguments(d, params, shape, 0, testRand(12))
				din := make([][]float64, len(in))
				for j := range in {
					if j == bad && j > 0 && shape>>j&1 == 0 {
						in[j].X[0] = math.NaN()
					}
					din[j] = make([]float64, len(in[j].X))
				}
				got, err := k.ValueGrad(in, din, make([]float64, k.Work(in)))
				want, wantErr := k.OneByOne.ValueGrad(in, nil, make([]float64, k.OneByOne.Work(in)))
				if (err == nil) != (wantErr == nil) || err == nil && (got != 0 || want != 0) {
					t.Errorf("%s, shape %b: %v, %v; one by one %v, %v", d.Name, shape, got, err, want, wantErr)
				}
				for j := range din {
					for _, v := range din[j] {
						if v != 0 {
							t.Errorf("%s, shape %b: derivative %v", d.Name, shape, v)
						}
					}
				}
			}
		}
	})
}

func TestBulkAtGreatestScale(t *testing.T) {
	k := densityRow("double_exponential_lpdf").Kernel
	in := []catalogue.Tensor{{X: []float64{1, 2}, Dims: []int{2}}, {X: []float64{0}}, {X: []float64{math.MaxFloat64}}}
	got, err := k.ValueGrad(in, nil, make([]float64, k.Work(in)))
	if want := -2 * (math.Log(math.MaxFloat64) + math.Ln2); err != nil || math.Abs(got-want) > 1e-12*-want {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
