// This file summarises draws: one row of figures for each column.

package draws

import (
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"sync"
)

// Summary is the row of one column. Figures that have no meaning are NaN; in
// JSON they are null.
type Summary struct {
	Name    string
	Mean    float64
	MCSE    float64 // Monte Carlo standard error of the mean
	SD      float64
	Q5      float64
	Q50     float64
	Q95     float64
	ESSBulk float64
	ESSTail float64
	RHat    float64
}

// Summarize summarises one column, a slice for each chain.
func Summarize(name string, x [][]float64) Summary {
	return summarize(name, x, newRanking(normalScores(count(split(x)))))
}

// count is the number of draws.
func count(x [][]float64) (n int) {
	for _, c := range x {
		n += len(c)
	}
	return n
}

// halved is the number of draws in the halves of the chains of a balanced table.
func (d *Draws) halved() int {
	switch {
	case d.Chains() == 0:
		return 0
	case d.Len(0) < 2:
		return d.Total()
	}
	return d.Chains() * (d.Len(0) &^ 1)
}

// summarize is Summarize with the memory for ranks.
func summarize(name string, x [][]float64, r *ranking) Summary {
	s := Summary{Name: name, Mean: Mean(x), SD: SD(x)}
	var sorted []float64
	s.RHat, s.ESSBulk, sorted = r.mixing(x)
	s.Q5, s.Q50, s.Q95 = Quantile(sorted, 0.05), Quantile(sorted, 0.5), Quantile(sorted, 0.95)
	s.MCSE = s.SD / math.Sqrt(ESSMean(x))
	s.ESSTail = essTail(x, sorted)
	return s
}

func finite(x [][]float64) bool {
	wrong := 0.0
	for _, c := range x {
		for _, v := range c {
			wrong += v - v // NaN unless v is finite
		}
	}
	return wrong == 0
}

// Summaries summarises lp__ and all columns of the model, in order, over the
// balanced table, by the weights if the draws have such. There is an R-hat of
// chains only. It uses all processors. From 2^20 draws on effective sample sizes and R-hat are those of ranks that
// are known approximately, with errors below 1e-3 and 1e-4; all other figures are the same, of weighted draws but for the
// rounding of sums.
func (d *Draws) Summaries() []Summary {
	b := d.Balanced()
	kind, isLong := b.Kind(), b.Total() >= Long
	cols := []int{0}
	for i := range b.Columns() {
		cols = append(cols, 1+b.stats+i)
	}
	out := make([]Summary, len(cols))
	workers := min(runtime.GOMAXPROCS(0), len(cols))
	var scores, w []float64
	var scale weightScale
	switch {
	case isLong:
		if workers = min(workers, longWorkers); kind == Weighted {
			scale = b.weightScale()
		}
	case kind == Weighted:
		w = b.weights()
	default:
		scores = normalScores(b.halved())
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			ranks := newRanking(scores)
			for i := range next {
				col := cols[i]
				switch name := b.names[col]; {
				case isLong && kind == Weighted:
					out[i] = newLongWeighted(b, col, scale).summary()
				case isLong:
					out[i] = newLong(b, col).summary()
				case kind == Weighted:
					out[i] = SummarizeWeighted(name, slices.Concat(b.column(col)...), w)
				default:
					out[i] = summarize(name, b.column(col), ranks)
				}
				if kind != Chains {
					out[i].RHat = math.NaN()
				}
			}
		})
	}
	for i := range cols {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// MarshalJSON implements json.Marshaler.
func (s Summary) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name    string `json:"name"`
		Mean    Number `json:"mean"`
		MCSE    Number `json:"mcse"`
		SD      Number `json:"sd"`
		Q5      Number `json:"q5"`
		Q50     Number `json:"q50"`
		Q95     Number `json:"q95"`
		ESSBulk Number `json:"ess_bulk"`
		ESSTail Number `json:"ess_tail"`
		RHat    Number `json:"rhat"`
	}{
		s.Name, Number(s.Mean), Number(s.MCSE), Number(s.SD), Number(s.Q5), Number(s.Q50), Number(s.Q95),
		Number(s.ESSBulk), Number(s.ESSTail), Number(s.RHat),
	})
}

// Number is a float64 that JSON can carry: NaN and infinities become null.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if x := float64(n); math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}
