// Functions of functions: signatures only. They call the user's code, so package
// ir/bind runs them.

package stdlib

import "github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"

// The names of the solvers that rows of this file ask for.
const (
	SolveODE           = "ode"                     // ode_*(f, y0, t0, ts, ...)
	SolveODETol        = "ode_tol"                 // ode_*_tol(f, y0, t0, ts, rel, abs, max_steps, ...)
	SolveOldODE        = "integrate_ode"           // integrate_ode_*(f, y0, t0, ts, theta, x_r, x_i[, rel, abs, max_steps])
	SolveAdjoint       = "ode_adjoint"             // ode_adjoint_tol_ctl(f, y0, t0, ts, 11 controls, ...)
	SolveDAE           = "dae"                     // dae(f, y0, yp0, t0, ts, ...)
	SolveDAETol        = "dae_tol"                 // dae_tol(f, y0, yp0, t0, ts, rel, abs, max_steps, ...)
	SolveRoot          = "solve"                   // solve_*(f, guess, ...)
	SolveRootTol       = "solve_tol"               // solve_*_tol(f, guess, rel, f_tol, max_steps, ...)
	SolveOldRoot       = "algebra_solver"          // algebra_solver*(f, guess, theta, x_r, x_i[, rel, f_tol, max_steps])
	SolveIntegral      = "integrate_1d"            // integrate_1d(f, a, b, theta, x_r, x_i[, rel])
	SolveQuadrature    = "integrate_1d_method"     // integrate_1d_*(f, a, b, ...)
	SolveQuadratureTol = "integrate_1d_method_tol" // integrate_1d_*_tol(f, a, b, rel, abs, depth, ...)
	SolveLaplace       = "laplace_marginal"        // laplace_marginal*(likelihood, (...), covariance, (...), controls)
	DrawLaplace        = "laplace_latent_rng"
	LatentLaplace      = "laplace_latent_solve"    // laplace_latent_solve*, with the arguments of laplace_marginal*
	SolveLaplaceCounts = "laplace_marginal_counts" // laplace_marginal*_DISTRIBUTION_lpmf(y | index, ..., covariance, (...), controls)
	DrawLaplaceCounts  = "laplace_latent_counts_rng"
	SolveReduceSum     = "reduce_sum" // reduce_sum(f, x, grainsize, ...)
	SolveMapRect       = "map_rect"   // map_rect(f, phi, theta, x_r, x_i)
)

// Sections of the Stan Functions Reference.
const (
	sectionHigher     = "Higher-Order Functions"
	sectionDeprecated = "Removed Functions"
)

func higherFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	all = append(all, odeFunctions()...)
	all = append(all, algebraFunctions()...)
	all = append(all, integralFunctions()...)
	all = append(all, laplaceFunctions()...)
	return append(all, sumFunctions()...)
}

func odeFunctions() []*catalogue.Function {
	const (
		rhs    = "(function(real, vector, ...) vector ode, vector initial_state, real initial_time, array[] real times"
		oldRHS = "(function(real, array[] real, array[] real, data array[] real, data array[] int) array[] real ode, " +
			"array[] real initial_state, real initial_time, array[] real times, array[] real theta, data array[] real x_r, data array[] int x_i"
		tol = ", data real rel_tol, data real abs_tol, data int max_num_steps"
		// Models of old write the number of steps as 1e3.
		oldTol = ", data real rel_tol, data real abs_tol, data real max_num_steps"
	)
	var all []*catalogue.Function
	for _, m := range []struct{ name, doc string }{
		{"rk45", "a non-stiff differential equation by the Runge-Kutta method of Dormand and Prince, order 5"},
		{"ckrk", "a non-stiff differential equation by the Runge-Kutta method of Cash and Karp, order 5"},
		{"adams", "a non-stiff differential equation by Adams-Moulton formulas of variable order"},
		{"bdf", "a stiff differential equation by backward differentiation formulas of variable order"},
	} {
		all = append(all,
			&catalogue.Function{Name: "ode_" + m.name, Higher: SolveODE, Section: sectionHigher, Doc: "solves " + m.doc,
				Signatures: []string{"array[] vector ode_" + m.name + rhs + ", ...)"}},
			&catalogue.Function{Name: "ode_" + m.name + "_tol", Higher: SolveODETol, Section: sectionHigher, Doc: "solves " + m.doc + ", to given tolerances",
				Signatures: []string{"array[] vector ode_" + m.name + "_tol" + rhs + tol + ", ...)"}})
	}
	all = append(all, &catalogue.Function{Name: "ode_adjoint_tol_ctl", Higher: SolveAdjoint, Section: sectionHigher,
		Doc: "solves a differential equation to given tolerances, with derivatives by the adjoint method",
		Signatures: []string{"array[] vector ode_adjoint_tol_ctl" + rhs + ", data real rel_tol_forward, data vector abs_tol_forward, " +
			"data real rel_tol_backward, data vector abs_tol_backward, data real rel_tol_quadrature, data real abs_tol_quadrature, " +
			"data int max_num_steps, data int num_steps_between_checkpoints, data int interpolation_polynomial, " +
			"data int solver_forward, data int solver_backward, ...)"}})
	for _, name := range []string{"integrate_ode", "integrate_ode_rk45", "integrate_ode_adams", "integrate_ode_bdf"} {
		all = append(all, &catalogue.Function{Name: name, Higher: SolveOldODE, Section: sectionDeprecated, Doc: "older form of the differential equation solvers",
			Signatures: []string{"array[,] real " + name + oldRHS + ")", "array[,] real " + name + oldRHS + oldTol + ")"}})
	}
	const residual = "(function(real, vector, vector, ...) vector residual, vector initial_state, vector initial_state_derivative, " +
		"data real initial_time, data array[] real times"
	return append(all,
		&catalogue.Function{Name: "dae", Higher: SolveDAE, Section: sectionHigher, Doc: "solves a differential-algebraic equation of index 1 by backward differentiation formulas",
			Signatures: []string{"array[] vector dae" + residual + ", ...)"}},
		&catalogue.Function{Name: "dae_tol", Higher: SolveDAETol, Section: sectionHigher, Doc: "solves a differential-algebraic equation of index 1 to given tolerances",
			Signatures: []string{"array[] vector dae_tol" + residual + tol + ", ...)"}})
}

