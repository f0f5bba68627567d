package main

// This file holds the licences that ppl version --licences prints to the modules that are linked.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// licencesFile is what the command carries.
const licencesFile = "licences.txt"

// licenceName matches licences; ftl.txt is the one of freetype's two that is taken.
var licenceName = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying|notice|patents)(\..*|-.*)?$|^ftl\.txt$`)

// TestLicences: the file has the licences of Go and of every module that is linked on some system, and no others.
// go test ./cmd/ppl -run TestLicences -update writes it anew.
func TestLicences(t *testing.T) {
	modules := linkedModules(t)
	var want bytes.Buffer
	fmt.Fprintln(&want, "ppl contains the following software of others.")
	for name, m := range modules {
		if strings.HasPrefix(name, "golang.org/x/sys ") { // the same texts, of one version
			addLicences(t, &want, "Go's standard library", m.dir, m.folders[:1])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		m := modules[name]
		addLicences(t, &want, name, m.dir, m.folders)
	}
	if *update {
		if err := os.WriteFile(licencesFile, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(licencesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the linked modules carry; -update writes it anew", licencesFile)
	}
}

// A linkedModule is a module with those of its folders that may hold licences of linked packages.
type linkedModule struct {
	dir     string
	folders []string
}

// linkedModules lists what the command links on the systems of a release, by path and version.
func linkedModules(t *testing.T) map[string]*linkedModule {
	out := map[string]*linkedModule{}
	for _, target := range []string{"linux/amd64", "linux/386", "darwin/arm64", "windows/amd64", "freebsd/amd64", "js/wasm"} {
		goos, goarch, _ := strings.Cut(target, "/")
		cmd := exec.Command("go", "list", "-deps", "-json=Dir,Module", ".")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		for {
			var p struct {
				Dir    string
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if p.Module == nil || p.Module.Main {
				continue
			}
			name := p.Module.Path + " " + p.Module.Version
			if out[name] == nil {
				out[name] = &linkedModule{dir: p.Module.Dir, folders: []string{p.Module.Dir, filepath.Join(p.Module.Dir, "licenses")}}
			}
			m := out[name]
			for dir := p.Dir; !slices.Contains(m.folders, dir); dir = filepath.Dir(dir) {
				m.folders = append(m.folders, dir)
			}
		}
	}
	return out
}

// addLicences appends the texts in folders of a module, of which there must be one.
func addLicences(t *testing.T, w io.Writer, name, root string, folders []string) {
	slices.Sort(folders)
	texts := 0
	for _, dir := range folders {
		entries, _ := os.ReadDir(dir) // licenses need not be there
		for _, e := range entries {
			if e.IsDir() || !licenceName.MatchString(e.Name()) {
				continue
			}
			path := filepath.Join(dir, e.Name())
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			short, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.ReplaceAll(bytes.TrimSpace(text), []byte("\r\n"), []byte("\n"))
			fmt.Fprintf(w, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 78), name, filepath.ToSlash(short), text)
			texts++
		}
	}
	if texts == 0 {
		t.Errorf("%s has no licence in %s", name, root)
	}
}
