// Every mixture of numbers and containers, data, parameters and expressions as the arguments of a density: the
// same value and gradient as without the engine's forms, and a benchmark that shows which mixture is slow.

package lang

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// A shapeDensity is a density, or a distribution function, with the kinds of its arguments, the outcome first.
type shapeDensity struct {
	name string
	args string // of: r real, p positive, u in (0, 1), k count, b binary, n trials
}

var shapeDensities = []shapeDensity{
	{"normal", "rrp"}, {"student_t", "rprp"}, {"cauchy", "rrp"}, {"double_exponential", "rrp"}, {"logistic", "rrp"}, {"gumbel", "rrp"},
	{"exp_mod_normal", "rrpp"}, {"skew_normal", "rrpr"}, {"von_mises", "rrp"}, {"lognormal", "prp"}, {"gamma", "ppp"}, {"inv_gamma", "ppp"},
	{"exponential", "pp"}, {"weibull", "ppp"}, {"frechet", "ppp"}, {"rayleigh", "pp"}, {"loglogistic", "ppp"}, {"chi_square", "pp"},
	{"inv_chi_square", "pp"}, {"scaled_inv_chi_square", "ppp"}, {"beta", "upp"}, {"beta_proportion", "uup"}, {"bernoulli", "bu"},
	{"bernoulli_logit", "br"}, {"binomial", "knu"}, {"binomial_logit", "knr"}, {"beta_binomial", "knpp"}, {"poisson", "kp"}, {"poisson_log", "kr"},
	{"neg_binomial", "kpp"}, {"neg_binomial_2", "kpp"}, {"neg_binomial_2_log", "krp"},

	{"normal_lcdf", "rrp"}, {"normal_lccdf", "rrp"}, {"normal_cdf", "rrp"}, {"std_normal_cdf", "r"}, {"lognormal_cdf", "prp"}, {"lognormal_lcdf", "prp"},
	{"lognormal_lccdf", "prp"}, {"logistic_cdf", "rrp"}, {"logistic_lcdf", "rrp"}, {"logistic_lccdf", "rrp"}, {"exponential_cdf", "pp"},
	{"exponential_lcdf", "pp"}, {"exponential_lccdf", "pp"}, {"weibull_cdf", "ppp"}, {"weibull_lcdf", "ppp"}, {"weibull_lccdf", "ppp"},
	{"rayleigh_lccdf", "pp"}, {"gumbel_lcdf", "rrp"}, {"frechet_lcdf", "ppp"}, {"student_t_lcdf", "rprp"}, {"cauchy_lccdf", "rrp"},
	{"gamma_lcdf", "ppp"}, {"poisson_lcdf", "kp"}, {"binomial_lcdf", "knu"},
}

// The shapes of an argument that is not an integer: data, parameters, parameters by group, and
// expressions in a covariate, as a vector and by a loop.
var argumentShapes = []string{"dscalar", "dvector", "darray", "pscalar", "pvector", "parray", "gather", "expr", "local"}

// A shapeProgram writes one program.
type shapeProgram struct {
	rows                         int
	r                            *rand.Rand
	data                         map[string]any
	declared, parameters, locals strings.Builder
	loops                        strings.Builder
}

const shapeGroups = 5

// numberOf draws a number of a kind.
func (p *shapeProgram) numberOf(kind byte) any {
	x := p.r.NormFloat64()
	switch kind {
	case 'p':
		return math.Exp(0.5*x) + 0.1
	case 'u':
		return 0.05 + 0.9*p.r.Float64()
	case 'k':
		return p.r.IntN(10)
	case 'b':
		return p.r.IntN(2)
	case 'n':
		return 10 + p.r.IntN(10)
	}
	return 0.5 * x
}

func (p *shapeProgram) numbers(kind byte) []any {
	out := make([]any, p.rows)
	for i := range out {
		out[i] = p.numberOf(kind)
	}
	return out
}

// argument declares an argument of a kind and a shape, and returns how the call names it.
func (p *shapeProgram) argument(name string, kind byte, shape string, loop bool) string {
	each := name
	if loop {
		each += "[i]"
	}
	bounds := map[byte]string{'p': "<lower=0>", 'u': "<lower=0, upper=1>"}[kind]
	linked := func(x string) string {
		x = fmt.Sprintf("a_%s + b_%s * %s", name, name, x)
		return map[byte]string{'p': "exp(" + x + ")", 'u': "inv_logit(" + x + ")", 'r': x}[kind]
	}
	typ := "real"
	if strings.IndexByte("kbn", kind) >= 0 {
		typ = "int"
	}
	switch shape {
	case "dscalar":
		fmt.Fprintf(&p.declared, "%s %s;\n", typ, name)
		p.data[name] = p.numberOf(kind)
		return name
	case "darray":
		fmt.Fprintf(&p.declared, "array[N] %s %s;\n", typ, name)
		p.data[name] = p.numbers(kind)
		return each
	case "dvector":
		fmt.Fprintf(&p.declared, "vector[N] %s;\n", name)
		p.data[name] = p.numbers(kind)
		return each
	case "pscalar":
		fmt.Fprintf(&p.parameters, "real%s %s;\n", bounds, name)
		return name
	case "pvector":
		fmt.Fprintf(&p.parameters, "vector%s[N] %s;\n", bounds, name)
		return each
	case "parray":
		fmt.Fprintf(&p.parameters, "array[N] real%s %s;\n", bounds, name)
		return each
	case "gather":
		fmt.Fprintf(&p.parameters, "vector%s[G] %s;\n", bounds, name)
		if loop {
			return name + "[g[i]]"
		}
		return name + "[g]"
	}
	fmt.Fprintf(&p.parameters, "real a_%s; real b_%s;\n", name, name)
	switch {
	case shape == "local":
		fmt.Fprintf(&p.locals, "vector[N] %s;\n", name)
		fmt.Fprintf(&p.loops, "for (i in 1:N) %s[i] = %s;\n", name, linked("x[i]"))
		return each
	case loop:
		return linked("x[i]")
	}
	return linked("x")
}

