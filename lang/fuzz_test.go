package lang

import (
	"errors"
	"os"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
)

// No text makes the way from text to IR panic; what has no errors lowers to a sound
// program, and what has errors can be shown.
func FuzzCompile(f *testing.F) {
	for _, path := range programs(f, "../examples/*/*.ppl", "../examples/corpus/good/*.stan", "../examples/corpus/bad/*.stan") {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Compile("fuzz.ppl", text, Options{})
		if err != nil {
			var wrong *CompileError
			if !errors.As(err, &wrong) {
				t.Fatalf("not a CompileError: %v", err)
			}
			_ = ErrorText(err)
			return
		}
		if err := ir.Verify(p.IR); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Methods(); err != nil {
			t.Fatal(err)
		}
	})
}
