package types_test

// This file tests reading and writing signatures, promotion and overload resolution.

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
)

func TestSignaturesReadAndWrite(t *testing.T) {
	for _, s := range []string{
		"real normal_lpdf(reals y | reals mu, reals sigma)",
		"real std_normal_lpdf(reals y |)",
		"R pow(T x, T y)",
		"int f()",
		"void g(data array[,] int x, tuple(int, array[] vector) t)",
		"array[,] any rep_array(any x, int m, int n)",
		"real reduce_sum(function(array[] any, int, int, ...) real f, array[] any x, int grainsize, ...)",
		"real laplace(function(vector, ...) real f, tuple(...) args, data int n)",
		"reals normal_rng(reals mu, reals sigma)",
	} {
		sig, err := types.ParseSignature(s)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := sig.String(); got != s {
			t.Errorf("%s was written as %s", s, got)
		}
	}
	for _, s := range []string{"", "real", "real f", "real f(", "real f(int", "real f(x y z)", "real f(... , int x)", "real f() g", "array[ real f()"} {
		if _, err := types.ParseSignature(s); err == nil {
			t.Errorf("%q was read without an error", s)
		}
	}
}

// typ reads a type as written.
func typ(t *testing.T, text string) types.Type {
	t.Helper()
	sig, err := types.ParseSignature(text + " f()")
	if err != nil {
		t.Fatal(err)
	}
	return sig.Result.Type
}

func TestPromote(t *testing.T) {
	for _, c := range []struct {
		from, to string
		steps    int // -1 where it is not allowed
	}{
		{"int", "int", 0},
		{"int", "real", 1},
		{"int", "complex", 2},
		{"real", "complex", 1},
		{"real", "int", -1},
		{"vector", "complex_vector", 1},
		{"vector", "row_vector", -1},
		{"array[] int", "array[] real", 1},
		{"array[] int", "array[,] real", -1},
		{"array[] int", "vector", -1},
		{"array[] matrix", "array[] complex_matrix", 1},
		{"tuple(int, int)", "tuple(real, complex)", 3},
		{"tuple(int, int)", "tuple(real, int, int)", -1},
		{"tuple(int, int)", "tuple(int, vector)", -1},
		{"array[] tuple(int, real)", "array[] tuple(real, real)", 1},
	} {
		steps, ok := types.Promote(typ(t, c.from), typ(t, c.to))
		if !ok {
			steps = -1
		}
		if steps != c.steps {
			t.Errorf("%s to %s: wanted %d steps, got %d", c.from, c.to, c.steps, steps)
		}
	}
}

func TestCommon(t *testing.T) {
	for _, c := range [][3]string{
		{"int", "real", "real"},
		{"complex", "int", "complex"},
		{"tuple(int, real)", "tuple(real, int)", "tuple(real, real)"},
		{"array[] int", "array[] complex", "array[] complex"},
	} {
		if got, ok := types.Common(typ(t, c[0]), typ(t, c[1])); !ok || got.String() != c[2] {
			t.Errorf("%s and %s: wanted %s, got %s", c[0], c[1], c[2], got)
		}
	}
	if _, ok := types.Common(types.Vector, types.RowVector); ok {
		t.Error("vector and row_vector have no common type")
	}
}

// signatures reads one signature a line.
func signatures(t *testing.T, lines string) []*types.Signature {
	t.Helper()
	var out []*types.Signature
	for _, l := range strings.Split(strings.TrimSpace(lines), "\n") {
		sig, err := types.ParseSignature(strings.TrimSpace(l))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sig)
	}
	return out
}

