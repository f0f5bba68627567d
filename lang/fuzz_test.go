package lang

import (
	"errors"
	"os"
	"testing"
)

// No text makes the way from text to IR panic; what has errors can be shown (that what
// has none lowers to a sound program is FuzzVerify of package pass).
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
			if _, ok := errors.AsType[*CompileError](err); !ok {
				t.Fatalf("not a CompileError: %v", err)
			}
			_ = ErrorText(err)
			return
		}
		if _, err := p.Methods(); err != nil {
			t.Fatal(err)
		}
	})
}
