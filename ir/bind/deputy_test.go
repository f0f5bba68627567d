// Parts of sums by a deputy: the same bytes, whatever of them it does.

package bind_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/solver"
)

// A second is a deputy with a model of its own, which knows of a sum what its name says.
type second struct {
	t     *testing.T
	model *bind.Model
	does  func(part int) bool
	skew  float64 // added to each value, so that it is seen who computed it

	mu    sync.Mutex
	parts map[*infer.Sum]*solver.Parts
	done  int
}

func (d *second) Parts(s *infer.Sum, in [][]float64, gradient bool, take func(int, float64, []float64)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.parts[s]
	if p == nil {
		var err error
		if p, err = bind.Parts(d.model, &infer.Sum{At: slices.Clone(s.At), Jacobian: s.Jacobian, Index: s.Index, Values: s.Values}); err != nil {
			d.t.Error(err)
			return
		}
		d.parts[s] = p
	}
	if err := p.Load(slices.Concat(in...)); err != nil {
		d.t.Error(err)
		return
	}
	for k := range s.Values {
		if !d.does(k) {
			continue
		}
		value, row, err := p.Evaluate(k, gradient)
		if err != nil {
			d.t.Error(err)
			continue
		}
		take(k, value+d.skew, row)
		d.done++
	}
	take(-1, 0, nil) // none of these is a part
	take(len(s.Values), 0, nil)
	if gradient {
		take(0, 1e9, []float64{}) // of another length
	}
}

// walk is log densities and gradients along a path.
func walk(t *testing.T, m *bind.Model) (out []float64) {
	t.Helper()
	e, q := m.NewEvaluator(), slicedPoint(m)
	grad := make([]float64, len(q))
	for step := range 4 {
		lp, err := e.LogDensityGrad(q, grad)
		if err != nil {
			t.Fatal(err)
		}
		value, err := e.LogDensity(q)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, lp, value), grad...)
		for i := range q {
			q[i] += 0.01 * float64(i%3)
		}
		if step == 1 {
			q[0] += 11 // the other branch
		}
	}
	return out
}

// deputyText has sums whose parts share inputs and whose parts have their own, a branch, and a sum that depends on another.
const deputyText = `
functions {
  real regression(array[] real y, int from, int to, vector x, real a, real b, real sigma) {
    vector[to - from + 1] mu = a + b * exp(x[from:to]);
    if (a > 10) mu += sin(mu);
    return student_t_lpdf(y | 4, mu, sigma);
  }
  real random(array[] real z, int from, int to, real b) {
    return sum(log1p_exp(to_vector(z) * b)) + normal_lpdf(z | b, 1) + cauchy_lpdf(z | b, 2);
  }
  vector job(vector phi, vector theta, data array[] real x_r, data array[] int x_i) {
    return [normal_lpdf(x_r | phi[1] + sin(theta[1]), exp(phi[2])) + sum(cos(to_vector(x_r) * theta[1]))]';
  }
}
data { int N; }
transformed data {
  array[5 * N] real y = to_array_1d(sin(linspaced_vector(5 * N, 0, N)));
  vector[5 * N] x = cos(linspaced_vector(5 * N, 0, N));
  array[4, 3 * N] real r;
  array[4, 0] int none;
  for (j in 1:4) r[j] = to_array_1d(cos(j * linspaced_vector(3 * N, 0, N)));
}
parameters { real a; real b; real<lower=0> sigma; array[N] real z; array[4] vector[1] theta; }
model {
  real first = reduce_sum(regression, y, 1, x, a, b, sigma);
  target += first;
  target += reduce_sum(random, z, 1, b + 1e-6 * first);
  target += map_rect(job, [a, b]', theta, r, none);
}
`

// deputySize is a size at which all three are divided.
const deputySize = 8000

func TestDeputy(t *testing.T) {
	o := bind.Options{Seed: 1, Divide: true}
	want := walk(t, slicedWith(t, deputyText, deputySize, o))
	for name, does := range map[string]func(int) bool{
		"all":  func(int) bool { return true },
		"some": func(k int) bool { return k%2 == 1 },
		"none": func(int) bool { return false },
	} {
		m := slicedWith(t, deputyText, deputySize, o)
		d := &second{t: t, model: slicedWith(t, deputyText, deputySize, o), does: does, parts: map[*infer.Sum]*solver.Parts{}}
		end := bind.Delegate(m, d)
		got := walk(t, m)
		end()
		if !slices.Equal(got, want) {
			t.Errorf("%s: other numbers with a deputy", name)
		}
		if (d.done > 0) != (name != "none") {
			t.Errorf("%s: the deputy did %d parts", name, d.done)
		}
		before := d.done
		if got := walk(t, m); !slices.Equal(got, want) || d.done != before {
			t.Errorf("%s: the deputy is asked when it has gone", name)
		}
	}
	m := slicedWith(t, deputyText, deputySize, o)
	defer bind.Delegate(m, &second{t: t, model: m, does: func(int) bool { return true }, skew: 1, parts: map[*infer.Sum]*solver.Parts{}})()
	if got := walk(t, m); slices.Equal(got, want) {
		t.Error("what the deputy says does not count")
	}
}

// Sums of other models are not taken for those of this one.
func TestForeignSums(t *testing.T) {
	m := slicedWith(t, deputyText, deputySize, bind.Options{Seed: 1, Divide: true})
	q := slicedPoint(m)
	if n, err := bind.Sums(m, q); err != nil || len(n) != 3 {
		t.Errorf("%v sums, %v, want 3", n, err)
	}
	if n, err := bind.Sums(slicedWith(t, deputyText, 20, bind.Options{Seed: 1}), make([]float64, 3+20+4)); err != nil || len(n) != 0 {
		t.Errorf("%v sums, %v, want 0", n, err)
	}
	for _, s := range []infer.Sum{{At: q[1:]}, {At: q, Index: 4, Values: q[:4]}, {At: q, Index: -1}, {At: q, Values: q}} {
		if _, err := bind.Parts(m, &s); err == nil {
			t.Errorf("index %d, %d parts: no error", s.Index, len(s.Values))
		}
	}
	var name *infer.Sum
	end := bind.Delegate(m, naming(func(s *infer.Sum) { name = s }))
	walk(t, m)
	end()
	p, err := bind.Parts(m, name)
	if err != nil {
		t.Fatal(err)
	}
	other := *name
	other.Values = slices.Clone(name.Values)
	other.Values[1] = math.Nextafter(other.Values[1], 0)
	changed, err := bind.Parts(m, &other)
	if err != nil {
		t.Fatal(err)
	}
	for k := range name.Values {
		if err := p.Check(k); err != nil {
			t.Errorf("part %d: %v", k+1, err)
		}
		if err := changed.Check(k); (err != nil) != (k == 1) || k == 1 && !strings.Contains(err.Error(), "part 2 of the sum is") {
			t.Errorf("part %d, of which the second is said to be another: %v", k+1, err)
		}
	}
	if p.Load(q[:1]) == nil {
		t.Error("inputs of another length are taken")
	}
	if _, _, err := p.Evaluate(len(name.Values), true); err == nil {
		t.Error("a part is evaluated that there is not")
	}
}

type naming func(s *infer.Sum)

func (f naming) Parts(s *infer.Sum, _ [][]float64, _ bool, _ func(int, float64, []float64)) { f(s) }
