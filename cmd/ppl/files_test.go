package main

// This file holds that files are opened in few places: what a path leads to may be a device, which has no end, and
// what is written must outlast a loss of power.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// opening are functions of package os that open files.
var opening = []string{"Open", "OpenFile", "ReadFile", "Create", "CreateTemp", "WriteFile"}

// openingFiles are files that call such functions, with the reason. All others ask infer/disk.
var openingFiles = map[string]string{
	"infer/disk/disk.go": "it is the place for it",
	"infer/disk/read.go": "it is the place for it",

	"ir/data/value.go":                          "data may come by a pipe; the reader holds no more than the model asks for, and package infer/disk is above",
	"ir/data/table.go":                          "as value.go; messages read the line again",
	"ir/data/files.go":                          "the first bytes of a regular file",
	"lang/include.go":                           "regular files, or those of an os.Root; a pipe may hold the model",
	"cmd/ppl/internal/input/input.go":           "data from a pipe, read while the command can be interrupted",
	"cmd/ppl/internal/tables/parquet.go":        "the reader seeks",
	"cmd/ppl/internal/bridge/carried.go":        "a library of any size, of which the end is read",
	"cmd/ppl/internal/kernel/kernel.go":         "after its own look at what it is",
	"cmd/ppl/internal/cluster/work.go":          "a file that this process has just made, by its hash",
	"stdlib/internal/container/memory_linux.go": "files of /proc and /sys",
	"cmd/ppl/internal/system/limit_linux.go":    "a file of /proc",
	"cmd/ppl/internal/system/lock.go":           "a folder, to lock it",

	"infer/journal/journal.go":                "a file that is written on from its middle",
	"cmd/ppl/parts.go":                        "a file that is written on",
	"cmd/ppl/internal/folders/listed.go":      "what is no regular file is written through",
	"infer/draws/csvwrite.go":                 "a file that grows with the draws, synced at its end",
	"infer/draws/csvquantities.go":            "files in a folder that is put in its place whole",
	"infer/draws/temporary_unix.go":           "draws beyond memory, in a file without a name",
	"infer/draws/temporary_other.go":          "draws beyond memory",
	"cmd/ppl/internal/tools/fmt.go":           "a new file beside the model, which then takes its place",
	"cmd/ppl/attach.go":                       "files for this process in a folder of its own",
	"cmd/ppl/internal/repl/edit.go":           "a file for an editor in a folder of its own",
	"cmd/ppl/internal/repl/model.go":          "a new file beside the one that it replaces",
	"cmd/ppl/internal/zarr/zarr.go":           "a folder that is put in its place whole",
	"cmd/ppl/internal/cmdstan/csv.go":         "CmdStan's face writes where CmdStan does, in its way",
	"cmd/ppl/internal/cmdstan/job.go":         "as csv.go",
	"cmd/ppl/internal/cmdstan/layout.go":      "as csv.go",
	"cmd/ppl/internal/cmdstan/pathlog.go":     "as csv.go",
	"cmd/ppl/internal/cmdstan/profile.go":     "as csv.go",
	"cmd/ppl/internal/cmdstan/sample.go":      "as csv.go",
	"cmd/ppl/internal/cmdstan/stanc.go":       "as csv.go",
	"cmd/ppl/internal/cmdstan/stansummary.go": "as csv.go",
	"cmd/ppl/internal/cmdstan/executable.go":  "a new file beside the one that it replaces",
}

func TestFilesAreOpenedInFewPlaces(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		below = filepath.ToSlash(below)
		if d.IsDir() && fits(wholeTrees(notInPpl), below) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(opening, s.Sel.Name) {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
				if found[below] = true; openingFiles[below] == "" {
					t.Errorf("%s:%d: os.%s; use infer/disk, which refuses devices and writes what outlasts a loss of power, or give the reason in openingFiles", below, files.Position(s.Pos()).Line, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range openingFiles {
		if !found[file] {
			t.Errorf("%s opens no file: take it off openingFiles", file)
		}
	}
}