// arguments reads types, comma-separated; "data" before one makes it data.
func arguments(t *testing.T, list string) []types.Arg {
	t.Helper()
	var out []types.Arg
	if list == "" {
		return nil
	}
	for _, s := range strings.Split(list, "; ") {
		s, data := strings.CutPrefix(s, "data ")
		out = append(out, types.Arg{Type: typ(t, s), Data: data})
	}
	return out
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ sigs, args, want string }{
		{"real f(real x)", "int", "real(real)"},
		{"real f(real x)\nint f(int x)", "int", "int(int)"},
		{"real f(real x, real y)\nint f(int x, real y)", "int; int", "int(int, real)"},
		{"int f(int x, real y)\nreal f(real x, int y)", "int; int", "ambiguous"},
		{"int f(complex x)\nreal f(real x)", "int", "real(real)"},
		{"real f(data real x)", "real", "NotData"},
		{"real f(data real x)", "data int", "real(real)"},
		{"real f(real x)", "real; real", "WrongCount"},
		{"real f(real x)", "vector", "WrongType"},
		{"real f(array[] real x)", "array[] int", "real(array[] real)"},
		{"R f(T x)", "int", "real(int)"},
		{"R f(T x)", "array[,] vector", "array[,] vector(array[,] vector)"},
		{"R f(T x)", "complex", "WrongType"},
		{"R f(T x)\nC f(C x)", "real", "real(real)"},
		{"R f(T x)\nC f(C x)", "array[] complex_matrix", "array[] complex_matrix(array[] complex_matrix)"},
		{"T f(T x)", "int", "int(int)"},
		{"CR f(C x)", "complex_vector", "vector(complex_vector)"},
		{"R f(T x, T y)", "int; array[] int", "array[] real(int, array[] int)"},
		{"R f(T x, T y)", "vector; real", "vector(vector, real)"},
		{"R f(T x, T y)", "vector; row_vector", "WrongContainer"},
		{"R f(T x, T y)", "vector; array[] real", "WrongContainer"},
		{"R f(T x, I n)", "vector; array[] int", "vector(vector, array[] int)"},
		{"R f(T x, I n)", "matrix; array[] int", "WrongContainer"},
		{"R f(T x, I n)", "real; array[,] int", "array[,] real(real, array[,] int)"},
		{"real f(reals y | reals m)", "array[] int; vector", "real(array[] real, vector)"},
		{"real f(ints y | reals m)", "array[] int; vector", "real(array[] int, vector)"},
		{"real f(ints y | reals m)", "vector; vector", "WrongType"},
		{"reals f(reals m)", "vector", "array[] real(vector)"},
		{"reals f(reals m)", "int", "real(real)"},
		{"ints f(reals m)", "array[] real", "array[] int(array[] real)"},
		{"real f(vectors y | vectors m)", "array[] vector; row_vector", "real(array[] vector, row_vector)"},
		{"array[] any f(any x, int n)", "tuple(int, real); int", "array[] tuple(int, real)(tuple(int, real), int)"},
		{"array[] any f(array[] any x, array[] any y)", "array[] int; array[] real", "array[] real(array[] real, array[] real)"},
		{"array[] any f(array[] any x, array[] any y)", "array[] int; array[] vector", "WrongType"},
		{"real f(real x, ...)", "int; vector; int", "real(real, vector, int)"},
	} {
		got := resolved(types.Resolve(signatures(t, c.sigs), arguments(t, c.args)))
		if got != c.want {
			t.Errorf("%s of (%s): wanted %s, got %s", strings.ReplaceAll(c.sigs, "\n", " / "), c.args, c.want, got)
		}
	}
}

// resolved writes an outcome: result(parameters), or the first candidate's reason.
func resolved(m types.Match, mis *types.Mismatch) string {
	if mis == nil {
		parts := make([]string, len(m.Params))
		for i, p := range m.Params {
			parts[i] = p.String()
		}
		return m.Result.String() + "(" + strings.Join(parts, ", ") + ")"
	}
	if mis.Ambiguous != nil {
		return "ambiguous"
	}
	return []string{"WrongCount", "WrongType", "NotData", "WrongContainer", "WrongFunction"}[mis.Closest[0].Reason]
}

func TestResolveFunctions(t *testing.T) {
	ode := signatures(t, "array[] vector ode(function(real, vector, ...) vector f, vector y0, ...)")
	plain := "vector g(real t, vector y)"
	extra := "vector g(real t, vector y, real a, data int n)"
	for _, c := range []struct{ fn, args, want string }{
		{plain, "vector", ""},
		{plain, "vector; real", "WrongFunction"},
		{extra, "vector; int; data int", ""},
		{extra, "vector; int; int", "WrongFunction"},
		{plain + "\n" + extra, "vector; real; data int", ""},
		{"real g(real t, vector y)", "vector", "WrongFunction"},
		{"vector g(data real t, vector y)", "vector", "WrongFunction"},
		{"vector g(int t, vector y)", "vector", "WrongFunction"},
	} {
		forms := signatures(t, c.fn)
		args := append([]types.Arg{{Type: types.FuncOf(forms[0]), Data: true, Funcs: forms}}, arguments(t, c.args)...)
		m, mis := types.Resolve(ode, args)
		switch {
		case mis == nil && c.want != "", mis != nil && resolved(m, mis) != c.want:
			t.Errorf("%s with (%s): wanted %q, got %s", c.fn, c.args, c.want, resolved(m, mis))
		case mis == nil && m.Params[0].Fn != forms[m.Funcs[0]]:
			t.Errorf("%s with (%s): the form chosen is not recorded", c.fn, c.args)
		}
	}
}

// The candidate with the fewest wrong arguments comes first; at most five are listed.
func TestMismatchOrder(t *testing.T) {
	sigs := signatures(t, `real f(int x)
		real f(matrix x, matrix y)
		real f(vector x, matrix y)
		real f(vector x, vector y, vector z)
		real f(array[] int x, array[] int y)
		real f(matrix x)
		real f(row_vector x, row_vector y)`)
	_, mis := types.Resolve(sigs, arguments(t, "vector; vector"))
	if mis == nil || len(mis.Closest) != types.MaxCandidates || mis.More != 2 {
		t.Fatalf("%+v", mis)
	}
	if first := mis.Closest[0]; first.Sig != sigs[2] || first.Arg != 1 || first.Want != "matrix" {
		t.Errorf("closest: %v, %+v", first.Sig, first)
	}
}
