package lang_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang"
)

// TestChainsNotBegun: of an incomplete fit, the draws that were asked for are those of all
// chains, also of the ones that had not begun.
func TestChainsNotBegun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"chain-1.csv": "lp__,mu\n-1,0.1\n-2,0.2\n-1,0.3\n",
		"run.json":    `{"name": "nuts", "method": "nuts()", "chains": 3, "draws": 20000, "incomplete": true, "adaptation": [{"chain": 1, "draws": 3}, {"chain": 2}, {"chain": 3}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fit, err := lang.ReadFit(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fit.Findings {
		if strings.Contains(f.Meaning, "cut short") {
			if f.Threshold != 60000 || f.Value != 3 {
				t.Errorf("%v draws, %v asked for; expected 3 and 60000", f.Value, f.Threshold)
			}
			return
		}
	}
	t.Error("nothing says that the run was cut short")
}
