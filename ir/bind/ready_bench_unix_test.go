// What it costs to get ready: from text and data to the compiled gradient.

//go:build unix

package bind_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

// BenchmarkReady measures, for each workload with data, the way from the model's text and its
// file of data to the program of the gradient, which is not run. The time is that of the
// processor, the least of all repetitions.
//
//	go test ./ir/bind -run NONE -bench Ready -benchtime 10x
func BenchmarkReady(b *testing.B) {
	files, err := filepath.Glob("../../examples/workloads/*.json")
	if err != nil {
		b.Fatal(err)
	}
	for _, data := range files {
		stem, _, _ := strings.Cut(strings.TrimSuffix(data, ".json"), "-")
		if _, err := os.Stat(stem + ".stan"); err != nil {
			continue
		}
		b.Run(strings.TrimSuffix(filepath.Base(data), ".json"), func(b *testing.B) {
			least := time.Duration(1 << 62)
			for b.Loop() {
				start := processorTime()
				m, err := bindtest.Model(stem+".stan", data)
				if err == nil {
					err = m.RecordGradient(make([]float64, m.Dim()))
				}
				if err != nil {
					b.Fatal(err)
				}
				least = min(least, processorTime()-start)
			}
			b.ReportMetric(least.Seconds()*1e3, "min-cpu-ms")
		})
	}
}
