package diagnose_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

func TestFloatsGoThroughJSONBitByBit(t *testing.T) {
	for _, want := range []diagnose.Floats{
		nil, {}, {0, math.Copysign(0, -1), 1.0 / 3, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64, -1e-7 / 3},
	} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got diagnose.Floats
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if len(got) != len(want) || (got == nil) != (want == nil) {
			t.Fatalf("%s became %v", text, got)
		}
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
				t.Errorf("number %d of %s became %v", i+1, text, got[i])
			}
		}
	}
	if err := json.Unmarshal([]byte(`["x"]`), &diagnose.Floats{}); err == nil {
		t.Error("no number was taken for one")
	}
}

// memory is a store in memory.
type memory map[string][]byte

func (m memory) Part(name string) ([]byte, error)     { return m[name], nil }
func (m memory) Keep(name string, value []byte) error { m[name] = value; return nil }

func TestPartsAreMadeOnce(t *testing.T) {
	store, made := memory{}, 0
	part := func(name string, err error) (int, error) {
		c, cErr := diagnose.NewCounter(diagnose.WithStore(nil, store), "test", 1)
		if cErr != nil {
			t.Fatal(cErr)
		}
		return diagnose.Part(c, name, func(v int) bool { return v == 7 }, func() (int, error) { made++; return 7, err })
	}
	failed := errors.New("failed")
	if _, err := part("a", failed); !errors.Is(err, failed) || len(store) != 0 {
		t.Errorf("error %v, kept %v", err, store)
	}
	for range 3 {
		if v, err := part("a", nil); v != 7 || err != nil {
			t.Errorf("found %d, %v", v, err)
		}
	}
	if made != 2 {
		t.Errorf("made %d times, want once after the failure", made)
	}
	for _, strange := range []string{"nonsense", "8"} {
		store["a"] = []byte(strange)
		if _, err := part("a", nil); err == nil {
			t.Errorf("%s was taken for a part", strange)
		}
	}
}