func algebraFunctions() []*catalogue.Function {
	const (
		system    = "(function(vector, ...) vector algebra_system, vector y_guess"
		oldSystem = "(function(vector, vector, data array[] real, data array[] int) vector algebra_system, vector y_guess, vector theta, " +
			"data array[] real x_r, data array[] int x_i"
		oldTol = ", data real rel_tol, data real f_tol, data real max_steps)" // 1e3, as above
	)
	var all []*catalogue.Function
	for _, m := range []struct{ name, tol, doc string }{
		{"newton", ", data real scaling_step, data real f_tol, data int max_steps", "root of a system of equations by Newton's method"},
		{"powell", ", data real rel_tol, data real f_tol, data int max_steps", "root of a system of equations by Powell's dogleg method"},
	} {
		all = append(all,
			&catalogue.Function{Name: "solve_" + m.name, Higher: SolveRoot, Section: sectionHigher, Doc: m.doc,
				Signatures: []string{"vector solve_" + m.name + system + ", ...)"}},
			&catalogue.Function{Name: "solve_" + m.name + "_tol", Higher: SolveRootTol, Section: sectionHigher, Doc: m.doc + ", to given tolerances",
				Signatures: []string{"vector solve_" + m.name + "_tol" + system + m.tol + ", ...)"}})
	}
	for _, name := range []string{"algebra_solver", "algebra_solver_newton"} {
		all = append(all, &catalogue.Function{Name: name, Higher: SolveOldRoot, Section: sectionDeprecated, Doc: "older form of the algebraic solvers",
			Signatures: []string{"vector " + name + oldSystem + ")", "vector " + name + oldSystem + oldTol}})
	}
	return all
}

func integralFunctions() []*catalogue.Function {
	const (
		old = "real integrate_1d(function(real, real, array[] real, data array[] real, data array[] int) real integrand, " +
			"real a, real b, array[] real theta, data array[] real x_r, data array[] int x_i"
		integrand = "(function(real, real, ...) real integrand, real a, real b"
	)
	all := []*catalogue.Function{{Name: "integrate_1d", Higher: SolveIntegral, Section: sectionHigher, Doc: "integral of a function over an interval by double-exponential quadrature",
		Signatures: []string{old + ")", old + ", data real relative_tolerance)"}}}
	for _, m := range []struct{ name, levels, doc string }{
		{"double_exponential", "max_refinements", "double-exponential quadrature"},
		{"gauss_kronrod", "max_depth", "adaptive Gauss-Kronrod quadrature"},
	} {
		name := "integrate_1d_" + m.name
		all = append(all,
			&catalogue.Function{Name: name, Higher: SolveQuadrature, Section: sectionHigher, Doc: "integral of a function over an interval by " + m.doc,
				Signatures: []string{"real " + name + integrand + ", ...)"}},
			&catalogue.Function{Name: name + "_tol", Higher: SolveQuadratureTol, Section: sectionHigher, Doc: "integral of a function over an interval by " + m.doc + ", to given tolerances",
				Signatures: []string{"real " + name + "_tol" + integrand + ", data real relative_tolerance, data real absolute_tolerance, data int " + m.levels + ", ...)"}})
	}
	return all
}

func sumFunctions() []*catalogue.Function {
	const sum = "(function(array[] any, int, int, ...) real f, array[] any x, int grainsize, ...)"
	return []*catalogue.Function{
		{Name: "reduce_sum", Higher: SolveReduceSum, Section: sectionHigher, Doc: "sum of a function over slices of an array", Signatures: []string{"real reduce_sum" + sum}},
		{Name: "reduce_sum_static", Higher: SolveReduceSum, Section: sectionHigher, Doc: "sum of a function over slices of an array, with fixed slices", Signatures: []string{"real reduce_sum_static" + sum}},
		{Name: "map_rect", Higher: SolveMapRect, Section: sectionHigher, Doc: "a function applied to each row of parallel arrays, its results joined",
			Signatures: []string{"vector map_rect(function(vector, vector, data array[] real, data array[] int) vector f, " +
				"vector phi, array[] vector theta, data array[,] real x_r, data array[,] int x_i)"}},
	}
}
