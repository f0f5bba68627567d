package cmdstan

// This file names the files of a run and reads those that arguments name.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/ir/data"
)

// splitSuffix divides a file's name before its last dot.
func splitSuffix(path string) (base, suffix string) {
	suffix = filepath.Ext(path)
	return strings.TrimSuffix(path, suffix), suffix
}

// outputNames are the files of n chains that are numbered from id: base, tag, number where
// there are several, and suffix.
func outputNames(path, tag, suffix string, n, id int) []string {
	base, given := splitSuffix(path)
	if given != "" && tag == "" {
		suffix = given
	}
	names := make([]string, n)
	for i := range names {
		names[i] = base + tag
		if n > 1 {
			names[i] += "_" + strconv.Itoa(id+i)
		}
		names[i] += suffix
	}
	return names
}

// inputNames are the files that n chains read: those of a list divided by commas, or those
// numbered from id if they are there, else the named one for all.
func inputNames(path string, n, id int) ([]string, error) {
	if list := strings.Split(path, ","); len(list) > 1 && !exists(path) {
		if len(list) != n {
			return nil, says("Found %d files in \"%s\", expected one file for all, or one for each of %d.", len(list), path, n)
		}
		return list, nil
	}
	if n > 1 {
		base, suffix := splitSuffix(path)
		numbered := make([]string, n)
		for i := range numbered {
			numbered[i] = fmt.Sprintf("%s_%d%s", base, id+i, suffix)
		}
		if exists(numbered[0]) {
			for _, name := range numbered[1:] {
				if !exists(name) {
					return nil, says("Found \"%s\" but cannot open \"%s\"", numbered[0], name)
				}
			}
			return numbered, nil
		}
	}
	names := make([]string, n)
	for i := range names {
		names[i] = path
	}
	return names, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readVariables reads a file of variables: JSON, or the format of R's dump.
func readVariables(path string, want func(string) bool) (*data.Set, error) {
	if filepath.Ext(path) == ".json" {
		s, err := data.ReadFile(path, want)
		return s, cannotOpen(path, err)
	}
	f, err := disk.Open(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	defer f.Close() //nolint:errcheck // it was read only
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	asJSON, err := dumpToJSON(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data.ReadBytes(asJSON, path, want)
}

// cannotOpen words a failure to open a file as CmdStan does.
func cannotOpen(path string, err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return says("Can't open specified file, \"%s\"", path)
	}
	return err
}
