package lang

// Included files: where they are found, which may not be read, and what is shown of them.

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// included writes files into a folder: paths with their texts.
func included(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const twice = "real twice(real x) { return 2 * x; }\n"

// model includes one file in its functions block.
func including(name string) string {
	return "functions {\n#include " + name + "\n}\nparameters { real mu; }\nmodel { mu ~ normal(twice(1), 1); }\n"
}

// TestIncludePlaces: the name is joined to each folder, as in stanc, also where it begins with a slash.
func TestIncludePlaces(t *testing.T) {
	dir := included(t, map[string]string{"model/f.stan": twice, "lib/functions/g.stan": twice, "lib/h.stan": twice, "own.txt": twice})
	lib := []string{filepath.Join(dir, "lib")}
	for _, c := range []struct {
		name    string
		folders []string
		ok      bool
	}{
		{"f.stan", nil, true},
		{`"f.stan"`, nil, true},
		{"<f.stan>", nil, true},
		{"/f.stan", nil, true},
		{"h.stan", nil, false},
		{"h.stan", lib, true},
		{"functions/g.stan", lib, true},
		{"/functions/g.stan", lib, true},
		{"//functions//g.stan", lib, true},
		{"/functions/none.stan", lib, false},
		{"../lib/h.stan", nil, true},
		{filepath.Join(dir, "lib", "h.stan"), nil, true},
		{filepath.Join(dir, "own.txt"), nil, true},
	} {
		_, err := Compile(filepath.Join(dir, "model", "m.ppl"), including(c.name), Options{Include: c.folders})
		if (err == nil) != c.ok {
			t.Errorf("#include %s with %v: %v", c.name, c.folders, err)
		}
	}
}

// TestIncludeRoot: nothing outside of the root and the folders is read, by whichever way it is named.
func TestIncludeRoot(t *testing.T) {
	dir := included(t, map[string]string{"root/model/f.stan": twice, "root/g.stan": twice, "secret.stan": twice, "lib/h.stan": twice})
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	link := func(to, from string) {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
	link(at("secret.stan"), at("root", "model", "link.stan"))
	link("../g.stan", at("root", "model", "inside.stan"))
	link(dir, at("root", "up"))
	o := Options{Include: []string{at("lib")}, IncludeRoot: at("root")}
	for name, ok := range map[string]bool{
		"f.stan": true, "../g.stan": true, "inside.stan": true, "h.stan": true, at("root", "g.stan"): true,
		"link.stan": false, "../../secret.stan": false, at("secret.stan"): false, "../up/secret.stan": false, "../../lib/../secret.stan": false,
		"../../root/g.stan": true, "../../lib/h.stan": true,
	} {
		_, err := Compile(at("root", "model", "m.ppl"), including(name), o)
		if (err == nil) != ok {
			t.Errorf("#include %s: %v", name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "lies outside of the folder") {
			t.Errorf("#include %s: %v", name, err)
		}
	}
}

// TestIncludeBounds: files that are none, too many and too large ones end at once.
func TestIncludeBounds(t *testing.T) {
	files := map[string]string{"large.stan": strings.Repeat("// one line of a comment that is long\n", 500000)}
	for i := range 30 {
		next := fmt.Sprintf("#include level%d.stan\n", i+1)
		files[fmt.Sprintf("level%d.stan", i)] = next + next
	}
	files["level30.stan"] = "\n"
	dir := included(t, files)
	for name, want := range map[string]string{
		"level0.stan": "more than 1000 files are included",
		"large.stan":  "larger than the 16 MB",
		".":           "no regular file",
	} {
		_, err := Compile(filepath.Join(dir, "m.ppl"), including(name), Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("#include %s: %v, want %q", name, err, want)
		}
	}
	if runtime.GOOS == "linux" {
		for _, o := range []Options{{}, {IncludeRoot: "/"}} {
			_, err := Compile(filepath.Join(dir, "m.ppl"), including("/dev/zero"), o)
			if err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("#include /dev/zero: %v", err)
			}
		}
	}
	if _, err := CompileFile(filepath.Join(dir, "large.stan"), Options{}); err == nil || !strings.Contains(err.Error(), "16 MB") {
		t.Errorf("a large model: %v", err)
	}
}

// TestPrivateInclude: of a file elsewhere that is not called like a program no word is shown.
func TestPrivateInclude(t *testing.T) {
	const secret = "root:$6$hunter2:19000:0:99999:7:::\nreal hunter2 = hunter2;\n"
	dir := included(t, map[string]string{"etc/shadow": secret, "etc/key.stan": secret, "model/near.txt": secret, "lib/far": secret, "key2.txt": secret})
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	if err := os.Symlink("../etc/shadow", at("model", "innocent.stan")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(at("model", "nest.stan"), []byte("#include ../etc/shadow\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, hidden := range map[string]bool{
		at("etc", "shadow"): true, "../etc/shadow": true, "innocent.stan": true, "nest.stan": true, "../key2.txt": true,
		"near.txt": false, "../etc/key.stan": false, "far": false,
	} {
		p, err := Compile(at("model", "m.ppl"), including(name), Options{Include: []string{at("lib")}})
		if err == nil {
			t.Fatalf("#include %s has no error", name)
		}
		text := ErrorText(err)
		if strings.Contains(text, "hunter2") == hidden {
			t.Errorf("#include %s:\n%s", name, text)
		}
		if hidden && (p.Problems().Len() != 1 || !strings.Contains(text, "is no program text")) {
			t.Errorf("#include %s:\n%s", name, text)
		}
	}
}

// TestLineEnds: text whose lines end with carriage returns alone would be one line, and a comment
// at its beginning would take all of it.
func TestLineEnds(t *testing.T) {
	text := "// a model\nparameters { real mu; }\nmodel { mu ~ normal(0, 1); }\n"
	for end, ok := range map[string]bool{"\n": true, "\r\n": true, "\r": false} {
		for _, mark := range []string{"", "\ufeff"} {
			_, err := Compile("m.ppl", mark+strings.ReplaceAll(text, "\n", end), Options{})
			if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "carriage returns alone") {
				t.Errorf("lines that end with %q: %v", end, err)
			}
		}
	}
	if _, err := Compile("m.ppl", "parameters { real mu; } model { mu ~ normal(0, 1); }\r", Options{}); err != nil {
		t.Error(err)
	}
}
