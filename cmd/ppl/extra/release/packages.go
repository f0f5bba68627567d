package main

// This file makes the packages of one system.

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
)

const (
	homepage = "https://github.com/seed-12b88e03/ppl"
	summary  = "Probabilistic programming language: Stan's, with more ways of inference"
	licence  = "BSD-3-Clause"

	maintainer = "The ppl authors <ppl@users.noreply.github.com>"
)

// packages makes those that there are for a system.
func (r *release) packages(s system, path string) error {
	binary, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := append([]file{{s.program(), 0o755, binary}}, r.common...)
	deb := func(s system, files []file) error { return r.linux(s, files, "deb") }
	rpm := func(s system, files []file) error { return r.linux(s, files, "rpm") }
	for _, pack := range []func(system, []file) error{r.archive, deb, rpm, r.python, r.npm, r.image} {
		if err := pack(s, files); err != nil {
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
	readme := ""
	for _, f := range files[1:] {
		switch f.name {
		case "LICENSE", "THIRD-PARTY-LICENCES":
			in = append(in, file{info + "licenses/" + f.name, 0o644, f.data})
		case "README.md":
			readme = string(f.data)
		}
	}
	in = append(in,
		file{info + "METADATA", 0o644, fmt.Appendf(nil, "Metadata-Version: 2.1\nName: ppl-lang\nVersion: %s\nSummary: %s\nHome-page: %s\nLicense: %s\nRequires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n%s", r.version, summary, homepage, licence, readme)},
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

// npm is a package of Node's with the command, which the package ppl-lang (see launcher) takes for its system.
func (r *release) npm(s system, files []file) error {
	if s.node == "" {
		return nil
	}
	on, cpu, _ := strings.Cut(s.node, "-")
	in := []file{{"bin/" + s.program(), 0o755, files[0].data}}
	for _, f := range files[1:] {
		if f.name == "LICENSE" || f.name == "THIRD-PARTY-LICENCES" {
			in = append(in, f)
		}
	}
	return r.nodePackage("ppl-lang-"+s.node, map[string]any{"os": []string{on}, "cpu": []string{cpu}}, in)
}

// launcher is the package that npm installs: it names those of all systems, of which npm takes the one that fits,
// and starts its command.
func (r *release) launcher() error {
	parts := map[string]string{}
	for _, s := range systems {
		if s.node != "" {
			parts["ppl-lang-"+s.node] = r.version
		}
	}
	in := []file{{"ppl.js", 0o755, []byte(startPPL)}}
	for _, f := range r.common {
		if f.name == "LICENSE" || f.name == "README.md" {
			in = append(in, f)
		}
	}
	return r.nodePackage("ppl-lang", map[string]any{"optionalDependencies": parts, "bin": map[string]string{"ppl": "ppl.js"}}, in)
}

const startPPL = `#!/usr/bin/env node
// Starts the command of the package for this system.
const { spawnSync } = require("node:child_process");
const name = ` + "`ppl-lang-${process.platform}-${process.arch}/bin/ppl${process.platform === \"win32\" ? \".exe\" : \"\"}`" + `;
let path;
try {
  path = require.resolve(name);
} catch {
  console.error("ppl: there is no package of ppl for " + process.platform + " on " + process.arch + ", or npm left it out (--omit=optional)");
  process.exit(1);
}
process.on("SIGINT", () => {}); // it is the command's
const ended = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) throw ended.error;
if (ended.signal) process.kill(process.pid, ended.signal);
process.exit(ended.status);
`

// nodePackage writes a package of Node's with what its description has beside the common fields.
func (r *release) nodePackage(name string, about map[string]any, files []file) error {
	maps.Copy(about, map[string]any{"name": name, "version": r.version, "description": summary, "license": licence, "homepage": homepage})
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	in := []file{{"package/package.json", 0o644, append(text, '\n')}}
	for _, f := range files {
		in = append(in, file{"package/" + f.name, f.mode, f.data})
	}
	data, err := tarGz(in, r.when)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("%s-%s.tgz", name, r.version), data)
}

// image is a container image with nothing but the command, as a layout of the Open Container Initiative
// (image-spec v1.0, image-layout.md) with the list that docker load reads.
func (r *release) image(s system, files []file) error {
	if s.os != "linux" {
		return nil
	}
	var in []file
	for _, f := range files {
		if f.name == "ppl" || f.name == "LICENSE" || f.name == "THIRD-PARTY-LICENCES" {
			in = append(in, f)
		}
	}
	plain, err := tarred(in, r.when)
	if err != nil {
		return err
	}
	layer, err := gzipped(plain)
	if err != nil {
		return err
	}
	var parts []file
	blob := func(kind string, data []byte) map[string]any {
		sum := fmt.Sprintf("%x", sha256.Sum256(data))
		parts = append(parts, file{"blobs/sha256/" + sum, 0o644, data})
		return map[string]any{"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + sum, "size": len(data)}
	}
	encoded := func(v any) []byte {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err) // maps of strings and numbers
		}
		return text
	}
	layers := []any{blob("layer.v1.tar+gzip", layer)}
	config := blob("config.v1+json", encoded(map[string]any{
		"architecture": s.arch, "os": s.os, "created": r.when,
		"config": map[string]any{"Entrypoint": []string{"/ppl"}, "WorkingDir": "/work",
			"Labels": map[string]string{"org.opencontainers.image.version": r.version, "org.opencontainers.image.source": homepage, "org.opencontainers.image.licenses": licence}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(plain))}},
	}))
	tag := "ppl:" + r.version
	loaded := encoded([]map[string]any{{"Config": parts[1].name, "RepoTags": []string{tag}, "Layers": []string{parts[0].name}}})
	manifest := blob("manifest.v1+json", encoded(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": layers}))
	manifest["platform"] = map[string]string{"architecture": s.arch, "os": s.os}
	manifest["annotations"] = map[string]string{"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": tag}
	parts = append(parts,
		file{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		file{"index.json", 0o644, encoded(map[string]any{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": []any{manifest}})},
		file{"manifest.json", 0o644, loaded})
	data, err := tarred(parts, r.when)
	if err != nil {
		return err
	}
	return r.write(fmt.Sprintf("ppl-%s-%s.oci.tar", r.version, s), data)
}
