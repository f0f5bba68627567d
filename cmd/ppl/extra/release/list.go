package main

// This file writes the sizes of a release into a page.

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Between these lines of the page stands the table.
const listBegins, listEnds = "<!-- files -->", "<!-- end of files -->"

// list puts a table of all files into a page.
func (r *release) list(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), listBegins+"\n")
	_, after, ends := strings.Cut(rest, listEnds)
	if !found || !ends {
		return fmt.Errorf("%s has no lines %s and %s", page, listBegins, listEnds)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n| file | kB |\n| --- | --: |\n", before, listBegins)
	for _, name := range slices.Sorted(maps.Keys(r.sizes)) {
		fmt.Fprintf(&b, "| `%s` | %d |\n", name, (r.sizes[name]+999)/1000)
	}
	fmt.Fprintf(&b, "%s%s", listEnds, after)
	return os.WriteFile(page, []byte(b.String()), 0o666)
}
