// This file reads the priors that oracles name.

package infertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A Prior is that of each of several coordinates by itself or, for Hierarchical, of all.
type Prior struct {
	Family              string // "normal", "laplace", "student_t", "cauchy", "logistic" or "hierarchical"
	Location, Scale, DF float64
}

// Hierarchical is theta ~ N(0, I/alpha) with alpha ~ Gamma(gamma, 1) integrated out: Student's
// t distribution with 2 gamma degrees of freedom, scale 1/sqrt(gamma) and one alpha for all
// coordinates.
const Hierarchical = "hierarchical"

var (
	families = map[string]string{
		"normal": "normal", "gaussian": "normal", "laplace": "laplace", "double_exponential": "laplace", "student_t": "student_t", "student": "student_t",
		"t": "student_t", "cauchy": "cauchy", "logistic": "logistic", "hierarchical": Hierarchical, "hier": Hierarchical,
	}
	parameter = regexp.MustCompile(`_(mean|loc|location|mu|sd|sigma|var|variance|prec|precision|b|s|scale|nu|df|gamma)(-?[0-9.]+(?:e-?[0-9]+)?)`)
)

// ParsePrior reads a prior's name, such as "normal_var0.5", "laplace_b0.3 (false prior)",
// "student_t_nu3_scale0.3" or "hierarchical_gamma0.5"; what is in parentheses is a remark.
// It reports whether all of the name is known.
func ParsePrior(name string) (Prior, bool) {
	name, _, _ = strings.Cut(name, " (")
	found := parameter.FindAllStringSubmatch(name, -1)
	family, ok := families[parameter.ReplaceAllString(name, "")]
	if !ok {
		return Prior{}, false
	}
	p := Prior{Family: family, Scale: math.NaN(), DF: math.NaN()}
	for _, f := range found {
		v, err := strconv.ParseFloat(f[2], 64)
		if err != nil {
			return Prior{}, false
		}
		switch f[1] {
		case "mean", "loc", "location", "mu":
			p.Location = v
		case "sd", "sigma", "b", "s", "scale":
			p.Scale = v
		case "var", "variance":
			p.Scale = math.Sqrt(v)
		case "prec", "precision":
			p.Scale = 1 / math.Sqrt(v)
		case "nu", "df":
			p.DF = v
		case "gamma":
			p.DF, p.Scale = 2*v, 1/math.Sqrt(v)
		}
	}
	hasDF := family == "student_t" || family == Hierarchical
	return p, p.Scale > 0 && hasDF == (p.DF > 0)
}

// A Location is a sample of a normal distribution of unknown mean.
type Location struct {
	Noise float64 // standard deviation of an observation
	Prior Prior   // of the mean; its location is NaN where the text has a name there
}

var location = regexp.MustCompile(`N\(theta, ?([^)]+)\).*N\(([^,]+), ?([^)]+)\)`)

// ParseLocation reads a model's text, such as "x_i ~ N(theta, 1); theta ~ N(0, 10^2)", in which
// distributions have their variance, a number or a square.
func ParseLocation(text string) (Location, bool) {
	found := location.FindStringSubmatch(text)
	if found == nil {
		return Location{}, false
	}
	noise, ok1 := rootOf(found[1])
	scale, ok2 := rootOf(found[3])
	mean, err := strconv.ParseFloat(found[2], 64)
	if err != nil {
		mean = math.NaN()
	}
	return Location{noise, Prior{Family: "normal", Location: mean, Scale: scale}}, ok1 && ok2
}

// rootOf reads a variance and returns the standard deviation.
func rootOf(variance string) (sd float64, ok bool) {
	root, square := strings.CutSuffix(variance, "^2")
	v, err := strconv.ParseFloat(root, 64)
	if !square {
		v = math.Sqrt(v)
	}
	return v, err == nil && v > 0
}

