// This file joins the tables of scalar functions, reductions and operators, and holds
// the small constructors that their rows share.

package stdlib

// mathFunctions is the table of elementwise functions, reductions and operators.
func mathFunctions() []*Function {
	var all []*Function
	for _, table := range [][]*Function{
		constants(),
		operators(),
		comparisons(),
		integerFunctions(),
		basicFunctions(),
		trigonometricFunctions(),
		linkFunctions(),
		composedFunctions(),
		gammaFunctions(),
		quantileFunctions(),
		besselFunctions(),
		reductions(),
		normFunctions(),
		softmaxFunctions(),
		sortFunctions(),
		sizeFunctions(),
		complexFunctions(),
		complexReductions(),
		fourierFunctions(),
	} {
		all = append(all, table...)
	}
	return all
}
