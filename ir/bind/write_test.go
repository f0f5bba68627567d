// Rows of output where generated quantities reject.

package bind_test

import (
	"slices"
	"testing"
)

// A row is the same whether or not the program of rows was compiled before, as it is where
// another chain was at a point without rejection.
func TestRowsForgetWhatWasBefore(t *testing.T) {
	for _, call := range []string{
		"normal_lpdf(1 | 0, a)",      // NaN where it rejects
		"normal_lpdf(1 | log(a), 1)", // -inf
		"lognormal_lpdf(a | 0, 1)",
	} {
		program := "parameters { real a; } model { a ~ normal(0, 1); } generated quantities { real ll = " + call + "; real b = a; }"
		for _, bad := range [][]float64{{-1}, {0}} {
			used, fresh := bound(t, program, "{}").NewEvaluator(), bound(t, program, "{}").NewEvaluator()
			first, want, got := make([]float64, 3), make([]float64, 3), make([]float64, 3)
			if err := used.Write([]float64{1}, nil, first); err != nil {
				t.Fatal(err)
			}
			wantErr := fresh.Write(bad, nil, want)
			err := used.Write(bad, nil, got)
			if !slices.EqualFunc(got, want, func(x, y float64) bool { return close64(x, y, 0) }) || !sameText(err, wantErr) {
				t.Errorf("%s at %v: %v, %v; after another point %v, %v", call, bad, want, wantErr, got, err)
			}
		}
	}
}

// sameText reports whether two errors, or none, read the same.
func sameText(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
}