// Statement is "variable ~ ...;" in the language.
func (p Prior) Statement(variable string) string {
	numbers := fmt.Sprintf("(%v, %v)", p.Location, p.Scale)
	switch p.Family {
	case "laplace":
		return variable + " ~ double_exponential" + numbers + ";"
	case "student_t":
		return fmt.Sprintf("%s ~ student_t(%v, %v, %v);", variable, p.DF, p.Location, p.Scale)
	case Hierarchical:
		n := "num_elements(" + variable + ")"
		return fmt.Sprintf("%s ~ multi_student_t(%v, rep_vector(0, %s), diag_matrix(rep_vector(%v, %s)));", variable, p.DF, n, p.Scale*p.Scale, n)
	}
	return variable + " ~ " + p.Family + numbers + ";"
}

// LogDensity is the log density at q, normalised. It fills in grad, where that is not nil.
func (p Prior) LogDensity(q, grad []float64) float64 {
	if p.Family == Hierarchical {
		return p.together(q, grad)
	}
	lp := 0.0
	for i, x := range q {
		l, slope := p.one((x - p.Location) / p.Scale)
		lp += l - libm.Log(p.Scale)
		if grad != nil {
			grad[i] = slope / p.Scale
		}
	}
	return lp
}

// one is the log density at z of the family's standard member, and its derivative.
func (p Prior) one(z float64) (lp, slope float64) {
	switch p.Family {
	case "laplace":
		return -math.Abs(z) - math.Ln2, -math.Copysign(1, z)
	case "logistic":
		return -math.Abs(z) - float64(2*libm.Log1p(libm.Exp(-math.Abs(z)))), -libm.Tanh(z / 2)
	case "cauchy", "student_t":
		nu := p.DF
		if p.Family == "cauchy" {
			nu = 1
		}
		return studentNormaliser(nu, 1) - float64((nu+1)/2*libm.Log1p(z*z/nu)), -(nu + 1) * z / (nu + float64(z*z))
	}
	return -float64(z*z)/2 - libm.Log(2*math.Pi)/2, -z
}

// studentNormaliser is the log density of Student's t distribution at 0 in d dimensions.
func studentNormaliser(nu float64, d int) float64 {
	a, _ := libm.Lgamma((nu + float64(d)) / 2)
	b, _ := libm.Lgamma(nu / 2)
	return a - b - float64(float64(d)/2*libm.Log(nu*math.Pi))
}

// together is the log density of the hierarchical prior.
func (p Prior) together(q, grad []float64) float64 {
	squares := 0.0
	for _, x := range q {
		squares += float64(x*x) / (p.Scale * p.Scale)
	}
	d := float64(len(q))
	for i := range grad {
		grad[i] = -(p.DF + d) * q[i] / (p.Scale * p.Scale) / (p.DF + squares)
	}
	return studentNormaliser(p.DF, len(q)) - float64(d*libm.Log(p.Scale)) - float64((p.DF+d)/2*libm.Log1p(squares/p.DF))
}

// Draw fills q with a draw.
func (p Prior) Draw(r *rand.Rand, q []float64) {
	common := math.Sqrt(p.DF / chiSquare(r, p.DF))
	for i := range q {
		q[i] = p.Location + float64(p.Scale*p.draw(r, common))
	}
}

// draw is a variate of the family's standard member; common is one for all coordinates.
func (p Prior) draw(r *rand.Rand, common float64) float64 {
	u := r.Float64()
	switch p.Family {
	case "laplace":
		return math.Copysign(r.ExpFloat64(), u-0.5)
	case "logistic":
		return libm.Log(u) - libm.Log1p(-u)
	case "cauchy":
		return libm.Tan(math.Pi * (u - 0.5))
	case "student_t":
		return r.NormFloat64() * math.Sqrt(p.DF/chiSquare(r, p.DF))
	case Hierarchical:
		return r.NormFloat64() * common
	}
	return r.NormFloat64()
}

// chiSquare is a variate with nu degrees of freedom, by Marsaglia and Tsang (2000); 1 for none.
func chiSquare(r *rand.Rand, nu float64) float64 {
	if !(nu > 0) {
		return 1
	}
	shape, boost := nu/2, 1.0
	if shape < 1 {
		boost = libm.Pow(1-r.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	for {
		x := r.NormFloat64()
		v := 1 + x/math.Sqrt(9*d)
		v *= v * v
		if v > 0 && libm.Log(1-r.Float64()) < float64(x*x)/2+d-float64(d*v)+float64(d*libm.Log(v)) {
			return 2 * d * v * boost
		}
	}
}
