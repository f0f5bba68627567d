package cmdstan

// This file lays out the folder that poses as an installation.

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed layout
var layout embed.FS

// tools are the programs in bin/.
var tools = []string{"stanc", "stansummary", "print", "diagnose"}

// Layout makes a folder that CmdStanPy and CmdStanR take for an installation of CmdStan, and
// returns the paths of its files below it, with slashes. ppl is the program that all of it
// starts; its path becomes part of the files. makeWay is called before they are written, and
// deals with files in the way; make/local belongs to the user, and is not replaced.
func Layout(dir, ppl string, makeWay func(names ...string) error) ([]string, error) {
	ppl, err := filepath.Abs(ppl)
	if err != nil {
		return nil, err
	}
	files, err := layoutFiles(dir, ppl)
	if err != nil {
		return nil, err
	}
	names := sorted(slices.Collect(maps.Keys(files)))
	if err := makeWay(names...); err != nil {
		return nil, err
	}
	for _, name := range names {
		path, mode := filepath.Join(dir, filepath.FromSlash(name)), fs.FileMode(0o666)
		if strings.HasPrefix(name, "bin/") {
			mode = 0o777
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(files[name]), mode); err != nil {
			return nil, err
		}
		if err := os.Chmod(path, mode&^0o022); err != nil { // the mode of WriteFile counts for new files only
			return nil, err
		}
	}
	return names, nil
}

// layoutFiles are the texts of the folder's files.
func layoutFiles(dir, ppl string) (map[string]string, error) {
	values := struct{ Version, Ppl string }{fmt.Sprintf("%d.%d.%d", versionMajor, versionMinor, versionPatch), quoted(ppl)}
	files := map[string]string{}
	err := fs.WalkDir(layout, "layout", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimPrefix(path, "layout/")
		if name == "make/local" && exists(filepath.Join(dir, "make", "local")) {
			return nil
		}
		t, err := template.ParseFS(layout, path)
		if err != nil {
			return err
		}
		var text strings.Builder
		err = t.Execute(&text, values)
		files[name] = text.String()
		return err
	})
	for _, tool := range tools {
		files["bin/"+tool] = "#!/bin/sh\nexec " + quoted(ppl) + " cmdstan-tool " + tool + " \"$@\"\n"
	}
	return files, err
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
