//go:build unix

package examples

// This file times methods with and without lanes.

import (
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/lang"
)

// BenchmarkLanesOfMethods times methods on the oscillator without and with lanes, and nuts on
// recurrences: the metric "ratio" is the first over the second, of processor time.
func BenchmarkLanesOfMethods(b *testing.B) {
	run := func(name string, models [2]*lang.Model, method string) {
		b.Run(name, func(b *testing.B) {
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
	models := oscillators(b)
	for _, method := range []string{"advi(iterations = 4000)", "gvi()", "ais(hmc(), steps = 200, chains = 40)", "nuts(chains = 8, init = 0.1)"} {
		run(method, models, method)
	}
	for i := range recurrents[:4] { // with explicit states a fit takes a minute
		m := &recurrents[i]
		for _, method := range []string{"nuts(chains = 4, warmup = 300, draws = 300)", "nuts(chains = 8, warmup = 300, draws = 300)"} {
			run(m.name+", "+method, m.both(b), method)
		}
	}
}
