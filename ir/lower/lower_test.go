// Every good program of the corpus and every model of the examples is lowered to a
// program that the verifier accepts.

package lower_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func TestLoweredProgramsVerify(t *testing.T) {
	lib := stdlib.New()
	n := 0
	for _, file := range programs(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := bindtest.Compile(file, string(text), filepath.Dir(file), lib)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if err := ir.Verify(p); err != nil {
			t.Errorf("%s:\n%v", file, err)
		}
		n++
	}
	if n < 100 {
		t.Errorf("only %d programs were verified", n)
	}
}

// programs lists the models under examples, and of the corpus the good ones.
func programs(t *testing.T) []string {
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
