// Functions of functions: signatures only. They call the user's code, so package
// ir/bind runs them.

package stdlib

// The names of the solvers that rows of this file ask for.
const (
	SolveODE       = "ode"           // ode_*(f, y0, t0, ts, ...)
	SolveODETol    = "ode_tol"       // ode_*_tol(f, y0, t0, ts, rel, abs, max_steps, ...)
	SolveOldODE    = "integrate_ode" // integrate_ode_*(f, y0, t0, ts, theta, x_r, x_i[, rel, abs, max_steps])
	SolveDAE       = "dae"           // dae(f, y0, yp0, t0, ts, ...)
	SolveDAETol    = "dae_tol"       // dae_tol(f, y0, yp0, t0, ts, rel, abs, max_steps, ...)
	SolveReduceSum = "reduce_sum"    // reduce_sum(f, x, grainsize, ...)
	SolveMapRect   = "map_rect"      // map_rect(f, phi, theta, x_r, x_i)
)

// Sections of the Stan Functions Reference.
const (
	sectionHigher     = "Higher-Order Functions"
	sectionDeprecated = "Removed Functions"
)

func higherFunctions() []*Function {
	var all []*Function
	all = append(all, odeFunctions()...)
	return append(all, sumFunctions()...)
}

func odeFunctions() []*Function {
	const (
		rhs    = "(function(real, vector, ...) vector ode, vector initial_state, real initial_time, array[] real times"
		oldRHS = "(function(real, array[] real, array[] real, data array[] real, data array[] int) array[] real ode, " +
			"array[] real initial_state, real initial_time, array[] real times, array[] real theta, data array[] real x_r, data array[] int x_i"
		tol = ", data real rel_tol, data real abs_tol, data int max_num_steps"
	)
	var all []*Function
	for _, m := range []struct{ name, doc string }{
		{"rk45", "a non-stiff differential equation by the Runge-Kutta method of Dormand and Prince, order 5"},
		{"ckrk", "a non-stiff differential equation by the Runge-Kutta method of Cash and Karp, order 5"},
		{"adams", "a non-stiff differential equation by Adams-Moulton formulas of variable order"},
		{"bdf", "a stiff differential equation by backward differentiation formulas of variable order"},
	} {
		all = append(all,
			&Function{Name: "ode_" + m.name, Higher: SolveODE, Section: sectionHigher, Doc: "solves " + m.doc,
				Signatures: []string{"array[] vector ode_" + m.name + rhs + ", ...)"}},
			&Function{Name: "ode_" + m.name + "_tol", Higher: SolveODETol, Section: sectionHigher, Doc: "solves " + m.doc + ", to given tolerances",
				Signatures: []string{"array[] vector ode_" + m.name + "_tol" + rhs + tol + ", ...)"}})
	}
	for _, name := range []string{"integrate_ode", "integrate_ode_rk45", "integrate_ode_adams", "integrate_ode_bdf"} {
		all = append(all, &Function{Name: name, Higher: SolveOldODE, Section: sectionDeprecated, Doc: "older form of the differential equation solvers",
			Signatures: []string{"array[,] real " + name + oldRHS + ")", "array[,] real " + name + oldRHS + tol + ")"}})
	}
	const residual = "(function(real, vector, vector, ...) vector residual, vector initial_state, vector initial_state_derivative, " +
		"data real initial_time, data array[] real times"
	return append(all,
		&Function{Name: "dae", Higher: SolveDAE, Section: sectionHigher, Doc: "solves a differential-algebraic equation of index 1 by backward differentiation formulas",
			Signatures: []string{"array[] vector dae" + residual + ", ...)"}},
		&Function{Name: "dae_tol", Higher: SolveDAETol, Section: sectionHigher, Doc: "solves a differential-algebraic equation of index 1 to given tolerances",
			Signatures: []string{"array[] vector dae_tol" + residual + tol + ", ...)"}})
}

func sumFunctions() []*Function {
	const sum = "(function(array[] any, int, int, ...) real f, array[] any x, int grainsize, ...)"
	return []*Function{
		{Name: "reduce_sum", Higher: SolveReduceSum, Section: sectionHigher, Doc: "sum of a function over slices of an array", Signatures: []string{"real reduce_sum" + sum}},
		{Name: "reduce_sum_static", Higher: SolveReduceSum, Section: sectionHigher, Doc: "sum of a function over slices of an array, with fixed slices", Signatures: []string{"real reduce_sum_static" + sum}},
		{Name: "map_rect", Higher: SolveMapRect, Section: sectionHigher, Doc: "a function applied to each row of parallel arrays, its results joined",
			Signatures: []string{"vector map_rect(function(vector, vector, data array[] real, data array[] int) vector f, " +
				"vector phi, array[] vector theta, data array[,] real x_r, data array[,] int x_i)"}},
	}
}
