// One of each statement and each kind of expression, for every stage: see every_stage_test.go.

package lang

import "math"

// A nodeCase uses one node of lang/ast: statements that compute u = f(a), where u is 0 before.
type nodeCase struct {
	node      string // the type in lang/ast
	functions string // what the statements call
	text      string
	f         func(a float64) (value, slope float64)
	model     bool    // the statements may stand in the model block only, and f is all they add to the target
	kinks     int     // warnings of lint that the density may have kinks
	jacobian  float64 // what the block of transformed parameters adds to the target, for a unit of p
}

// linear is b + c a.
func linear(b, c float64) func(float64) (float64, float64) {
	return func(a float64) (float64, float64) { return b + float64(c*a), c }
}

// quadratic is b + c a + d a^2.
func quadratic(b, c, d float64) func(float64) (float64, float64) {
	return func(a float64) (float64, float64) { return b + float64(c*a) + float64(d*a*a), c + float64(2*d*a) }
}

var halfLog2Pi = math.Log(2*math.Pi) / 2

// unreadable are the nodes that no program without errors has.
var unreadable = []string{"Bad"}

var nodeCases = []nodeCase{
	{node: "Decl", text: `real b = 2 * a, c; c = 3; u = b + c;`, f: linear(3, 2)},
	{node: "Assign", text: `array[2] real b = {a, 1}; b[2] = 3; u = b[1]; u += b[2]; u -= 1; u *= 2; u /= 4;
		vector[2] v = [a, 2]'; v .*= v; v ./= [1, 2]'; u += sum(v);`, f: quadratic(3, 0.5, 1)},
	{node: "Sample", model: true, text: `a ~ normal(1, 2); a ~ uniform(-100, 100) T[-50, 50]; u = 0 * a;`,
		f: quadratic(-0.125-math.Log(2)-halfLog2Pi-math.Log(100), 0.25, -0.125)},
	{node: "TargetAdd", model: true, text: `target += 2 * a; u = target() > 1e9 ? 1 : a;`, f: linear(0, 3), jacobian: 3},
	{node: "CallStmt", functions: `void limit(real b) { if (b > 1e9) reject("too large"); }`, text: `limit(a); u = a;`, f: linear(0, 1)},
	{node: "If", kinks: 6, text: `if (a > 100) { u = 1; } else if (a > -100) u = 3 * a; else { u = 2; }`, f: linear(0, 3)},
	{node: "For", text: `for (i in 1:3) u += i * a;`, f: linear(0, 6)},
	{node: "ForEach", text: `for (e in {a, 2 * a}) u += e; for (e in [[a, 1], [2, a]]) { u += e; }`, f: linear(3, 5)},
	{node: "While", text: `real b; int i = 0; while (i < 3) { i += 1; b = a; u += b; } u += b;`, f: linear(0, 4)},
	{node: "Break", text: `for (i in 1:9) { if (i == 4) break; u += a; }`, f: linear(0, 3)},
	{node: "Continue", text: `for (i in 1:4) { if (i == 2) continue; u += i * a; }`, f: linear(0, 8)},
	{node: "Return", kinks: 1, functions: `real triple(real b) { if (b > 1e9) { return 0; } return 3 * b; }`, text: `u = triple(a);`, f: linear(0, 3)},
	{node: "Print", text: `print("a is ", a); if (a > 1e9) reject("no"); if (a < -1e9) fatal_error("no"); u = a;`, f: linear(0, 1)},
	{node: "Profile", text: `profile("part") { u = a * a; }`, f: quadratic(0, 0, 1)},
	{node: "BlockStmt", text: `{ real b = a * a; u = b; }`, f: quadratic(0, 0, 1)},
	{node: "Empty", text: `; u = a;`, f: linear(0, 1)},

	{node: "Ident", text: `u = a;`, f: linear(0, 1)},
	{node: "IntLit", text: `u = 3 * a;`, f: linear(0, 3)},
	{node: "RealLit", text: `complex z = 1.5e1 * a + 2i; u = get_real(z) * get_imag(z);`, f: linear(0, 30)},
	{node: "StringLit", text: `print("text"); u = a;`, f: linear(0, 1)},
	{node: "Unary", kinks: 3, text: `u = -(+a); if (!(a > 1e9)) u -= 1;`, f: linear(-1, -1)},
	{node: "Postfix", text: `row_vector[2] r = [a, 2]; vector[2] v = r'; u = v[1] * v[2];`, f: linear(0, 2)},
	{node: "Binary", text: `u = a + 2 - 3 * a / 4 + a ^ 2 + (7 %/% 2) + 7 % 4 + (a < 1e9 && a >= -1e9 || a == 5)
		+ sum([a, 1] .* [2, 3]) + sum([a, 2] ./ [2, 4]) + sum([a, 2] .^ 2) + sum([[2, 0], [0, 4]] \ [a, 2]');`, f: quadratic(17, 3.25, 2)},
	{node: "Ternary", kinks: 3, text: `u = a > 1e9 ? 1 : 3 * a;`, f: linear(0, 3)},
	{node: "Call", functions: `real part(array[] real x, int lo, int hi) { return sum(x); }`,
		text: `u = exp(a) + normal_lpdf(a | 0, 1) + reduce_sum(part, {a, 2 * a}, 1);`,
		f: func(a float64) (float64, float64) {
			return math.Exp(a) - float64(a*a/2) - halfLog2Pi + float64(3*a), math.Exp(a) - a + 3
		}},
	{node: "Index", text: `vector[4] v = [a, 2 * a, 3 * a, 4 * a]'; array[2] int k = {1, 4};
		u = v[2] + sum(v[:]) + sum(v[k]) + sum(v[2:3]) + sum(v[3:]) + sum(v[:2]); v[2:3] = v[k]; u += v[3];`, f: linear(0, 36)},
	{node: "TupleGet", text: `tuple(real, int) t = (a, 2); u = t.1 * t.2;`, f: linear(0, 2)},
	{node: "ArrayLit", text: `array[2] real b = {a, 2 * a}; u = sum(b);`, f: linear(0, 3)},
	{node: "RowLit", text: `matrix[2, 2] b = [[a, 1], [2, 3 * a]]; u = trace(b);`, f: linear(0, 4)},
	{node: "TupleLit", text: `real b; real c; (b, c) = (a, 3 * a); u = c - b / 2;`, f: linear(0, 2.5)},
	{node: "Paren", text: `u = (a + 1) * (2);`, f: linear(2, 2)},
}
