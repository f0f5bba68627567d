package main

// This file makes the packages of Debian and Red Hat, by way of nfpm.

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// nfpmModule is the program that packs. It is run and not imported: what it needs is many times what ppl does.
const nfpmModule = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

// installNFPM installs the program into a folder, from Go's module cache or proxy.
func installNFPM(dir string) (string, error) {
	_, err := output("", []string{"GOBIN=" + dir, "GOFLAGS=", "CGO_ENABLED=0"}, "go", "install", nfpmModule)
	return filepath.Join(dir, "nfpm"), err
}

// places are where files go on Linux; zsh's differ.
var places = map[string]string{
	"ppl":                  "/usr/bin/ppl",
	"LICENSE":              "/usr/share/doc/ppl/copyright",
	"completions/ppl.bash": "/usr/share/bash-completion/completions/ppl",
	"completions/ppl.fish": "/usr/share/fish/vendor_completions.d/ppl.fish",
}

func place(name, kind string) string {
	switch at := places[name]; {
	case at != "":
		return at
	case strings.HasPrefix(name, "man/"):
		return "/usr/share/man/man1/" + filepath.Base(name) + ".gz"
	case name == "completions/_ppl" && kind == "deb":
		return "/usr/share/zsh/vendor-completions/_ppl"
	case name == "completions/_ppl":
		return "/usr/share/zsh/site-functions/_ppl"
	}
	return "/usr/share/doc/ppl/" + name
}

// linux makes a package of a kind, deb or rpm.
func (r *release) linux(s system, files []file, kind string) error {
	if !s.packaged || r.nfpm == "" {
		return nil
	}
	dir, err := os.MkdirTemp("", "nfpm")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var contents []map[string]any
	for i, f := range files {
		path := filepath.Join(dir, fmt.Sprint(i))
		if strings.HasPrefix(f.name, "man/") {
			if f.data, err = gzipped(f.data); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			return err
		}
		contents = append(contents, map[string]any{"src": path, "dst": place(f.name, kind), "file_info": map[string]any{"mode": f.mode, "mtime": r.when, "owner": "root", "group": "root"}})
	}
	config, err := json.Marshal(map[string]any{ // which is YAML, too
		"name": "ppl", "version": r.version, "arch": s.arch, "platform": s.os, "mtime": r.when, "contents": contents,
		"maintainer": maintainer, "description": summary, "homepage": homepage, "license": licence, "section": "math", "priority": "optional",
		"deb": map[string]any{"compression": "gzip"}, "rpm": map[string]any{"compression": "gzip", "buildhost": "localhost", "group": "Applications/Engineering"},
	})
	if err != nil {
		return err
	}
	path, target := filepath.Join(dir, "nfpm.yaml"), filepath.Join(dir, "package")
	if err := os.WriteFile(path, config, 0o600); err != nil {
		return err
	}
	if _, err := output(dir, []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.when.Unix())}, r.nfpm, "package", "--config", path, "--packager", kind, "--target", target); err != nil {
		return err
	}
	data, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("ppl-%s-%s.%s", r.version, s, kind), data)
}

func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
