// This file turns rows of the table of distributions into rows of the catalogue.

package univariate

import (
	"strings"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// DensityFunctions returns the functions of a distribution: its log density or log
// mass function, its cdf functions and its random number generator.
func DensityFunctions(d *catalogue.Distribution) []*catalogue.Function {
	if d.Rows != nil {
		return d.Rows(d)
	}
	args := catalogue.ParseArgs(d.Args)
	var rows []*catalogue.Function
	add := func(v *Variates, doc string, k *catalogue.Kernel) {
		sig := "real " + v.Fn + "(" + d.Args + ")"
		rows = append(rows, &catalogue.Function{Name: v.Fn, Signatures: []string{sig}, Doc: doc, Section: d.Section, Kernel: k, Pointwise: v.pointwise(), Density: d})
	}
	family := func(suffix string) *Variates {
		return &Variates{Dist: d, Fn: d.Name + suffix, Args: args}
	}
	if d.Log != nil {
		v := family(DensitySuffix(d))
		v.Log, v.Density = d.Log, true
		add(v, "log density of the "+d.Doc, v.sumKernel())
		if d.Known != nil {
			rows[len(rows)-1].Sums = v.known
		}
	}
	if d.CDF != nil {
		v := family("_cdf")
		v.Log = d.CDF
		add(v, "cumulative distribution function of the "+d.Doc, v.productKernel())
	}
	if d.LogCDF != nil {
		v := family("_lcdf")
		v.Log = d.LogCDF
		add(v, "log of the cumulative distribution function of the "+d.Doc, v.sumKernel())
	}
	if d.LogCCDF != nil {
		v := family("_lccdf")
		v.Log = d.LogCCDF
		add(v, "log of the complementary cumulative distribution function of the "+d.Doc, v.sumKernel())
	}
	if d.Draw != nil && !d.Unlisted {
		rows = append(rows, rngFunction(d, args))
	}
	return rows
}

// CheckKernel has no result, and rejects what the density or cdf function of this name does.
func CheckKernel(d *catalogue.Distribution, name string) *catalogue.Kernel {
	v := &Variates{Dist: d, Fn: name, Args: catalogue.ParseArgs(d.Args), Density: strings.HasSuffix(name, DensitySuffix(d))}
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) { return []int{0}, catalogue.ConsistentSizes(v.Args, in) },
		Work: func([]catalogue.Tensor) int { return v.Scratch() },
		Value: func(in []catalogue.Tensor, _, work []float64) error {
			return v.Check(catalogue.Elements(in), in, work)
		},
	}
}

// DensitySuffix is _lpdf or _lpmf.
func DensitySuffix(d *catalogue.Distribution) string {
	if d.Discrete {
		return "_lpmf"
	}
	return "_lpdf"
}

// rngFunction is the row of NAME_rng.
func rngFunction(d *catalogue.Distribution, args []catalogue.Argument) *catalogue.Function {
	result := "reals"
	if d.Discrete {
		result = "ints"
	}
	if len(args) == 1 {
		result = "real"
	}
	var formal []string
	for _, a := range args[1:] {
		formal = append(formal, a.Type+" "+a.Name)
	}
	name := d.Name + "_rng"
	return &catalogue.Function{
		Name:       name,
		Signatures: []string{result + " " + name + "(" + strings.Join(formal, ", ") + ")"},
		Doc:        "random variate of the " + d.Doc,
		Section:    d.Section,
		Draw:       newDrawer(d, name, args[1:]),
		Density:    d,
	}
}
