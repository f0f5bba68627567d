// The corpus of good programs, run: each checks its own meaning in transformed data,
// and its compiled density must agree with the reference interpreter and the tape.

package bind_test

import (
	"errors"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const corpus = "../../examples/corpus/good"

func TestCorpusCompiledAgreesWithPlain(t *testing.T) {
	files, err := filepath.Glob(corpus + "/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s (%v)", corpus, err)
	}
	lib := stdlib.New()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".stan")
		t.Run(name, func(t *testing.T) { runCorpus(t, file, name, lib) })
	}
}

// runCorpus binds one program and compares its two evaluators at random points.
func runCorpus(t *testing.T, file, name string, lib *stdlib.Library) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := bindtest.Compile(file, string(text), filepath.Dir(file), lib)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	in, err := corpusInput(prog, name, lib, r)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(prog, lib, in, bind.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	loose := 0.0
	if strings.HasPrefix(name, "fn_higher_order_ode") {
		loose = 1e-5
	}
	agreeAtRandomPoints(t, m, r, 2, loose)
	if err := errors.Join(manyEqualOne(m, r), manyEqualOne(m.Joint(), r)); err != nil {
		t.Error(err)
	}
	interpreted, err := bind.Bind(prog, lib, in, bind.Options{Seed: 1, WithoutNative: true})
	if err != nil {
		t.Fatal(err)
	}
	q := make([]float64, m.Dim())
	for i := range q {
		q[i] = 2*r.Float64() - 1
	}
	if err := sameBits(m.NewEvaluator(), interpreted.NewEvaluator(), q); err != nil {
		t.Error(err)
	}
}

// corpusData are the data of programs that random numbers do not fit.
var corpusData = map[string]string{
	"fn_higher_order_ode": `{"T": 3, "ts": [0.5, 1, 2.5], "y": [[1, 0.7], [1.2, 0.9], [1.1, 1.3]]}`,
	"missing_data":        `{"N_obs": 3, "N_mis": 2, "ii_obs": [1, 3, 4], "ii_mis": [2, 5], "y_obs": [0.4, -1.3, 0.8]}`,
}

func corpusInput(p *ir.Program, name string, lib *stdlib.Library, r *rand.Rand) (*data.Set, error) {
	if text, ok := corpusData[name]; ok {
		return data.ReadBytes([]byte(text), name, func(string) bool { return true })
	}
	return randomData(p, lib, r)
}

// agreeAtRandomPoints compares the evaluators at n points with coordinates uniform in
// (-2, 2), as initial points are, and writes a row at each. The density must be
// finite at some point at least, or nothing would have been compared.
func agreeAtRandomPoints(t *testing.T, m *bind.Model, r *rand.Rand, n int, slack float64) {
	t.Helper()
	out := make([]float64, len(m.Columns()))
	e := m.NewEvaluator()
	finite := 0
	for range n {
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = 4*r.Float64() - 2
		}
		if err := agree(m, q, slack); err != nil {
			t.Errorf("at %v: %v", q, err)
		}
		if err := sameCodeRow(m, q); err != nil {
			t.Error(err)
		}
		lp, lpErr := e.LogDensity(q)
		if lpErr == nil && !math.IsInf(lp, 0) && !math.IsNaN(lp) {
			finite++
		}
		err := e.Write(q, rng.New(1, "test", 0, 0), out)
		if err != nil && !infer.IsReject(err) {
			t.Errorf("Write at %v: %v", q, err)
		}
	}
	if finite == 0 {
		t.Errorf("the density was not finite at any of %d points", n)
	}
}
