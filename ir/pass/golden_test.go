// Golden texts of programs before and after.

package pass_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/stdlib"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.stan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in testdata (%v)", err)
	}
	lib := stdlib.New()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := bindtest.Compile(filepath.Base(file), string(text), "testdata", lib)
		if err != nil {
			t.Fatal(err)
		}
		last := ir.Dump(p)
		got := "before\n" + last
		_, err = pass.Run(p, lib, pass.Options{After: func(s pass.Pass, p *ir.Program) error {
			if now := ir.Dump(p); now != last {
				got += "after " + s.Name + "\n" + now
				last = now
			}
			return verify(p)
		}})
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, got)
		}
		golden := strings.TrimSuffix(file, ".stan") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from %s (go test -update writes it anew); got\n%s", file, golden, got)
		}
	}
}
