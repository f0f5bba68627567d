package draws

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariables(t *testing.T) {
	columns := []string{
		"mu", "m.1.1", "m.2.1", "m.1.2", "m.2.2", "m.1.3", "m.2.3",
		"z.1.real", "z.1.imag", "z.2.real", "z.2.imag",
		"t.1:1", "t.1:2.1", "t.1:2.2", "t.2:1", "t.2:2.1", "t.2:2.2", "odd.2",
	}
	want := []Variable{
		{Name: "mu", Base: "mu", Columns: []int{0}},
		{Name: "m", Base: "m", Dims: []int{2, 3}, Columns: []int{1, 3, 5, 2, 4, 6}},
		{Name: "z", Base: "z", Dims: []int{2}, Columns: []int{7, 8, 9, 10}, Complex: true},
		{Name: "t:1", Base: "t", Dims: []int{2}, Columns: []int{11, 14}},
		{Name: "t:2", Base: "t", Dims: []int{2, 2}, Columns: []int{12, 13, 15, 16}},
		{Name: "odd.2", Base: "odd", Columns: []int{17}},
	}
	if diff := cmp.Diff(want, Variables(columns)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSelect(t *testing.T) {
	columns := []string{"mu", "theta.1", "theta.2", "t:1"}
	at, err := Select(columns, []string{"t", "theta"})
	if diff := cmp.Diff([]int{1, 2, 3}, at); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for name, want := range map[string]string{
		"tau":      `there is no variable "tau"; there are mu, theta, t`,
		"theta[3]": `the variable theta has no part "theta[3]"`,
	} {
		_, err := Select(columns, []string{name})
		var unknown *UnknownVariableError
		if !errors.As(err, &unknown) || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// Parts of variables are named in any spelling of their indices; lp__ is always there.
func TestSelectParts(t *testing.T) {
	columns := []string{"mu", "theta.1", "theta.2", "theta.10", "m.1.1", "m.2.1", "m.1.2", "t:1", "t:2.1", "z.real", "z.imag"}
	for _, c := range []struct {
		name string
		want []int
	}{
		{"theta[1]", []int{1}}, {"theta.1", []int{1}}, {"theta[10]", []int{3}}, {"m[2,1]", []int{5}}, {"m[2, 1]", []int{5}},
		{"m.1", []int{4, 6}}, {"m[1]", []int{4, 6}}, {"t:2", []int{8}}, {"z", []int{9, 10}}, {"lp__", nil},
	} {
		at, err := Select(columns, []string{c.name})
		if diff := cmp.Diff(c.want, at); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, diff)
		}
	}
	for _, name := range []string{"theta[", "theta[]", "thet", "theta[4]", "m[1,3]", "lp"} {
		if _, err := Select(columns, []string{name}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestOnly(t *testing.T) {
	d := New(2, []string{"accept_stat__"}, []string{"mu", "theta.1", "theta.2"})
	for c := range 2 {
		for i := range 3 {
			x := float64(10*c + i)
			d.Append(Row{Chain: c, LogDensity: -x, Stats: []float64{1}, Values: []float64{x, x + 100, x + 200}})
		}
	}
	got, err := d.Only([]string{"theta"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lp__", "accept_stat__", "theta.1", "theta.2"}, got.Names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{-12, 1, 112, 212}, got.Row(1, 2)); diff != "" {
		t.Error(diff)
	}
	if same, err := d.Only(nil); same != d || err != nil {
		t.Errorf("without names: %p, %v; want %p", same, err, d)
	}
}
