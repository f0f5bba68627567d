package main

// This file holds the priors of one number.

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// A dist is a distribution of the language with its arguments.
type dist struct {
	name string
	args []float64
	text []string // of the arguments, where they are not numbers
}

// with has expressions for arguments.
func (d dist) with(args ...string) dist {
	d.text = args
	return d
}

// arguments writes them.
func (d dist) arguments() string {
	if d.text != nil {
		return strings.Join(d.text, ", ")
	}
	return list(d.args...)
}

func (d dist) String() string { return d.name + "(" + d.arguments() + ")" }

func gaussian(m, s float64) dist      { return dist{name: "normal", args: []float64{m, s}} }
func student(nu, m, s float64) dist   { return dist{name: "student_t", args: []float64{nu, m, s}} }
func cauchy(m, s float64) dist        { return dist{name: "cauchy", args: []float64{m, s}} }
func laplace(m, s float64) dist       { return dist{name: "double_exponential", args: []float64{m, s}} }
func logistic(m, s float64) dist      { return dist{name: "logistic", args: []float64{m, s}} }
func gamma(a, b float64) dist         { return dist{name: "gamma", args: []float64{a, b}} }
func inverseGamma(a, b float64) dist  { return dist{name: "inv_gamma", args: []float64{a, b}} }
func exponential(b float64) dist      { return dist{name: "exponential", args: []float64{b}} }
func lognormal(m, s float64) dist     { return dist{name: "lognormal", args: []float64{m, s}} }
func betaDist(a, b float64) dist      { return dist{name: "beta", args: []float64{a, b}} }
func uniformDist(lo, hi float64) dist { return dist{name: "uniform", args: []float64{lo, hi}} }

// log is the log density, that of the whole line also where the parameter is bounded.
func (d dist) log(x float64) float64 {
	a := d.args
	switch d.name {
	case "normal":
		return distuv.Normal{Mu: a[0], Sigma: a[1]}.LogProb(x)
	case "student_t":
		return distuv.StudentsT{Nu: a[0], Mu: a[1], Sigma: a[2]}.LogProb(x)
	case "cauchy":
		return distuv.StudentsT{Nu: 1, Mu: a[0], Sigma: a[1]}.LogProb(x)
	case "double_exponential":
		return distuv.Laplace{Mu: a[0], Scale: a[1]}.LogProb(x)
	case "logistic":
		z := math.Abs(x-a[0]) / a[1]
		return -z - 2*math.Log1p(math.Exp(-z)) - math.Log(a[1])
	case "gamma":
		return distuv.Gamma{Alpha: a[0], Beta: a[1]}.LogProb(x)
	case "inv_gamma":
		return distuv.InverseGamma{Alpha: a[0], Beta: a[1]}.LogProb(x)
	case "exponential":
		return distuv.Exponential{Rate: a[0]}.LogProb(x)
	case "lognormal":
		return distuv.LogNormal{Mu: a[0], Sigma: a[1]}.LogProb(x)
	case "beta":
		return distuv.Beta{Alpha: a[0], Beta: a[1]}.LogProb(x)
	case "uniform":
		return distuv.Uniform{Min: a[0], Max: a[1]}.LogProb(x)
	}
	panic("no density of " + d.name)
}

// about is where a distribution of the line has its mass: centre and width.
func (d dist) about() (centre, width float64) {
	switch d.name {
	case "student_t":
		return d.args[1], d.args[2]
	case "uniform":
		return (d.args[0] + d.args[1]) / 2, (d.args[1] - d.args[0]) / 4
	}
	return d.args[0], d.args[1]
}

// location picks a prior of the line of about this centre and width. light leaves out those
// that have no variance.
func (w *writer) location(centre, width float64, light bool) dist {
	n := 4
	if !light {
		n = 6
	}
	switch w.r.IntN(n) {
	case 1:
		return logistic(centre, rounded(width/2, 3))
	case 2:
		return laplace(centre, rounded(width/1.4, 3))
	case 3:
		return student(float64(w.within(5, 9)), centre, width)
	case 4:
		return student(3, centre, width)
	case 5:
		return cauchy(centre, rounded(width/2, 3))
	}
	return gaussian(centre, width)
}

// spread picks a prior of a positive number of about this size.
func (w *writer) spread(size float64) dist {
	switch w.r.IntN(4) {
	case 1:
		return lognormal(rounded(math.Log(size)-0.2, 3), w.uniform(0.4, 1))
	case 2:
		return exponential(rounded(1/size, 3))
	case 3:
		return gaussian(0, rounded(1.3*size, 3))
	}
	a := w.uniform(1.5, 4)
	return gamma(a, rounded(a/size, 3))
}
