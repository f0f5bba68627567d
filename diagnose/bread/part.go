// This file keeps finished data sets for resuming.

package bread

import (
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
)

// kept is a data set as it is kept.
type kept struct {
	Forward []diagnose.Floats `json:"forward"`
	Reverse []diagnose.Floats `json:"reverse"`
	Begins  []diagnose.Floats `json:"begins"`
	Seconds diagnose.Floats   `json:"seconds"`
	Single  diagnose.Floats   `json:"single"` // estimate with its error, annealed, own
	Along   []diagnose.Floats `json:"along"`
	Ladder  []diagnose.Floats `json:"ladder"` // inverse temperatures and lengths
	Ranks   diagnose.Floats   `json:"ranks"`  // below and above, in turn
}

// part returns a data set that was kept, or runs it and keeps it.
func (d *Diagnosis) part(count *diagnose.Counter, name string, run func() (*dataset, error)) (*dataset, error) {
	fresh := false
	k, err := diagnose.Part(count, name, func() (kept, error) {
		fresh = true
		s, err := run()
		if err != nil {
			return kept{}, err
		}
		return kept{floats(s.forward), floats(s.reverse), floats(s.begins), s.seconds, diagnose.Floats{s.estimate.Value, s.estimate.Error, s.annealed, s.own}, floats(s.along[:]),
			[]diagnose.Floats{s.ladder.Beta, s.ladder.Length}, rankFloats(s.ranks)}, nil
	})
	if err != nil {
		return nil, err
	}
	s := &dataset{
		forward: slicesOf(k.Forward), reverse: slicesOf(k.Reverse), begins: slicesOf(k.Begins), seconds: k.Seconds, ranks: ranksFrom(k.Ranks),
		estimate: infer.Estimate{Value: k.Single[0], Error: k.Single[1]}, annealed: k.Single[2], own: k.Single[3],
	}
	copy(s.along[:], slicesOf(k.Along))
	if len(k.Ladder) == 2 {
		s.ladder = anneal.Ladder{Beta: k.Ladder[0], Length: k.Ladder[1]}
	}
	if !fresh {
		count.Add(d.workOf(s))
	}
	return s, nil
}

// workOf is the number of kernel steps of a data set.
func (d *Diagnosis) workOf(s *dataset) int {
	n := 0
	for _, side := range [][][]float64{s.forward, s.reverse} {
		for i, chains := range side {
			n += d.rungs[i] * len(chains)
		}
	}
	return n
}

func rankFloats(ranks []rank) diagnose.Floats {
	var out diagnose.Floats
	for _, r := range ranks {
		out = append(out, r.below, r.above)
	}
	return out
}

func ranksFrom(x diagnose.Floats) []rank {
	var out []rank
	for i := 0; i+1 < len(x); i += 2 {
		out = append(out, rank{x[i], x[i+1]})
	}
	return out
}

func floats(x [][]float64) []diagnose.Floats {
	var out []diagnose.Floats
	for _, v := range x {
		out = append(out, v)
	}
	return out
}

func slicesOf(x []diagnose.Floats) [][]float64 {
	var out [][]float64
	for _, v := range x {
		out = append(out, v)
	}
	return out
}
