// Random programs with discrete parameters, against the same programs where these are data.

package bind_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A discreteProgram writes a program with the discrete parameters u in 0:2, k in 1:3, z[1] and z[2] in 1:3 and f in 0:1.
type discreteProgram struct {
	r     *rand.Rand
	reals []string // names in scope that are assigned to
	ints  []string
	names int
	depth int
	loop  bool // whether i, 1 or 2, is in scope
}

func (d *discreteProgram) of(list ...string) string { return list[d.r.IntN(len(list))] }

// index is an expression from 1 to 3.
func (d *discreteProgram) index() string {
	list := []string{"k", "z[1]", "z[2]", "1 + u", "f + 1", "(k % 3 + 1)", "2", "min({3, u + f + 1})", "z[f + 1]"}
	if d.loop {
		list = append(list, "z[i]", "i", "i + f")
	}
	return d.of(list...)
}

func (d *discreteProgram) integer() string {
	if d.r.IntN(4) == 0 && d.depth < 3 {
		d.depth++
		defer func() { d.depth-- }()
		return "(" + d.integer() + d.of(" + ", " * ", " - ", " < ", " == ", " && ") + d.integer() + ")"
	}
	return d.of(append([]string{"u", "k", "f", "sum(z)", "u + k", "1", "c[2]", "(z[1] == z[2])", d.index()}, d.ints...)...)
}

func (d *discreteProgram) real() string {
	if d.depth++; d.depth > 3 {
		d.depth--
		return d.of("a", "s", "0.5", "mu[1]")
	}
	defer func() { d.depth-- }()
	list := append([]string{"a", "s", "mu[" + d.index() + "]", "w[" + d.index() + "]", "y[" + d.index() + "]", "0.7", "mean(mu[z])", "sum(mu[1:" + d.index() + "])"}, d.reals...)
	switch d.r.IntN(9) {
	case 0:
		return "tanh(" + d.real() + ")"
	case 1:
		return "(" + d.real() + d.of(" + ", " - ", " * ") + d.real() + ")"
	case 2:
		return "(" + d.condition() + " ? " + d.real() + " : " + d.real() + ")"
	case 3:
		return "half(" + d.integer() + ", " + d.real() + ")"
	case 4:
		return "(0.3 * " + d.integer() + ")"
	}
	return d.of(list...)
}

func (d *discreteProgram) positive() string {
	return d.of("s", "s", "exp(tanh("+d.real()+"))", "(0.5 + w["+d.index()+"])", "(s + u)", "(s + 0.1 * sum(z))", "sd["+d.index()+"]", d.of("mu["+d.index()+"]", "(0.2 + w[1])"))
}

func (d *discreteProgram) proportion() string {
	return d.of("w["+d.index()+"]", "inv_logit("+d.real()+")", "0.3", "fmin(0.9, w[1] + 0.1 * u)", d.of("a", "w[2]"))
}

func (d *discreteProgram) condition() string {
	return d.of("f", "f == 0", "u > 1", "k == 2", "a > 0", "mu[1] < mu[2]", "z[1] == z[2]", "z[1] < k", d.integer()+" > 1", "c[1] > u", "u == 1 || k == 3")
}

