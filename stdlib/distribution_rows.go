// This file turns rows of the table of distributions into rows of the catalogue.

package stdlib

import "strings"

// densityFunctions returns the functions of a distribution: its log density or log
// mass function, its cdf functions and its random number generator.
func densityFunctions(d *Distribution) []*Function {
	if d.Rows != nil {
		return d.Rows(d)
	}
	args := parseArgs(d.Args)
	var rows []*Function
	add := func(v *variates, doc string, k *Kernel) {
		sig := "real " + v.fn + "(" + d.Args + ")"
		rows = append(rows, &Function{Name: v.fn, Signatures: []string{sig}, Doc: doc, Section: d.Section, Kernel: k, Pointwise: v.pointwise(), Density: d})
	}
	family := func(suffix string) *variates {
		return &variates{dist: d, fn: d.Name + suffix, args: args}
	}
	if d.Log != nil {
		v := family(densitySuffix(d))
		v.log, v.density = d.Log, true
		add(v, "log density of the "+d.Doc, v.sumKernel())
	}
	if d.CDF != nil {
		v := family("_cdf")
		v.log = d.CDF
		add(v, "cumulative distribution function of the "+d.Doc, v.productKernel())
	}
	if d.LogCDF != nil {
		v := family("_lcdf")
		v.log = d.LogCDF
		add(v, "log of the cumulative distribution function of the "+d.Doc, v.sumKernel())
	}
	if d.LogCCDF != nil {
		v := family("_lccdf")
		v.log = d.LogCCDF
		add(v, "log of the complementary cumulative distribution function of the "+d.Doc, v.sumKernel())
	}
	if d.Draw != nil && !d.Unlisted {
		rows = append(rows, rngFunction(d, args))
	}
	return rows
}

// densitySuffix is _lpdf or _lpmf.
func densitySuffix(d *Distribution) string {
	if d.Discrete {
		return "_lpmf"
	}
	return "_lpdf"
}

// rngFunction is the row of NAME_rng.
func rngFunction(d *Distribution, args []argument) *Function {
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
	return &Function{
		Name:       name,
		Signatures: []string{result + " " + name + "(" + strings.Join(formal, ", ") + ")"},
		Doc:        "random variate of the " + d.Doc,
		Section:    d.Section,
		Draw:       newDrawer(d, name, args[1:]),
		Density:    d,
	}
}
