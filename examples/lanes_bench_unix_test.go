//go:build unix

package examples

// This file times methods with and without lanes.

import (
	"testing"
	"time"
)

// BenchmarkLanesOfMethods times methods on the oscillator without and with lanes: the metric
// "ratio" is the first over the second, of processor time.
func BenchmarkLanesOfMethods(b *testing.B) {
	models := oscillators(b)
	for _, method := range []string{"advi(iterations = 4000)", "gvi()", "ais(hmc(), steps = 200, chains = 40)", "nuts(chains = 8, init = 0.1)"} {
		b.Run(method, func(b *testing.B) {
			var used [2]time.Duration
			for i := range b.N {
				for k, m := range models {
					before := processorTime(b)
					fitted(b, m, method, uint64(i)+1)
					used[k] += processorTime(b) - before
				}
			}
			b.ReportMetric(float64(used[1])/float64(used[0]), "ratio")
		})
	}
}
