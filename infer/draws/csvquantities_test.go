package draws

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWriteQuantities(t *testing.T) {
	dir := t.TempDir()
	d := New(2, []string{"accept_stat__"}, []string{"y.1", "y.2"})
	for c := range 2 {
		for i := range 3 {
			d.Append(Row{Chain: c, LogDensity: -1, Stats: []float64{1}, Values: []float64{float64(c), float64(i) / 3}})
		}
	}
	o := CSVOptions{Dir: dir, Model: "m_model", Started: time.Unix(0, 0), Digits: 4}
	if err := WriteQuantities(o, d, 7, func(chain int) string { return filepath.Join("fit", "chain-"+string(rune('1'+chain))+".csv") }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "chain-2.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# method = generate_quantities\n#   generate_quantities\n#     fitted_params = fit/chain-2.csv\n", "# id = 2\n", "#   seed = 7\n", "\ny.1,y.2\n1,0\n1,0.3333\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	fit, err := ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"y.1", "y.2"}, fit.Draws.Columns()); diff != "" || fit.Draws.Len(1) != 3 || !math.IsNaN(fit.Draws.Row(0, 0)[0]) {
		t.Errorf("read back: %s %v", diff, fit.Draws.Row(0, 0))
	}
}

// The weights of draws stay with the quantities.
func TestWriteWeightedQuantities(t *testing.T) {
	dir := t.TempDir()
	d := New(1, []string{LogWeightColumn}, []string{"x"})
	for i := range 3 {
		d.Append(Row{LogDensity: -2, Stats: []float64{float64(i)}, Values: []float64{9}})
	}
	if err := WriteQuantities(CSVOptions{Dir: dir}, d, 1, func(int) string { return "f.csv" }); err != nil {
		t.Fatal(err)
	}
	fit, err := ReadDir(dir)
	if err != nil || fit.Draws.Kind() != Weighted || fit.Draws.Row(0, 2)[1] != 2 {
		t.Errorf("%v, %v", fit, err)
	}
}
