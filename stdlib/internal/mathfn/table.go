// This file joins the tables of scalar functions, reductions and operators, and holds
// the small constructors that their rows share.

package mathfn

import "github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"

// Functions is the table of elementwise functions, reductions and operators.
func Functions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, table := range [][]*catalogue.Function{
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
