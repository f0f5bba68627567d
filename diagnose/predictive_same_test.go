// A statistic of parameters alone compares nothing.

package diagnose_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// TestPredictiveOfParametersAlone: a statistic that is the same with the data at hand and with the simulated ones gets no
// p-value, calibrated or not, and no verdict; one that differs anywhere does.
func TestPredictiveOfParametersAlone(t *testing.T) {
	x := make([]float64, 200)
	for i := range x {
		x[i] = math.Sqrt(float64(i + 1))
	}
	for _, calibrated := range []bool{false, true} {
		c := diagnose.NewPredictiveCheck("", "theta", x, x)
		if calibrated {
			nothing := make([]float64, 100)
			for i := range nothing {
				nothing[i] = math.NaN()
			}
			c.Calibrate(nothing)
		}
		v := diagnose.Predictive("posterior", []diagnose.PredictiveCheck{c})
		if v.Severity != diagnose.None || !math.IsNaN(float64(c.P)) || !math.IsNaN(float64(c.Distance)) {
			t.Errorf("calibrated %v: severity %v, p %v, distance %v", calibrated, v.Severity, c.P, c.Distance)
		}
	}
	y := append([]float64{}, x...)
	y[7]++
	if c := diagnose.NewPredictiveCheck("", "theta", x, y); math.IsNaN(float64(c.P)) {
		t.Error("a statistic that differs has no p-value")
	}
}
