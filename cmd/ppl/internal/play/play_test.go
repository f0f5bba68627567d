package play

// This file holds answers to the draws that they are about.

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

const line = `data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; }
model { print("bound"); a ~ normal(0, 5); b ~ normal(0, 5); s ~ exponential(1); y ~ normal(a + b * x, s); }`

const points = `{"N": 4, "x": [1, 2, 3, 4], "y": [1.1, 2.3, 2.8, 4.1]}`

// The table is that of the draws, whose columns stand where their names say, and each picture is XML.
func TestAnswer(t *testing.T) {
	a, more := Run(t.Context(), Question{Model: line, Data: points, Method: "nuts(chains = 2, warmup = 200, draws = 100)", Seed: 3}, infer.Ignore{}, nil)
	if a.Error != "" || len(a.Fits) != 1 || len(a.Fits[0].Findings) == 0 {
		t.Fatalf("%+v", a)
	}
	list, err := more()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(list[0].CSV)).ReadAll()
	if err != nil || len(rows) != 201 || a.Fits[0].Draws != 200 || strings.Join(rows[0], " ") != "chain lp__ a b s" {
		t.Fatalf("%v, %d rows, %v", err, len(rows), rows[0])
	}
	for i, p := range a.Fits[0].Parameters {
		mean := 0.0
		for _, row := range rows[1:] {
			x, err := strconv.ParseFloat(row[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			mean += x / 200
		}
		if p.Name != rows[0][i+1] || math.Abs(mean-p.Mean) > 1e-12*math.Abs(mean) {
			t.Errorf("%s: mean %v in the table, %v of column %s", p.Name, p.Mean, mean, rows[0][i+1])
		}
	}
	if len(list[0].Pictures) < 5 {
		t.Errorf("%d pictures", len(list[0].Pictures))
	}
	for _, p := range list[0].Pictures {
		if err := xml.Unmarshal([]byte(p.SVG), new(any)); err != nil {
			t.Errorf("%s: %v", p.Title, err)
		}
	}
	if _, err := json.Marshal(a); err != nil {
		t.Error(err)
	}
}

// What is wrong is said with its place, as by the command.
func TestErrors(t *testing.T) {
	for want, q := range map[string]Question{
		"model:1:16: error: expected":          {Model: "parameters { x }"},
		"data: error: ":                        {Model: line, Data: `{"N": 4}`},
		"data:1:7: error: ":                    {Model: line, Data: `{"N": }`},
		`there is no method or binding "nutz"`: {Model: line, Data: points, Method: "nutz()"},
	} {
		if a, _ := Run(t.Context(), q, infer.Ignore{}, nil); !strings.Contains(a.Error, want) || len(a.Fits) > 0 {
			t.Errorf("found %q, want %q", a.Error, want)
		}
	}
}

// stopper ends a run after some draws.
type stopper struct {
	infer.Ignore
	stop context.CancelFunc
}

// Draw implements infer.Observer.
func (s stopper) Draw(r draws.Row) error {
	if r.Iteration == 50 {
		s.stop()
	}
	return nil
}

// A run that is stopped keeps its draws.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	a, _ := Run(ctx, Question{Model: "parameters { real x; } model { x ~ normal(0, 1); }", Method: "nuts(chains = 1, warmup = 50, draws = 1000000)"}, stopper{stop: stop}, nil)
	if a.Error != "" || !a.Fits[0].Incomplete || a.Fits[0].Draws < 50 || a.Fits[0].Draws > 10000 {
		t.Errorf("%+v", a)
	}
}
