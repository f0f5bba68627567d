package cmdstan

// This file lays out the folder that poses as an installation.

import (
	"embed"
	"fmt"
	"io/fs"
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

// Layout makes a folder that CmdStanPy and CmdStanR take for an installation of CmdStan.
// ppl is the program that all of it starts; its path becomes part of the files. Files that
// are there are replaced, but make/local, which belongs to the user, is not.
func Layout(dir, ppl string) error {
	ppl, err := filepath.Abs(ppl)
	if err != nil {
		return err
	}
	write := func(name, text string, mode fs.FileMode) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			return err
		}
		return os.Chmod(path, mode&^0o022) // the mode of WriteFile counts for new files only
	}
	values := struct{ Version, Ppl string }{fmt.Sprintf("%d.%d.%d", versionMajor, versionMinor, versionPatch), quoted(ppl)}
	err = fs.WalkDir(layout, "layout", func(path string, entry fs.DirEntry, err error) error {
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
		if err := t.Execute(&text, values); err != nil {
			return err
		}
		return write(name, text.String(), 0o666)
	})
	if err != nil {
		return err
	}
	for _, tool := range tools {
		script := "#!/bin/sh\nexec " + quoted(ppl) + " cmdstan-tool " + tool + " \"$@\"\n"
		if err := write("bin/"+tool, script, 0o777); err != nil {
			return err
		}
	}
	return nil
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
