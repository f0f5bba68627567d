package main

// This file makes the packages of one system.

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

const (
	homepage = "https://github.com/seed-12b88e03/ppl"
	summary  = "A probabilistic programming language: Stan's, with more ways of inference"
	licence  = "BSD-3-Clause"
)

// packages makes those that there are for a system.
func (r *release) packages(s system, binary []byte) error {
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	files := []file{{s.program(), 0o755, binary}, {"LICENSE", 0o644, own}, {"README.md", 0o644, readme}, {"THIRD-PARTY-LICENCES", 0o644, r.licences}}
	for _, make := range []func(system, []file) error{r.archive, r.deb, r.python, r.npm, r.image} {
		if err := make(s, files); err != nil {
			return err
		}
	}
	return nil
}

// archive is a folder with the command, for those who put it in place themselves.
func (r *release) archive(s system, files []file) error {
	name := fmt.Sprintf("ppl-%s-%s", r.version, s)
	in := make([]file, len(files))
	for i, f := range files {
		in[i] = file{name + "/" + f.name, f.mode, f.data}
	}
	if s.os == "windows" {
		data, err := zipped(in, r.when)
		if err != nil {
			return err
		}
		return r.write(name+".zip", data)
	}
	data, err := tarGz(in, r.when)
	if err != nil {
		return err
	}
	return r.write(name+".tar.gz", data)
}

// deb is a package of Debian.
func (r *release) deb(s system, files []file) error {
	if s.debian == "" {
		return nil
	}
	size := 0
	var in []file
	for _, f := range files {
		path := "./usr/share/doc/ppl/" + f.name
		switch f.name {
		case "ppl":
			path = "./usr/bin/ppl"
		case "LICENSE":
			path = "./usr/share/doc/ppl/copyright"
		}
		in = append(in, file{path, f.mode, f.data})
		size += len(f.data)
	}
	data, err := tarGz(in, r.when)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("Package: ppl\nVersion: %s\nArchitecture: %s\nMaintainer: The ppl authors <ppl@example.org>\nInstalled-Size: %d\nSection: math\nPriority: optional\nHomepage: %s\nDescription: %s\n",
		r.version, s.debian, size/1024, homepage, summary)
	control, err := tarGz([]file{{"./control", 0o644, []byte(text)}}, r.when)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("ppl_%s_%s.deb", r.version, s.debian), ar([]file{
		{"debian-binary", 0o644, []byte("2.0\n")}, {"control.tar.gz", 0o644, control}, {"data.tar.gz", 0o644, data},
	}, r.when))
}

// python is a wheel (PEP 427) whose only content is the command, as a script.
func (r *release) python(s system, files []file) error {
	if s.wheel == "" {
		return nil
	}
	info := fmt.Sprintf("ppl_lang-%s.dist-info/", r.version)
	tags := ""
	for _, t := range strings.Split(s.wheel, ".") {
		tags += "Tag: py3-none-" + t + "\n"
	}
	in := []file{{fmt.Sprintf("ppl_lang-%s.data/scripts/%s", r.version, s.program()), 0o755, files[0].data}}
	for _, f := range files[1:] {
		in = append(in, file{info + "licenses/" + f.name, 0o644, f.data})
	}
	in = append(in,
		file{info + "METADATA", 0o644, fmt.Appendf(nil, "Metadata-Version: 2.1\nName: ppl-lang\nVersion: %s\nSummary: %s\nHome-page: %s\nLicense: %s\nRequires-Python: >=3.7\n", r.version, summary, homepage, licence)},
		file{info + "WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: ppl release\nRoot-Is-Purelib: false\n" + tags)})
	record := ""
	for _, f := range in {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	in = append(in, file{info + "RECORD", 0o644, []byte(record + info + "RECORD,,\n")})
	data, err := zipped(in, r.when)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("ppl_lang-%s-py3-none-%s.whl", r.version, s.wheel), data)
}

// npm is a package of Node's with the command.
func (r *release) npm(s system, files []file) error {
	if s.node == "" {
		return nil
	}
	on, cpu, _ := strings.Cut(s.node, "-")
	about, err := json.MarshalIndent(map[string]any{
		"name": "ppl-lang-" + s.node, "version": r.version, "description": summary, "license": licence, "homepage": homepage,
		"os": []string{on}, "cpu": []string{cpu}, "bin": map[string]string{"ppl": "bin/" + s.program()},
	}, "", "  ")
	if err != nil {
		return err
	}
	in := []file{{"package/package.json", 0o644, append(about, '\n')}, {"package/bin/" + s.program(), 0o755, files[0].data}}
	for _, f := range files[1:] {
		in = append(in, file{"package/" + f.name, 0o644, f.data})
	}
	data, err := tarGz(in, r.when)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("ppl-lang-%s-%s.tgz", s.node, r.version), data)
}

// image is a container image with nothing but the command, as docker load reads it.
func (r *release) image(s system, files []file) error {
	if s.os != "linux" {
		return nil
	}
	var in []file
	for _, f := range files {
		in = append(in, file{f.name, f.mode, f.data})
	}
	layer, err := tarred(in, r.when)
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{
		"architecture": s.arch, "os": s.os, "created": r.when,
		"config": map[string]any{"Entrypoint": []string{"/ppl"}, "WorkingDir": "/work"},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%x.json", sha256.Sum256(config))
	list, err := json.Marshal([]map[string]any{{"Config": name, "RepoTags": []string{"ppl:" + r.version}, "Layers": []string{"layer.tar"}}})
	if err != nil {
		return err
	}
	data, err := tarGz([]file{{"manifest.json", 0o644, list}, {name, 0o644, config}, {"layer.tar", 0o644, layer}}, r.when)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("ppl-%s-%s.image.tar.gz", r.version, s), data)
}
