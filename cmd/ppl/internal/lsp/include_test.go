package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestForeignInclude: a document does not make the server read files outside of the workspace.
func TestForeignInclude(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const twice = "real twice(real x) { return 2 * x; }\n"
	write("space/lib/f.stan", twice)
	write("space/models/near.stan", twice)
	write("secret.stan", "hunter2 hunter2")
	uri := func(name string) string { return "file://" + filepath.ToSlash(filepath.Join(dir, name)) }
	for _, c := range []struct {
		setup   map[string]any
		include string
		ok      bool
	}{
		{map[string]any{"rootUri": uri("space")}, "../lib/f.stan", true},
		{map[string]any{"workspaceFolders": []any{map[string]any{"uri": uri("space"), "name": "space"}}}, "../lib/f.stan", true},
		{map[string]any{"rootUri": uri("space")}, "../../secret.stan", false},
		{map[string]any{"rootUri": uri("space")}, "/dev/zero", false},
		{map[string]any{}, "near.stan", true},
		{map[string]any{}, "../lib/f.stan", false},
		{map[string]any{"initializationOptions": map[string]any{"includeRoot": dir}}, "../lib/f.stan", true},
		{map[string]any{"initializationOptions": map[string]any{"include": []string{filepath.Join(dir, "space", "lib")}}}, "f.stan", true},
	} {
		k := newClient(t)
		k.ask("initialize", c.setup)
		k.tell("initialized", map[string]any{})
		said := ""
		for _, m := range k.opened(uri("space/models/m.ppl"), "functions {\n#include "+c.include+"\n}\nparameters { real mu; }\nmodel { mu ~ normal(twice(1), 1); }\n") {
			said += string(json.RawMessage(m))
		}
		if outside := strings.Contains(said, "cannot include"); outside == c.ok || strings.Contains(said, "hunter2") {
			t.Errorf("#include %s after %v: %s", c.include, c.setup, said)
		}
	}
}
