package main

// This file keeps out names that the glossary of ARCHITECTURE.md replaced.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// formerNames are declared names of which the glossary has the field's word, by folder and all
// below it. What a word of everyday English names within a function is free.
var formerNames = map[string]string{
	"": `MostKinds hole kindHole handed laneForm widener blockWidener loopWidener scanWidener BatchDots
		AtNothing Demanding Sight bodySight scanSight MarkBelow kindGiven guardsGiven Separable
		stripPlan stripPlanner stripPhase stripStep joiner inStrips Roller DropKind EndRoll
		relyOn courseOf settledNow Company Seat crew admits ownless unasked fidelity newSupply shelf
		NaNBut sameInFull Telling Fallible FullExpansion RoundExpansion CountExpansion Restated MendBlock
		settleChecks settling onward`,
	"autodiff": `Round Rounds Selector heavy Given Give Selection found Pieces Below Pack packer classes script Look
		strips selected signs Alike With GuardsGiven`,
	"ir/eval": `rolling newRolling rely refuse aside course motion ahead mixture kinds roll rounds`,
	"ir/bind": `claim need demand alive supply sibling stretch link linkOf numberOf price team
		waiting Attend settle settled company faithful Round Rounds`,
	"infer":        `Many Related Together Stated crew Seat sit park Team seat`,
	"stdlib":       `Expansion Each sharpen`,
	"ir/graph":     `Mend`,
	"ir":           `Ahead`,
	"infer/anneal": `crews seats`,
}

func TestVocabulary(t *testing.T) {
	banned := map[string]map[string]bool{}
	for dir, names := range formerNames {
		banned[dir] = map[string]bool{}
		for _, name := range strings.Fields(names) {
			banned[dir][name] = true
		}
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, id := range declared(file) {
			for dir := filepath.ToSlash(filepath.Dir(rel)); ; dir = parent(dir) {
				if banned[dir][id.Name] {
					t.Errorf("%s: %s is a former name; the glossary of ARCHITECTURE.md has the field's", files.Position(id.Pos()), id.Name)
				}
				if dir == "" {
					break
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// formerPhrases are pairs of words of comments, messages and pages that have a plain word, over ends of lines, too.
var formerPhrases = map[string]string{
	"hang on": "depend on", "hangs on": "depends on", "hanging on": "depending on", "hang together": "depend on each other",
	"hangs together": "depends on each other", "plain evaluator": "reference interpreter", "says whether": "reports whether",
	"tells whether": "reports whether",
}

func TestVocabularyOfTexts(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == ".git" {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); ext != ".go" && ext != ".md" && ext != ".txtar" || filepath.Base(path) == "vocabulary_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		before := ""
		for i, line := range strings.Split(string(text), "\n") {
			for _, word := range strings.Fields(line) {
				if word == "//" {
					continue
				}
				word = strings.ToLower(strings.Trim(word, ".,:;()\"`"))
				if plain, ok := formerPhrases[before+" "+word]; ok && (word != "whether" || filepath.Ext(path) == ".go") {
					t.Errorf("%s:%d: %q: write %q", path, i+1, before+" "+word, plain)
				}
				before = word
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// parent is the folder above; empty above the uppermost.
func parent(dir string) string {
	if i := strings.LastIndexByte(dir, '/'); i >= 0 {
		return dir[:i]
	}
	return ""
}

// declared returns the names of a file's types, functions, methods, fields, and of its variables
// and constants outside of functions.
func declared(file *ast.File) (ids []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			ids = append(ids, d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					ids = append(ids, s.Names...)
				case *ast.TypeSpec:
					ids = append(append(ids, s.Name), members(s.Type)...)
				}
			}
		}
	}
	return ids
}

// members returns the names of a type's fields and methods.
func members(t ast.Expr) (ids []*ast.Ident) {
	ast.Inspect(t, func(n ast.Node) bool {
		if list, ok := n.(*ast.FieldList); ok {
			for _, f := range list.List {
				ids = append(ids, f.Names...)
			}
		}
		_, function := n.(*ast.FuncType)
		return !function
	})
	return ids
}
