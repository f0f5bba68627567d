// Functions of functions: signatures only. They call the user's code, so package
// ir/bind runs them.

package stdlib

// The names of the solvers that rows of this file ask for.
const (
	SolveODE       = "ode"           // ode_*(f, y0, t0, ts, ...)
	SolveODETol    = "ode_tol"       // ode_*_tol(f, y0, t0, ts, rel, abs, max_steps, ...)
	SolveOldODE    = "integrate_ode" // integrate_ode_*(f, y0, t0, ts, theta, x_r, x_i[, rel, abs, max_steps])
	SolveReduceSum = "reduce_sum"    // reduce_sum(f, x, grainsize, ...)
)

const sectionHigher = "Higher-Order Functions"

func higherFunctions() []*Function {
	const (
		rhs    = "function(real, vector, ...) vector ode, vector y0, real t0, array[] real ts"
		oldRHS = "function(real, array[] real, array[] real, data array[] real, data array[] int) array[] real ode, " +
			"array[] real y0, real t0, array[] real ts, array[] real theta, data array[] real x_r, data array[] int x_i"
		tol = ", data real rel_tol, data real abs_tol, data int max_num_steps"
	)
	sums := func(name string) []string {
		var out []string
		for _, x := range []string{"int", "real", "vector", "row_vector", "matrix", "array[] int", "array[] real", "array[] vector", "array[] row_vector", "array[] matrix"} {
			x = arrayOf(x)
			out = append(out, "real "+name+"(function("+x+", int, int, ...) real f, "+x+" x, int grainsize, ...)")
		}
		return out
	}
	return []*Function{
		{Name: "ode_rk45", Higher: SolveODE, Section: sectionHigher, Doc: "solves a non-stiff differential equation by a Runge-Kutta 4/5 method",
			Signatures: []string{"array[] vector ode_rk45(" + rhs + ", ...)"}},
		{Name: "ode_rk45_tol", Higher: SolveODETol, Section: sectionHigher, Doc: "solves a non-stiff differential equation to given tolerances",
			Signatures: []string{"array[] vector ode_rk45_tol(" + rhs + tol + ", ...)"}},
		{Name: "integrate_ode_rk45", Higher: SolveOldODE, Section: sectionHigher, Doc: "older form of ode_rk45",
			Signatures: []string{"array[,] real integrate_ode_rk45(" + oldRHS + ")", "array[,] real integrate_ode_rk45(" + oldRHS + tol + ")"}},
		{Name: "reduce_sum", Higher: SolveReduceSum, Section: sectionHigher, Doc: "sum of a function over slices of an array", Signatures: sums("reduce_sum")},
		{Name: "reduce_sum_static", Higher: SolveReduceSum, Section: sectionHigher, Doc: "sum of a function over slices of an array, with fixed slices", Signatures: sums("reduce_sum_static")},
	}
}

// arrayOf writes an array type with one more dimension.
func arrayOf(t string) string {
	if len(t) > 7 && t[:7] == "array[]" {
		return "array[,]" + t[7:]
	}
	return "array[] " + t
}
