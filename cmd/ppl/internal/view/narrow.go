package view

// This file fits tables of summaries and of verdicts into narrow terminals.

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// spare are the columns of summaries that are left out where there is no room, the first
// first.
var spare = []string{"mcse", "50%", "ess_tail", "5%", "95%", "ess_bulk"}

// SpareOfVerdicts are those of the tables that diagnoses show.
var SpareOfVerdicts = []string{"s/chain", "slope", "gap of 99 %", "p chi2", "p ECDF", "out", "90 %", "50 %", "mean rank", "sd ratio", "95 % interval", "error"}

// Within takes spare columns out of a table, the header its first row, until it has no more than
// width columns of characters; 0 stands for any number. It says which are gone.
func Within(rows [][]string, width int, spare []string) (fitting [][]string, gone []string) {
	for _, name := range spare {
		if width == 0 || widthOf(rows) <= width {
			break
		}
		at := slices.Index(rows[0], name)
		if at < 0 {
			continue
		}
		for i, r := range rows {
			rows[i] = slices.Delete(slices.Clone(r), at, at+1)
		}
		gone = append(gone, name)
	}
	return rows, gone
}

// widthOf is the width of a table with two spaces between columns.
func widthOf(rows [][]string) int {
	total := 0
	for c := range rows[0] {
		most := 0
		for _, r := range rows {
			most = max(most, utf8.RuneCountInString(r[c]))
		}
		total += most + 2
	}
	return total - 2
}

// GoneText reports which columns a narrow terminal does not show.
func GoneText(gone []string) string {
	if len(gone) == 0 {
		return ""
	}
	return "not shown, for the terminal is too narrow: " + strings.Join(gone, ", ") + "\n"
}