// shapeModel is the text and the data of a density with arguments of the shapes, the outcome first.
func shapeModel(d shapeDensity, shapes []string, loop bool, rows int, r *rand.Rand) (string, map[string]any) {
	p := &shapeProgram{rows: rows, r: r, data: map[string]any{"N": rows, "G": shapeGroups}}
	p.data["x"] = p.numbers('r')
	groups := make([]int, rows)
	for i := range groups {
		groups[i] = 1 + r.IntN(shapeGroups)
	}
	p.data["g"] = groups
	var args []string
	for j, shape := range shapes {
		args = append(args, p.argument(fmt.Sprintf("v%d", j), d.args[j], shape, loop))
	}
	given := strings.Join(args[1:], ", ")
	call := fmt.Sprintf("%s ~ %s(%s);\n", args[0], d.name, given)
	switch {
	case strings.HasSuffix(d.name, "_cdf"):
		call = fmt.Sprintf("target += log(%s(%s | %s));\n", d.name, args[0], given)
	case strings.HasSuffix(d.name, "cdf"):
		call = fmt.Sprintf("target += %s(%s | %s);\n", d.name, args[0], given)
	}
	if loop {
		call = "for (i in 1:N) " + call
	}
	return fmt.Sprintf("data { int N; int G; vector[N] x; array[N] int g;\n%s}\nparameters {\nreal unused;\n%s}\nmodel {\n%s%s%s}\n",
		&p.declared, &p.parameters, &p.locals, &p.loops, call), p.data
}

// randomShapes draws a shape for each argument; integers are numbers or arrays.
func randomShapes(d shapeDensity, r *rand.Rand) []string {
	shapes := make([]string, len(d.args))
	for j := range shapes {
		switch {
		case strings.IndexByte("kbn", d.args[j]) >= 0:
			shapes[j] = []string{"dscalar", "darray"}[r.IntN(2)]
		case j == 0:
			shapes[j] = []string{"dscalar", "dvector", "darray"}[r.IntN(3)]
		default:
			shapes[j] = argumentShapes[r.IntN(len(argumentShapes))]
		}
	}
	return shapes
}

func bindShapes(tb testing.TB, text string, in map[string]any, without ...string) *Model {
	tb.Helper()
	prog, err := Compile("shapes.stan", text, Options{})
	if err != nil {
		tb.Fatalf("%s\n%s", ErrorText(err), text)
	}
	set, err := Data(in)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := prog.Bind(set, BindOptions{Seed: 1, Without: without})
	if err != nil {
		tb.Fatalf("%s\n%s", ErrorText(err), text)
	}
	return m
}

// Whatever form a call takes, value and gradient are those of the density one element at a time.
func TestShapesOfArguments(t *testing.T) {
	for _, d := range shapeDensities {
		r := rand.New(rand.NewPCG(uint64(len(d.name)), 4))
		for range 8 {
			shapes, loop := randomShapes(d, r), r.IntN(2) == 0
			text, in := shapeModel(d, shapes, loop, 7, r)
			fast, plain := bindShapes(t, text, in), bindShapes(t, text, in, "expand", "repeats", "statistics", "bulk")
			q := make([]float64, fast.Dim())
			for i := range q {
				q[i] = 0.4 * r.NormFloat64()
			}
			a, ga, err1 := fast.Gradient(q)
			b, gb, err2 := plain.Gradient(q)
			if err1 != nil || err2 != nil {
				t.Fatalf("%s %v: %v, %v", d.name, shapes, err1, err2)
			}
			most := 1.0
			for _, v := range gb {
				most = max(most, math.Abs(v))
			}
			worst := math.Abs(a-b) / (1 + math.Abs(b))
			for i := range ga {
				worst = max(worst, math.Abs(ga[i]-gb[i])/most)
			}
			if worst > 1e-10 {
				t.Errorf("%s %v, loop %v: off by %.1e\n%s", d.name, shapes, loop, worst, text)
			}
		}
	}
}

// BenchmarkShapes times a gradient of 1000 rows for random shapes of the arguments of each density:
// nanoseconds a row, the median and the worst, and which that is.
func BenchmarkShapes(b *testing.B) {
	const rows = 1000
	for _, d := range shapeDensities {
		b.Run(d.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var times []float64
			worst, slowest := "", 0.0
			for range 40 {
				shapes, loop := randomShapes(d, r), r.IntN(2) == 0
				text, in := shapeModel(d, shapes, loop, rows, r)
				ns := gradientTime(b, bindShapes(b, text, in)) / rows
				if ns > slowest {
					slowest, worst = ns, fmt.Sprintf("%v, loop %v", shapes, loop)
				}
				times = append(times, ns)
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "ns/row-median")
			b.ReportMetric(slowest, "ns/row-worst")
			b.ReportMetric(0, "ns/op")
			b.Logf("worst: %s", worst)
		})
	}
}

// gradientTime is the least time of several short windows, in nanoseconds.
func gradientTime(tb testing.TB, m *Model) float64 {
	tb.Helper()
	target := m.Density(true, false)
	q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
	least := math.Inf(1)
	for range 5 {
		n, began := 0, time.Now()
		for time.Since(began) < time.Millisecond {
			if _, err := target.LogDensityGrad(q, grad); err != nil {
				tb.Fatal(err)
			}
			n++
		}
		least = min(least, float64(time.Since(began).Nanoseconds())/float64(n))
	}
	return least
}
