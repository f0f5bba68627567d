// Every good program of the corpus and every model of the examples is sound as the verifier
// has it after lowering and after each pass, and so is whatever else compiles.

package pass_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// compile reads and lowers a program.
func compile(t *testing.T, path string) *ir.Program {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := bindtest.Compile(path, string(text), filepath.Dir(path), stdlib.New())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sound verifies a program as it was lowered and after each pass.
func sound(p *ir.Program, lib *stdlib.Library) error {
	if err := verify(p); err != nil {
		return err
	}
	_, err := pass.Run(p, lib, pass.Options{After: func(_ pass.Pass, p *ir.Program) error { return verify(p) }})
	return err
}

func TestLoweredProgramsVerify(t *testing.T) {
	lib := stdlib.New()
	files := programs(t)
	for _, file := range files {
		if err := sound(compile(t, file), lib); err != nil {
			t.Errorf("%s:\n%v", file, err)
		}
	}
	if len(files) < 100 {
		t.Errorf("only %d programs were verified", len(files))
	}
}

func FuzzVerify(f *testing.F) {
	lib := stdlib.New()
	for _, path := range programs(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := bindtest.Compile("fuzz.stan", text, "", lib)
		if err != nil {
			return
		}
		if err := sound(p, lib); err != nil {
			t.Error(err)
		}
	})
}

// programs lists the models under examples, and of the corpus the good ones.
func programs(t testing.TB) []string {
	var files []string
	err := filepath.WalkDir("../../examples", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		corpus := strings.Contains(path, filepath.Join("examples", "corpus"))
		if d.IsDir() && (d.Name() == "include" || corpus && (d.Name() == "bad" || d.Name() == "data")) {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); ext == ".stan" || ext == ".ppl" {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
