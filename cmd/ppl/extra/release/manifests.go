package main

// This file writes what package managers read about a release, licences, and the list of what is inside.

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A module is one that is linked into the command.
type module struct{ path, version, sum string }

var (
	declared    = regexp.MustCompile(`(?m)^const version = "(.*)"$`)
	licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)(\..*|-.*)?$`)
)

// inspect reads the version and, from a binary, modules and their licences.
func (r *release) inspect(binary string) error {
	source, err := os.ReadFile("cmd/ppl/version.go")
	if err != nil {
		return err
	}
	found := declared.FindSubmatch(source)
	if found == nil {
		return errors.New("cmd/ppl/version.go has no version")
	}
	r.version = string(found[1])
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	cache, err := output(nil, "go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	goroot, err := output(nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	var all bytes.Buffer
	fmt.Fprintln(&all, "ppl contains the following software of others.")
	add := func(name, dir string) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		texts := 0
		for _, e := range entries {
			if e.IsDir() || !licenceName.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return err
			}
			fmt.Fprintf(&all, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 78), name, e.Name(), bytes.TrimSpace(text))
			texts++
		}
		if texts == 0 {
			return fmt.Errorf("%s has no licence", name)
		}
		return nil
	}
	if err := add("Go's standard library", goroot); err != nil {
		return err
	}
	for _, d := range info.Deps {
		r.modules = append(r.modules, module{d.Path, d.Version, d.Sum})
		if err := add(d.Path+" "+d.Version, filepath.Join(cache, escaped(d.Path)+"@"+d.Version)); err != nil {
			return err
		}
	}
	r.licences = all.Bytes()
	return nil
}

// escaped is a module's path as the cache has it: capitals as "!" and the small letter.
func escaped(path string) string {
	var b strings.Builder
	for _, c := range path {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('!')
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

// manifests writes the files that are not of one system.
func (r *release) manifests(chosen []system) error {
	if err := r.write("THIRD-PARTY-LICENCES", r.licences); err != nil {
		return err
	}
	if err := r.bill(); err != nil {
		return err
	}
	has := func(name string) bool {
		return slices.ContainsFunc(chosen, func(s system) bool { return s.String() == name })
	}
	dockerfile := "FROM scratch\nCOPY ppl LICENSE THIRD-PARTY-LICENCES /\nWORKDIR /work\nENTRYPOINT [\"/ppl\"]\n"
	if err := r.write("Dockerfile", []byte(dockerfile)); err != nil {
		return err
	}
	if has("linux-amd64") && has("linux-arm64") && has("darwin-amd64") && has("darwin-arm64") {
		if err := r.homebrew(); err != nil {
			return err
		}
	}
	if has("windows-amd64") && has("windows-arm64") {
		if err := r.scoop(); err != nil {
			return err
		}
		return r.winget()
	}
	return nil
}

// bill is the list of what is inside, in the form of CycloneDX 1.5.
func (r *release) bill() error {
	var parts []map[string]any
	for _, m := range r.modules {
		parts = append(parts, map[string]any{"type": "library", "name": m.path, "version": m.version, "purl": "pkg:golang/" + m.path + "@" + m.version,
			"externalReferences": []map[string]string{{"type": "distribution", "url": "https://proxy.golang.org/" + escaped(m.path) + "/@v/" + m.version + ".zip", "comment": m.sum}}})
	}
	text, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"timestamp": r.when, "component": map[string]any{"type": "application", "name": "ppl", "version": r.version, "purl": "pkg:golang/github.com/seed-12b88e03/ppl@v" + r.version}},
		"components": parts,
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.write("ppl-"+r.version+".cdx.json", append(text, '\n'))
}

// at is the address of an archive.
func (r *release) at(name string) string {
	return homepage + "/releases/download/v" + r.version + "/" + name
}

// homebrew is a formula.
func (r *release) homebrew() error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "class Ppl < Formula\n  desc %q\n  homepage %q\n  version %q\n  license %q\n", summary, homepage, r.version, licence)
	for _, on := range [][2]string{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&b, "  on_%s do\n", on[0])
		for _, cpu := range [][2]string{{"intel", "amd64"}, {"arm", "arm64"}} {
			name := fmt.Sprintf("ppl-%s-%s-%s.tar.gz", r.version, on[1], cpu[1])
			fmt.Fprintf(&b, "    on_%s do\n      url %q\n      sha256 %q\n    end\n", cpu[0], r.at(name), r.sums[name])
		}
		fmt.Fprintln(&b, "  end")
	}
	fmt.Fprint(&b, "  def install\n    bin.install \"ppl\"\n    generate_completions_from_executable(bin/\"ppl\", \"completion\")\n  end\n  test do\n    system bin/\"ppl\", \"version\"\n  end\nend\n")
	return r.write("homebrew/ppl.rb", b.Bytes())
}

// scoop is a manifest of Scoop's.
func (r *release) scoop() error {
	of := func(arch string) map[string]string {
		name := fmt.Sprintf("ppl-%s-windows-%s", r.version, arch)
		return map[string]string{"url": r.at(name + ".zip"), "hash": r.sums[name+".zip"], "extract_dir": name}
	}
	text, err := json.MarshalIndent(map[string]any{
		"version": r.version, "description": summary, "homepage": homepage, "license": licence, "bin": "ppl.exe",
		"architecture": map[string]any{"64bit": of("amd64"), "arm64": of("arm64")},
	}, "", "    ")
	if err != nil {
		return err
	}
	return r.write("scoop/ppl.json", append(text, '\n'))
}

// winget are the three manifests of the Windows package manager.
func (r *release) winget() error {
	head := fmt.Sprintf("PackageIdentifier: ppl.ppl\nPackageVersion: %s\n", r.version)
	tail := func(kind string) string { return fmt.Sprintf("ManifestType: %s\nManifestVersion: 1.6.0\n", kind) }
	installers := "InstallerType: zip\nNestedInstallerType: portable\nInstallers:\n"
	for _, arch := range [][2]string{{"x64", "amd64"}, {"arm64", "arm64"}} {
		name := fmt.Sprintf("ppl-%s-windows-%s", r.version, arch[1])
		installers += fmt.Sprintf("- Architecture: %s\n  InstallerUrl: %s\n  InstallerSha256: %s\n  NestedInstallerFiles:\n  - RelativeFilePath: %s\\ppl.exe\n    PortableCommandAlias: ppl\n",
			arch[0], r.at(name+".zip"), strings.ToUpper(r.sums[name+".zip"]), name)
	}
	for name, text := range map[string]string{
		"winget/ppl.ppl.yaml":           head + "DefaultLocale: en-US\n" + tail("version"),
		"winget/ppl.ppl.installer.yaml": head + installers + tail("installer"),
		"winget/ppl.ppl.locale.en-US.yaml": head + "PackageLocale: en-US\nPublisher: The ppl authors\nPackageName: ppl\nLicense: " + licence +
			"\nShortDescription: \"" + summary + "\"\nPackageUrl: " + homepage + "\n" + tail("defaultLocale"),
	} {
		if err := r.write(name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}