func (d *discreteProgram) statement() string {
	switch d.r.IntN(22) {
	case 0:
		return fmt.Sprintf("%s ~ normal(%s, %s);", d.real(), d.real(), d.positive())
	case 1:
		return fmt.Sprintf("y[%s] ~ normal(%s, %s);", d.index(), d.real(), d.positive())
	case 2:
		return fmt.Sprintf("y ~ normal(%s, %s);", d.of(d.real(), "mu["+d.index()+"]"), d.positive())
	case 3:
		return fmt.Sprintf("y[1:2] ~ normal(mu[z], %s);", d.of("s", "sd[z]", d.positive()))
	case 4:
		return d.of("k ~ categorical(w);", "z ~ categorical(w);", "k ~ categorical(w);", "z[1] ~ categorical(softmax(mu));")
	case 5:
		return fmt.Sprintf("z[2] ~ categorical(%s);", d.of("softmax(mu * z[1])", "T[z[1]]'", "w", "T["+d.index()+"]'"))
	case 6:
		return fmt.Sprintf("%s ~ binomial(%s, %s);", d.of("u", "f", "c[2]"), d.of("2", "u + 1", "c[1]", "k"), d.proportion())
	case 7:
		return fmt.Sprintf("%s ~ bernoulli(%s);", d.of("f", "f", d.integer()), d.proportion())
	case 8:
		return fmt.Sprintf("%s ~ poisson(%s);", d.of("u", "c", "c[1]", d.integer()), d.positive())
	case 9:
		return fmt.Sprintf("%s ~ categorical_logit(%s);", d.of("k", "z", "z[1]", d.index()), d.of("mu", "mu * "+d.real(), "mu + "+d.integer()))
	case 10, 11:
		if d.depth > 1 {
			return "target += " + d.real() + ";"
		}
		return "if (" + d.condition() + ") {" + d.block() + "}" + d.of("", " else {"+d.block()+"}")
	case 12:
		if d.depth > 1 || d.loop {
			return "target += mean(mu[z]);"
		}
		d.loop = true
		defer func() { d.loop = false }()
		return d.of("for (i in 1:2) {", "for (i in 1:2) {", "for (i in 1:"+d.of("u", "k", "z[1]", "2")+") {") + d.block() + "}"
	case 13, 14:
		x := d.real()
		d.names++
		d.reals = append(d.reals, fmt.Sprintf("t%d", d.names))
		return fmt.Sprintf("real t%d = %s;", d.names, x)
	case 15:
		x := d.integer()
		d.names++
		d.ints = append(d.ints, fmt.Sprintf("n%d", d.names))
		return fmt.Sprintf("int n%d = %s;", d.names, x)
	case 16:
		if len(d.reals) > 0 {
			return fmt.Sprintf("%s %s %s;", d.of(d.reals...), d.of("=", "+="), d.real())
		}
		return "target += half(k, a);"
	case 17:
		return fmt.Sprintf("target += log_mix(%s, %s, %s);", d.proportion(), d.real(), d.real())
	case 18:
		return fmt.Sprintf("target += %s;", d.of(d.real(), "log("+d.positive()+")", "log("+d.real()+")"))
	case 19:
		return fmt.Sprintf("y ~ %s(%s, %s);", d.of("student_t", "skew_normal"), d.of("4, mu["+d.index()+"]", "2 + u, a"), d.positive())
	case 20:
		return fmt.Sprintf("if (%s) reject(%q);", d.of("f == 1 && a > 0.5", "z[1] == z[2]", "u > k", "k == 1 && s < 0.5"), "no")
	}
	return fmt.Sprintf("target += normal_lupdf(%s | %s, %s);", d.real(), d.real(), d.positive())
}

// block is some statements, whose variables end with it.
func (d *discreteProgram) block() string {
	reals, ints := d.reals, d.ints
	defer func() { d.reals, d.ints = reals, ints }()
	d.depth++
	defer func() { d.depth-- }()
	var b strings.Builder
	for range 1 + d.r.IntN(3) {
		b.WriteString(" " + d.statement())
	}
	return b.String() + " "
}

// program writes the program with the discrete numbers in the block of that name.
func (d *discreteProgram) program() func(block string) string {
	var derived, body strings.Builder
	if d.r.IntN(3) == 0 {
		fmt.Fprintf(&derived, "real t0 = %s;", d.real())
		d.reals = nil // not assigned to in the model
	}
	for range 2 + d.r.IntN(5) {
		body.WriteString("  " + d.statement() + "\n")
	}
	model := body.String()
	if derived.Len() > 0 {
		model += "  target += -square(t0);\n"
	}
	return func(block string) string {
		numbers := "int<lower=0, upper=2> u; int<lower=1, upper=3> k; array[2] int<lower=1, upper=3> z; int<lower=0, upper=1> f;"
		given := ""
		if block == "data" {
			given, numbers = numbers, ""
		}
		return fmt.Sprintf(`functions { real half(int n, real x) { real v = 0.5 * x; if (n > 1) return v; for (j in 1:2) v += 0.1 * n * x; return v; } }
data { vector[3] y; array[2] int c; vector[3] sd; matrix[3, 3] T; %s }
parameters { real a; real<lower=0> s; vector[3] mu; simplex[3] w; %s }
transformed parameters { %s }
model {
  a ~ normal(0, 1); s ~ exponential(1); mu ~ normal(0, 1);
%s}`, given, numbers, derived.String(), model)
	}
}

const discreteData = `"y": [0.3, -1.1, 0.8], "c": [1, 2], "sd": [0.7, 1.4, 0.4], "T": [[0.7, 0.2, 0.1], [0.3, 0.3, 0.4], [0, 0.5, 0.5]]`

// discreteSeeds is how many random programs tests run.
var discreteSeeds = subset.Of(15, 6000)

// FuzzDiscrete compares, at random points, the marginal density of a random program, its gradient, the joint density, its
// conditionals and draws of the discrete parameters with the densities of the program where these are data.
func FuzzDiscrete(f *testing.F) {
	for s := range uint64(discreteSeeds) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := &discreteProgram{r: rand.New(rand.NewPCG(seed, 17))}
		compareDiscrete(t, d.program(), d.r)
	})
}

