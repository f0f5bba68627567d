//go:build unix

// This file writes the page.

package main

import (
	"fmt"
	"slices"
	"strings"
)

func page(kills map[cell]*count, mutations, hostile map[string]*outcome, wrong []string) string {
	var b strings.Builder
	b.WriteString("# What is kept when something goes wrong\n\nWritten by `go run ./cmd/ppl/extra/faults`, which kills runs at random moments, damages the files of fits, and\nfeeds ppl hostile files. The counts are those of the run that wrote this page.\n\n")
	killTable(&b, kills)
	b.WriteString("\n## Damaged fits\n\nA file of a fit, checkpoint and list included, has a bit flipped, is cut, edited, filled with zeros, deleted, exchanged\nwith another file or taken from another fit; then one command reads the fit. *Refused*: an error that names the file.\n*Said*: a warning. *Not touched*: the file is not one that the command reads, and its output is that of the intact fit.\n*Silent*: other output, and no word.\n\n")
	b.WriteString("| command | cases | refused | said | not touched | silent |\n| --- | --: | --: | --: | --: | --: |\n")
	total := outcome{}
	for _, r := range readers {
		if o := mutations[r.name]; o != nil {
			fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d |\n", r.name, o.cases, o.refused, o.said, o.unchanged, o.silent)
			total.cases, total.refused, total.said = total.cases+o.cases, total.refused+o.refused, total.said+o.said
			total.unchanged, total.silent = total.unchanged+o.unchanged, total.silent+o.silent
		}
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d | %d |\n", total.cases, total.refused, total.said, total.unchanged, total.silent)
	b.WriteString("\n## Hostile files\n\nNoise, deep nesting, cut and altered files, numbers out of range, endless lines, zeros and terminal escapes in the\nplace of a file. None may end in an internal error or not at all.\n\n| file | cases | refused | read |\n| --- | --: | --: | --: |\n")
	for _, m := range mouths {
		if o := hostile[m.file]; o != nil {
			fmt.Fprintf(&b, "| `%s` | %d | %d | %d |\n", strings.TrimPrefix(m.file, "h/"), o.cases, o.refused, o.unchanged)
		}
	}
	fmt.Fprintf(&b, "\n%d cases were not as they must be.\n", len(wrong))
	for _, w := range wrong {
		fmt.Fprintf(&b, "\n* %s\n", strings.ReplaceAll(w, "\n", " "))
	}
	return b.String()
}

// killTable has a row for each method, moment and signal.
func killTable(b *strings.Builder, kills map[cell]*count) {
	b.WriteString("## Killed runs\n\nA run is sent a signal at a random moment of its length, in an empty folder or one with a complete fit. *Old fit stays*:\nof those that were to replace a fit and did not end before the signal. *Resumed alike*: with `--resume` (or started again,\nwhere nothing had been kept) all files are byte for byte those of a run that was left alone.\n\n")
	b.WriteString("| method | moment | signal | folder | killed | ended before | old fit stays | can be read | resumed alike |\n| --- | --- | --- | --- | --: | --: | --: | --: | --: |\n")
	var cells []cell
	for c := range kills {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(x, y cell) int {
		return strings.Compare(x.method+x.moment+x.signal+x.place, y.method+y.moment+y.signal+y.place)
	})
	var all count
	for _, c := range cells {
		n := kills[c]
		stays := "–"
		if c.place != "empty" {
			stays = fmt.Sprint(n.oldStays)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %d | %s | %d | %d |\n", c.method, c.moment, c.signal, c.place, n.kills, n.ended, stays, n.readable, n.resumed)
		all.kills, all.ended, all.oldStays = all.kills+n.kills, all.ended+n.ended, all.oldStays+n.oldStays
		all.readable, all.resumed = all.readable+n.readable, all.resumed+n.resumed
	}
	fmt.Fprintf(b, "| all | | | | %d | %d | %d | %d | %d |\n", all.kills, all.ended, all.oldStays, all.readable, all.resumed)
}
