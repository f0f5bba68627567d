//go:build unix

// This file writes the page.

package main

import (
	"fmt"
	"slices"
	"strings"
)

func page(of *counts) string {
	mutations, hostile, wrong := of.Mutations, of.Hostile, of.Wrong
	var b strings.Builder
	b.WriteString("# What is kept when something goes wrong\n\nWritten by `go run ./cmd/ppl/extra/faults`, which kills runs at random moments, damages the files of fits, and\nfeeds ppl hostile files. The counts are those of the runs that this page was written from, which may be of several versions of ppl: what\nwas wrong and mended since is listed at the end.\n\n")
	killTable(&b, of.Kills)
	b.WriteString("\n## Damaged fits\n\nA file of a fit, checkpoint and list included, has a bit flipped, is cut, edited, filled with zeros, deleted, exchanged\nwith another file or taken from another fit; then one command reads the fit. *Refused*: an error that names the file.\n*Said*: a warning. *Not touched*: the file is not one that the command reads, and its output is that of the intact fit.\n*Silent*: other output, and no word.\n\n")
	b.WriteString("| command | cases | refused | said | not touched | silent |\n| --- | --: | --: | --: | --: | --: |\n")
	total := outcome{}
	for _, r := range readers {
		if o := mutations[r.name]; o != nil {
			fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d | %d |\n", r.name, o.Cases, o.Refused, o.Said, o.Unchanged, o.Silent)
			total.Cases, total.Refused, total.Said = total.Cases+o.Cases, total.Refused+o.Refused, total.Said+o.Said
			total.Unchanged, total.Silent = total.Unchanged+o.Unchanged, total.Silent+o.Silent
		}
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d | %d |\n", total.Cases, total.Refused, total.Said, total.Unchanged, total.Silent)
	stopTable(&b, of.Questions)
	b.WriteString("\n## Hostile files\n\nNoise, deep nesting, cut and altered files, numbers out of range, endless lines, zeros and terminal escapes in the\nplace of a file. None may end in an internal error or not at all.\n\n| file | cases | refused | read |\n| --- | --: | --: | --: |\n")
	for _, m := range mouths {
		if o := hostile[m.name()]; o != nil {
			fmt.Fprintf(&b, "| `%s` | %d | %d | %d |\n", m.name(), o.Cases, o.Refused, o.Unchanged)
		}
	}
	situationTable(&b, of.Met)
	fmt.Fprintf(&b, "\n%d cases were not as they must be.\n", len(wrong))
	for _, w := range wrong {
		fmt.Fprintf(&b, "\n* %s\n", strings.ReplaceAll(w, "\n", " "))
	}
	if len(of.Mended) > 0 {
		fmt.Fprintf(&b, "\n%d others were found on the way, and are mended:\n\n* %s\n", len(of.Mended), strings.Join(of.Mended, "\n\n* "))
	}
	return b.String()
}

// stopTable has a row for each command that asks a fit something, and signal.
func stopTable(b *strings.Builder, of []askedCount) {
	b.WriteString("\n## Stopped questions\n\nA command that reads a fit and takes its time is sent a signal at a random moment. *Slowest*: the longest time from the signal\nto the end, beside other work. *Untouched*: every file of the fit is byte for byte as it was.\n\n")
	b.WriteString("| command | signal | stopped | ended before | slowest, s | untouched |\n| --- | --- | --: | --: | --: | --: |\n")
	slices.SortFunc(of, func(p, q askedCount) int {
		return strings.Compare(p.Asked.Command+p.Asked.Signal, q.Asked.Command+q.Asked.Signal)
	})
	for _, a := range of {
		fmt.Fprintf(b, "| `%s` | %s | %d | %d | %.1f | %d |\n", a.Asked.Command, a.Asked.Signal, a.Count.Cases, a.Count.Ended, a.Count.Slowest.Seconds(), a.Count.Untouched)
	}
}

// killTable has a row for each method, moment and signal.
func killTable(b *strings.Builder, kills []cellCount) {
	b.WriteString("## Killed runs\n\nA run is sent a signal at a random moment of its length, in an empty folder or one with a complete fit. *Old fit stays*:\nof those that were to replace a fit and did not end before the signal. *Resumed alike*: with `--resume` (or started again,\nwhere nothing had been kept) all files are byte for byte those of a run that was left alone.\n\n")
	b.WriteString("| method | moment | signal | folder | killed | ended before | old fit stays | can be read | resumed alike |\n| --- | --- | --- | --- | --: | --: | --: | --: | --: |\n")
	slices.SortFunc(kills, func(p, q cellCount) int {
		x, y := p.Cell, q.Cell
		return strings.Compare(x.Method+x.Moment+x.Signal+x.Place, y.Method+y.Moment+y.Signal+y.Place)
	})
	var all count
	for _, k := range kills {
		c, n := k.Cell, k.Count
		stays := "–"
		if c.Place != "empty" {
			stays = fmt.Sprint(n.OldStays)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %d | %s | %d | %d |\n", c.Method, c.Moment, c.Signal, c.Place, n.Kills, n.Ended, stays, n.Readable, n.Resumed)
		all.Kills, all.Ended, all.OldStays = all.Kills+n.Kills, all.Ended+n.Ended, all.OldStays+n.OldStays
		all.Readable, all.Resumed = all.Readable+n.Readable, all.Resumed+n.Resumed
	}
	fmt.Fprintf(b, "| all | | | | %d | %d | %d | %d | %d |\n", all.Kills, all.Ended, all.OldStays, all.Readable, all.Resumed)
}