func compareDiscrete(t *testing.T, text func(block string) string, r *rand.Rand) {
	t.Helper()
	program := text("parameters")
	m, err := boundTo(program, "{"+discreteData+"}")
	if err != nil {
		if refusedDiscrete(err) {
			return
		}
		t.Fatalf("%v\n%s", err, program)
	}
	q := make([]float64, m.Dim())
	for range 2 {
		for i := range q {
			q[i] = r.NormFloat64()
		}
		c := &discreteCase{t: t, text: program, m: m, q: q}
		for _, z := range discreteValues() {
			c.add(z)
		}
		for range 2 {
			c.asData(r.IntN(len(c.z)), text("data"))
		}
		c.marginal()
		c.joint(r)
		c.conditionals(r)
		if t.Failed() {
			return
		}
	}
}

// boundTo is bound with its error.
func boundTo(program, json string) (*bind.Model, error) {
	lib := stdlib.New()
	p, err := bindtest.Compile("test.stan", program, ".", lib)
	if err != nil {
		return nil, err
	}
	in, err := data.ReadBytes([]byte(json), "test.json", func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	return bind.Bind(p, lib, in, bind.Options{Seed: 1})
}

// refusedDiscrete reports whether an error says that something cannot be summed out.
func refusedDiscrete(err error) bool {
	return strings.Contains(err.Error(), "discrete parameter")
}

func discreteValues() (all [][]float64) {
	for i := range 3 * 3 * 9 * 2 {
		all = append(all, []float64{float64(i / 54), float64(1 + i/18%3), float64(1 + i/6%3), float64(1 + i/2%3), float64(i % 2)})
	}
	return all
}

// A discreteCase is a program at a point, with its density at all values of the discrete numbers.
type discreteCase struct {
	t    *testing.T
	text string
	m    *bind.Model
	q    []float64
	z    [][]float64
	lp   []float64
	grad [][]float64
}

// add evaluates the program where the numbers have these values.
func (c *discreteCase) add(z []float64) {
	grad, numbers := make([]float64, len(c.q)), make([]int, len(z))
	for i := range z {
		numbers[i] = int(z[i])
	}
	lp, err := c.m.PlainJoint(c.q, numbers, grad)
	c.z, c.lp, c.grad = append(c.z, z), append(c.lp, c.density(lp, err)), append(c.grad, grad)
}

// density is minus infinity where a point is rejected.
func (c *discreteCase) density(lp float64, err error) float64 {
	switch {
	case infer.IsReject(err) || err == nil && math.IsNaN(lp):
		return math.Inf(-1)
	case err != nil:
		c.t.Skipf("%v", err) // an index out of range under some value
	}
	return lp
}

// asData compares with the program where the numbers are data.
func (c *discreteCase) asData(i int, text string) {
	z := c.z[i]
	m, err := boundTo(text, fmt.Sprintf(`{%s, "u": %v, "k": %v, "z": [%v, %v], "f": %v}`, discreteData, z[0], z[1], z[2], z[3], z[4]))
	if err != nil {
		c.t.Fatalf("%v\n%s", err, text)
	}
	lp, err := m.NewEvaluator().LogDensity(c.q)
	if lp = c.density(lp, err); !withinOf(lp, c.lp[i], 1e-9) {
		c.errorf("with %v the density is %v; where these are data %v", z, c.lp[i], lp)
	}
}

func (c *discreteCase) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("at %v: %s\n%s", c.q, fmt.Sprintf(format, args...), c.text)
}

func withinOf(got, want, tolerance float64) bool {
	return got == want || math.Abs(got-want) <= tolerance*(1+math.Abs(want))
}

// marginal compares the sum over all values.
func (c *discreteCase) marginal() {
	most := math.Inf(-1)
	for _, lp := range c.lp {
		most = max(most, lp)
	}
	sum, want := 0.0, make([]float64, len(c.q))
	for i, lp := range c.lp {
		if w := math.Exp(lp - most); w > 0 {
			sum += w
			for k, g := range c.grad[i] {
				want[k] += w * g
			}
		}
	}
	lp := most + math.Log(sum)
	e := c.m.NewEvaluator()
	grad := make([]float64, len(c.q))
	plain, plainGrad, plainErr := c.m.PlainDensity(c.q, true)
	for name, f := range map[string]func() (float64, error){
		"interpreter": func() (float64, error) { copy(grad, plainGrad); return plain, plainErr },
		"density":     func() (float64, error) { return e.LogDensity(c.q) },
		"gradient":    func() (float64, error) { return e.LogDensityGrad(c.q, grad) },
		"parts": func() (float64, error) {
			parts, _ := infer.Capability[infer.Tempered](e)
			p, l, err := parts.LogDensityPartsGrad(c.q, 1, grad)
			return p + l - c.m.LogConstant(), err
		},
	} {
		got, err := f()
		var stop *eval.Error
		switch {
		case errors.As(err, &stop) && refusedDiscrete(err):
			c.t.Skip(err)
		case math.IsInf(most, -1):
			if !(infer.IsReject(err) || math.IsNaN(got) || math.IsInf(got, -1)) {
				c.errorf("%s is %v, %v; all values are rejected", name, got, err)
			}
		case err != nil || !withinOf(got, lp, 1e-9):
			c.errorf("%s is %v, %v; the sum is %v", name, got, err, lp)
		case name != "density":
			for k := range grad {
				if !withinOf(grad[k], want[k]/sum, 1e-7) {
					c.errorf("%s: derivative %d is %v, that of the sum %v", name, k, grad[k], want[k]/sum)
				}
			}
		}
	}
}

