package main

// This file holds that ppl is a program on systems other than this one: each is type-checked, with
// the files that are its own. Two of them
// are linked as well, by .ci/run.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// systems are those that releases are made for (extra/release), without those for which .ci/run builds ppl.
var systems = []string{
	"linux/riscv64", "linux/s390x", "darwin/amd64", "windows/arm64", "freebsd/amd64",
}

// TestTypesOnEverySystem finds what does not compile elsewhere: functions and constants that a system lacks,
// files that exclude each other, integers that do not fit. A signal that Windows lacks shows that it does.
func TestTypesOnEverySystem(t *testing.T) {
	if os.Getenv("PPL_CROSS") == "" {
		t.Skip("OTHER SYSTEMS ARE NOT LOOKED AT: this checks ppl with all that it imports six times; .ci/run does it, or PPL_CROSS=1")
	}
	s := sourceTrees{fset: token.NewFileSet(), files: map[string]*ast.File{}}
	for _, system := range systems {
		if err := s.check(system, ""); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
	if err := s.check("windows/amd64", "package main; import \"syscall\"; var _ = syscall.SIGUSR1"); err == nil {
		t.Error("windows/amd64: a signal that Windows lacks is not found")
	}
}

// A sourcePackage is a package as go list prints it.
type sourcePackage struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string
	Standard        bool
}

// checked are packages by path. It is an importer of packages that are in it.
type checked map[string]*types.Package

func (c checked) Import(path string) (*types.Package, error) {
	if p := c[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s was not checked before", path)
}

// sourceTrees are files that were read.
type sourceTrees struct {
	fset  *token.FileSet
	files map[string]*ast.File
}

// check type-checks ppl, with one more file where text is not empty, and all that it imports on a system.
func (s *sourceTrees) check(system, text string) error {
	goos, goarch, _ := strings.Cut(system, "/")
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap,Standard", ".")
	list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		return err
	}
	done := checked{"unsafe": types.Unsafe}
	for packages := json.NewDecoder(bytes.NewReader(out)); packages.More(); {
		var p sourcePackage
		if err := packages.Decode(&p); err != nil {
			return err
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		files, err := s.parse(&p)
		if err != nil {
			return err
		}
		if text != "" && strings.HasSuffix(p.ImportPath, "/cmd/ppl") {
			f, err := parser.ParseFile(s.fset, "added.go", text, 0)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		// The standard library is known to compile: its declarations are enough.
		conf := types.Config{Importer: mapped{done, p.ImportMap}, IgnoreFuncBodies: p.Standard, Sizes: types.SizesFor("gc", goarch)}
		if done[p.ImportPath], err = conf.Check(p.ImportPath, s.fset, files, nil); err != nil {
			return err
		}
	}
	return nil
}

// parse reads the files of a package that were not read before.
func (s *sourceTrees) parse(p *sourcePackage) ([]*ast.File, error) {
	var out []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		if s.files[path] == nil {
			f, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			s.files[path] = f
		}
		out = append(out, s.files[path])
	}
	return out, nil
}

// mapped is an importer for a package to which some packages have other names: copies in the standard library.
type mapped struct {
	checked
	names map[string]string
}

func (m mapped) Import(path string) (*types.Package, error) {
	if name := m.names[path]; name != "" {
		path = name
	}
	return m.checked.Import(path)
}
