package main

// This file has shares of diagnoses that a stranger wrote.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// strange puts other values into a JSON value, here and there.
func strange(v any, r *rand.Rand) any {
	if r.IntN(8) == 0 {
		return []any{nil, []any{}, map[string]any{}, -1, 1e12, "x", []any{[]any{}}, 0}[r.IntN(8)]
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = strange(v[i], r)
		}
		return v[:len(v)-r.IntN(2)*r.IntN(len(v)+1)]
	case map[string]any:
		for k := range v {
			v[k] = strange(v[k], r)
		}
	}
	return v
}

// TestPartsOfStrangers: parts with a right checksum and any content are merged, or are an error.
func TestPartsOfStrangers(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("m.ppl", []byte("data { real y; } parameters { real mu; real x; } model { mu ~ normal(0, 1); x ~ normal(mu, 1); y ~ normal(x, 1); }"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("m.json", []byte(`{"y": 0.3}`), 0o666); err != nil {
		t.Fatal(err)
	}
	const kernel = "nuts(warmup = 20, draws = 20, chains = 1)"
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		return execute(args, strings.NewReader(""), &out, &out), out.String()
	}
	refused := 0
	for i, d := range []string{
		"sbc(" + kernel + ", replications = 20, draws = 9, bins = 5)", "gibbs_prior(" + kernel + ", chains = 2, steps = 20)",
		"bread(" + kernel + ", steps = [5], chains = 5, datasets = 2)", "bread(mh(warmup = 20, draws = 20, chains = 1), steps = [1, 3], chains = 5, datasets = 2)",
		"bread(" + kernel + ", steps = [5], chains = 5, datasets = 2, data = \"fitted\")",
	} {
		out := filepath.Join(dir, fmt.Sprint("share-", i, "-"))
		for _, share := range []string{"1/2", "2/2"} {
			if code, text := run("diagnose", "m.ppl", "--with", d, "--seed", "1", "--shard", share, "--out", out+share[:1], "--quiet"); code != 0 {
				t.Fatalf("%s: %s", d, text)
			}
		}
		if code, text := run("merge", out+"1", out+"2"); code != 0 {
			t.Errorf("%s: %s", d, text)
		}
		file := filepath.Join(out+"1", folders.CheckpointDir, partsName(0))
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 0))
			var parts bytes.Buffer
			for line := range bytes.Lines(whole) {
				var p struct {
					Part  string
					Value any
				}
				if err := json.Unmarshal(line, &p); err != nil {
					t.Fatal(err)
				}
				value, err := json.Marshal(strange(p.Value, r))
				if err != nil {
					t.Fatal(err)
				}
				if err := json.NewEncoder(&parts).Encode(newPart(p.Part, value)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(file, parts.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			code, text := run("merge", out+"1", out+"2")
			if strings.Contains(text, "internal error") {
				t.Errorf("%s, seed %d: %s", d, seed, text)
			}
			if code != 0 {
				refused++
			}
		}
	}
	if refused < 30 {
		t.Errorf("%d of 60 refused: hardly anything was changed", refused)
	}
}

// TestManyShares: of very many shares that are missing the first are named.
func TestManyShares(t *testing.T) {
	one := &shareFolder{"share-1", &diagnosisRecipe{Model: &draws.Source{File: "m.ppl"}, Finished: true}, infer.Share{Index: 1, Of: 1e9}}
	if err := new(mergeCmd).whole([]*shareFolder{one}); err == nil || strings.Count(err.Error(), "is missing") != 20 {
		t.Errorf("found %v, want 20 shares that are missing", err)
	}
}
