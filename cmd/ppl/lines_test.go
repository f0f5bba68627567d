package main

// This file holds the tables of sizes in ARCHITECTURE.md to the tree.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An extent is how large a package is, without tests.
type extent struct{ files, lines, code, comments, methods, exported int }

func (s *extent) add(o extent) {
	s.files, s.lines, s.code, s.comments = s.files+o.files, s.lines+o.lines, s.code+o.code, s.comments+o.comments
	s.methods, s.exported = s.methods+o.methods, s.exported+o.exported
}

// TestLines compares sizes with what ARCHITECTURE.md says of them, which -update writes anew: rows below a head with "code" are
// of folders with all below them that no other row has, others of single packages. A number may be off by a tenth: work in
// progress need not write the page.
func TestLines(t *testing.T) {
	const page = "../../ARCHITECTURE.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	sizes := sizesOf(t, "../..")
	before, rest, _ := strings.Cut(string(text), "\n## How large\n")
	section, after, ok := strings.Cut(rest, "\n## ")
	if !ok {
		t.Fatal("ARCHITECTURE.md: no section \"How large\"")
	}
	lines := strings.Split(section, "\n")
	owners := map[string]int{}
	var head []string
	heads := map[int][]string{}
	for i, line := range lines {
		switch cells := strings.Split(line, " | "); {
		case strings.HasPrefix(line, "| package"), strings.HasPrefix(line, "| folder"):
			head = cells
		case !strings.HasPrefix(line, "|"):
			head = nil
		case head != nil && !strings.HasPrefix(line, "| ---"):
			heads[i] = head
			if strings.HasPrefix(head[0], "| folder") {
				for _, m := range folderName.FindAllStringSubmatch(cells[0], -1) {
					owners[m[1]] = i
				}
			}
		}
	}
	of := map[int]*extent{}
	for dir, s := range sizes {
		row, ok := owner(owners, dir)
		if !ok {
			t.Errorf("ARCHITECTURE.md: no row of \"Lines\" has %s", dir)
			continue
		}
		if of[row] == nil {
			of[row] = &extent{}
		}
		of[row].add(s)
	}
	for i, head := range heads {
		s := of[i]
		switch name := folderName.FindStringSubmatch(lines[i]); {
		case name == nil: // all
			s = &extent{}
			for _, one := range sizes {
				s.add(one)
			}
		case strings.HasPrefix(head[0], "| package"):
			one, ok := sizes[name[1]]
			if s = &one; !ok {
				t.Errorf("ARCHITECTURE.md: there is no package %s", name[1])
			}
		case s == nil:
			t.Fatalf("ARCHITECTURE.md: %s has no Go", name[1])
		}
		lines[i] = compareSizes(t, lines[i], head, *s)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+"\n## How large\n"+strings.Join(lines, "\n")+"\n## "+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// folderName is a folder in a row's first cell.
var folderName = regexp.MustCompile("`([a-z0-9_/]+)`")

// owner is the row of a folder, or of the nearest one above it that has a row.
func owner(rows map[string]int, dir string) (row int, ok bool) {
	for ; dir != ""; dir = parent(dir) {
		if row, ok = rows[dir]; ok {
			break
		}
	}
	return row, ok
}

// compareSizes compares a row with a size, and returns it with the numbers of that.
func compareSizes(t *testing.T, line string, head []string, s extent) string {
	t.Helper()
	cells := strings.Split(line, " | ")
	for k, now := range map[string]int{"files": s.files, "lines": s.lines, "code": s.code, "comments": s.comments, "methods": s.methods, "exported": s.exported} {
		for c, name := range head {
			if strings.Trim(name, "| ") != k {
				continue
			}
			was, err := strconv.Atoi(strings.ReplaceAll(strings.Trim(cells[c], "| "), ",", ""))
			if d := max(was-now, now-was); !*update && (err != nil || d > max(10, now/10)) {
				t.Errorf("ARCHITECTURE.md: %s: %d %s, %d now (go test ./cmd/ppl -run Lines -update writes it)", cells[0], was, k, now)
			}
			cells[c] = grouped(now)
			if c == len(head)-1 {
				cells[c] += " |"
			}
		}
	}
	return strings.Join(cells, " | ")
}

// grouped is a number with commas.
func grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// sizesOf measures the packages below a folder.
func sizesOf(t *testing.T, root string) map[string]extent {
	t.Helper()
	out := map[string]extent{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s := extent{files: 1, lines: strings.Count(string(text), "\n")}
		for line := range strings.Lines(string(text)) {
			switch line = strings.TrimSpace(line); {
			case strings.HasPrefix(line, "//"):
				s.comments++
			case strings.Trim(line, ")]},") != "":
				s.code++
			}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					s.methods++
				} else if d.Name.IsExported() {
					s.exported++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if named, ok := spec.(*ast.TypeSpec); ok && named.Name.IsExported() {
						s.exported++
					}
				}
			}
		}
		all := out[filepath.ToSlash(rel)]
		all.add(s)
		out[filepath.ToSlash(rel)] = all
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
