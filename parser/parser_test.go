package parser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2"

	"github.com/seed-12b88e03/ppl/lang/source"
)

// Every example and every good program of the corpus parses without a problem, and
// the spelled-out grammar accepts it too.
func TestGoodPrograms(t *testing.T) {
	g, err := wholeGrammar()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range programs(t, "../examples", "testdata/good") {
		f := readFile(t, file)
		_, problems := Parse(f, Options{Includes: besides(file)})
		for _, p := range problems.Sorted() {
			t.Errorf("%v: %s [%s]", p.Span, p.Message, p.Code)
		}
		if strings.Contains(f.Text, "#include") || problems.Len() > 0 {
			continue // the plain lexer does not follow includes
		}
		if _, err := g.ParseString(file, f.Text); err != nil {
			t.Errorf("the grammar does not accept it: %v", err)
		}
	}
}

// programs lists the programs under the roots, without bad programs and parts to include.
func programs(t testing.TB, roots ...string) []string {
	var files []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "bad" || d.Name() == "include") {
				return filepath.SkipDir
			}
			if ext := filepath.Ext(path); ext == ".ppl" || ext == ".stan" {
				files = append(files, path)
			}
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return files
}

// besides finds included files in the folder of the program.
func besides(file string) func(string) (*source.File, error) {
	return func(name string) (*source.File, error) {
		path := filepath.Join(filepath.Dir(file), name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return source.NewFile(name, string(text)), nil
	}
}

// A program of a thousand lines.
func BenchmarkParse(b *testing.B) {
	text, err := os.ReadFile("testdata/good/statements.ppl")
	if err != nil {
		b.Fatal(err)
	}
	body := strings.TrimSuffix(strings.SplitN(string(text), "model {", 2)[1], "}\n")
	f := source.NewFile("bench", "model {"+strings.Repeat(body, 1000/strings.Count(body, "\n"))+"}\n")
	b.SetBytes(int64(len(f.Text)))
	for b.Loop() {
		Parse(f, Options{})
	}
}

// What one call costs whatever the text: the skeleton's grammar is built anew.
func BenchmarkEmpty(b *testing.B) {
	f := source.NewFile("bench", "model {}")
	for b.Loop() {
		Parse(f, Options{})
	}
}

// A block holds as many statements as there are, beyond what participle repeats.
func TestManyStatements(t *testing.T) {
	many := participle.MaxIterations + 2
	_, problems := Parse(&source.File{Name: "many.stan", Text: "model {" + strings.Repeat(";", many) + "}"}, Options{})
	for _, p := range problems.Sorted() {
		t.Errorf("%v: %s [%s]", p.Span, p.Message, p.Code)
	}
}
