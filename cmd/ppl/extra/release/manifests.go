package main

// This file writes what package managers read about a release, and the list of what is inside.

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A module is one that is linked into the command.
type module struct{ path, version, sum string }

// linked reads the modules that are linked into the command.
func (r *release) linked(path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	for _, d := range info.Deps {
		r.modules = append(r.modules, module{d.Path, d.Version, d.Sum})
	}
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
	for _, write := range []func() error{r.bill, r.launcher} {
		if err := write(); err != nil {
			return err
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(chosen, func(s system) bool { return s.String() == name })
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

// homebrew is a formula. Homebrew takes the version from the addresses.
func (r *release) homebrew() error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "class Ppl < Formula\n  desc %q\n  homepage %q\n  license %q\n\n", summary, homepage, licence)
	for _, on := range [][2]string{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&b, "  on_%s do\n", on[0])
		for i, cpu := range [][2]string{{"arm", "arm64"}, {"intel", "amd64"}} {
			name := fmt.Sprintf("ppl-%s-%s-%s.tar.gz", r.version, on[1], cpu[1])
			if i > 0 {
				fmt.Fprintln(&b)
			}
			fmt.Fprintf(&b, "    on_%s do\n      url %q\n      sha256 %q\n    end\n", cpu[0], r.at(name), r.sums[name])
		}
		fmt.Fprint(&b, "  end\n\n")
	}
	b.WriteString(formulaEnd)
	return r.write("homebrew/ppl.rb", b.Bytes())
}

// formulaEnd is what a formula has whatever it installs.
const formulaEnd = `  def install
    bin.install "ppl"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/ppl.bash" => "ppl"
    zsh_completion.install "completions/_ppl"
    fish_completion.install "completions/ppl.fish"
  end

  test do
    system bin/"ppl", "version"
  end
end
`

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