// joint compares the joint density, and draws that follow from the continuous parameters.
func (c *discreteCase) joint(r *rand.Rand) {
	e := c.m.Joint().NewEvaluator()
	possible := map[string]bool{}
	for i, z := range c.z {
		if possible[fmt.Sprint(z)] = !math.IsInf(c.lp[i], -1); r.IntN(12) > 0 {
			continue
		}
		q := append(append([]float64(nil), c.q...), z...)
		lp, err := e.LogDensity(q)
		if rejected := infer.IsReject(err) || math.IsNaN(lp); rejected && !math.IsInf(c.lp[i], -1) || !rejected && (err != nil || !withinOf(lp, c.lp[i], 1e-9)) {
			c.errorf("joint density with %v is %v, %v; want %v", z, lp, err, c.lp[i])
		}
	}
	if !slices.ContainsFunc(c.lp, func(lp float64) bool { return !math.IsInf(lp, -1) }) {
		return
	}
	marginal := c.m.NewEvaluator()
	row := make([]float64, len(c.m.Columns()))
	first := len(c.m.ParameterColumns()) - 5
	for range 5 {
		if err := marginal.Write(c.q, r, row); err != nil {
			continue
		}
		if z := row[first : first+5]; !possible[fmt.Sprint(z)] {
			c.errorf("%v was drawn, which has density zero", z)
		}
	}
}

// conditionals compares what blocks of a sweep are told along a coordinate.
func (c *discreteCase) conditionals(r *rand.Rand) {
	e := c.m.Joint().NewEvaluator()
	cond := e.(infer.Conditionals)
	if err := cond.Arrange(infer.Blocking{Choice: infer.ByElement}); err != nil {
		return
	}
	lp := func(q []float64) float64 {
		lp, err := e.LogDensity(q)
		if err != nil || math.IsNaN(lp) {
			return math.Inf(-1)
		}
		return lp
	}
	i := r.IntN(len(c.z))
	if math.IsInf(c.lp[i], -1) {
		return
	}
	q := append(append([]float64(nil), c.q...), c.z[i]...)
	for k := range c.q {
		ok, err := e.(infer.Sections).Section(k, q)
		if err != nil || !ok {
			continue
		}
		here, err := e.(infer.Sections).LogSection(q[k])
		v := q[k] + r.NormFloat64()
		there, _ := e.(infer.Sections).LogSection(v)
		moved := append([]float64(nil), q...)
		moved[k] = v
		if want := lp(moved) - lp(q); err != nil || !withinOf(there-here, want, 1e-8) && !(math.IsInf(want, -1) && !(there > math.Inf(-1))) {
			c.errorf("along coordinate %d the density of %v rises by %v, %v; want %v", k, q, there-here, err, want)
		}
	}
	ok, err := e.(infer.Sites).OpenSites(q)
	if err != nil || !ok {
		return
	}
	for k, values := range [][]float64{{0, 1, 2}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {0, 1}} {
		for _, v := range values {
			moved := append([]float64(nil), q...)
			moved[len(c.q)+k] = v
			at := e.(infer.Sites).LogSite(len(c.q)+k, v) - e.(infer.Sites).LogSite(len(c.q)+k, q[len(c.q)+k])
			if want := c.lp[c.place(moved[len(c.q):])] - c.lp[i]; !withinOf(at, want, 1e-8) && !(math.IsInf(want, -1) && !(at > math.Inf(-1))) {
				c.errorf("with %v for number %d of %v the density rises by %v; want %v", v, k, c.z[i], at, want)
			}
		}
	}
}

func (c *discreteCase) place(z []float64) int {
	for i := range c.z {
		if fmt.Sprint(c.z[i]) == fmt.Sprint(z) {
			return i
		}
	}
	panic("no such values")
}
