// This file keeps finished data sets for resuming.

package bread

import (
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
)

// dataAtHand is the name of the part of the data that are not simulated.
const dataAtHand = "data at hand"

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

// whole reports whether a data set that was kept has the numbers of one that this diagnosis makes: of the data at hand the
// forward values alone.
func (d *Diagnosis) whole(k kept, atHand bool) bool {
	if len(k.Single) != 4 || len(k.Forward) != len(d.rungs) {
		return false
	}
	for i, n := range d.rungs {
		chains := 0
		if d.forwardAt(n) {
			chains = d.options.Chains
		}
		if len(k.Forward[i]) != chains {
			return false
		}
	}
	if atHand {
		return true
	}
	if len(k.Reverse) != len(d.rungs) || len(k.Begins) != len(d.rungs) || len(k.Seconds) != len(d.rungs) || len(k.Along) != len(path{}) {
		return false
	}
	for i, n := range d.rungs {
		if len(k.Reverse[i]) != d.reverseChains(n) || len(k.Begins[i]) != len(k.Forward[i]) {
			return false
		}
	}
	stretches := newWatch(d.rungs[len(d.rungs)-1], d.options.Chains).parts()
	return !slices.ContainsFunc(k.Along, func(x diagnose.Floats) bool { return len(x) != stretches })
}

// part returns a data set that was kept, or runs it and keeps it.
func (d *Diagnosis) part(count *diagnose.Counter, name string, run func() (*dataset, error)) (*dataset, error) {
	fresh := false
	whole := func(k kept) bool { return d.whole(k, name == dataAtHand) }
	k, err := diagnose.Part(count, name, whole, func() (kept, error) {
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
