package main

// This file counts outcomes and prints the table.

import (
	"fmt"
	"io"
	"regexp"
	"time"
)

// A tally counts outcomes by grade and verdict.
type tally map[grade]map[verdict]int

// verdicts are the severities, in the order of the columns.
var verdicts = []verdict{"good", "warning", "bad", "none"}

func (t tally) add(g grade, v verdict) {
	if t[g] == nil {
		t[g] = map[verdict]int{}
	}
	t[g][v]++
}

// answers are the outcomes of a grade that have an answer.
func (t tally) answers(g grade) int {
	n := 0
	for _, v := range verdicts {
		n += t[g][v]
	}
	return n
}

// line is what reproduces an outcome.
func (o outcome) line() string {
	return fmt.Sprintf("go run ./examples/verdicts -write DIR -from %d -n 1 -classes '^%s$' -methods '^%s$'", o.Problem.Number, o.Problem.Class, regexp.QuoteMeta(o.Method))
}

// falseGood reports whether a wrong answer is called good.
func (o outcome) falseGood() bool {
	return o.Grade == wrong && o.Verdict == verdicts[0]
}

// share is a percentage.
func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// report prints the tables and the false goods of problems of some classes.
func report(w io.Writer, of []*class, all []outcome, quiet bool) {
	table(w, "method", all, func(o outcome) string { return "`" + o.Method + "`" })
	fmt.Fprintln(w)
	table(w, "class", all, func(o outcome) string { return o.Problem.Class })
	fmt.Fprintln(w)
	easyTable(w, of, all)
	if quiet {
		return
	}
	fmt.Fprintln(w, "\nWrong answers that are called good:")
	fmt.Fprintln(w)
	for _, o := range all {
		if o.falseGood() {
			fmt.Fprintf(w, "%s # %s\n", o.line(), o.Off)
		}
	}
}

// table prints counts in rows by key, and one of all.
func table(w io.Writer, title string, all []outcome, key func(outcome) string) {
	var order []string
	rows, took := map[string]tally{}, map[string]time.Duration{}
	count := map[string]int{}
	const total = "all"
	for _, o := range all {
		k := key(o)
		if rows[k] == nil {
			rows[k] = tally{}
			order = append(order, k)
		}
		if rows[total] == nil {
			rows[total] = tally{}
		}
		for _, k := range []string{k, total} {
			rows[k].add(o.Grade, o.Verdict)
			took[k] += o.Took
			count[k]++
		}
	}
	fmt.Fprintf(w, "| %s | wrong | good | | warning | bad | none | between | good | right | good | warning | bad | none | refused | failed |\n", title)
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, k := range append(order, total) {
		t := rows[k]
		good := verdicts[0]
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", k,
			t.answers(wrong), t[wrong][good], share(t[wrong][good], t.answers(wrong)), t[wrong][verdicts[1]], t[wrong][verdicts[2]], t[wrong][verdicts[3]],
			t.answers(between), t[between][good],
			t.answers(right), t[right][good], t[right][verdicts[1]], t[right][verdicts[2]], t[right][verdicts[3]],
			t[right][refused], t[right][failed])
	}
}

// easyTable prints what is said of right answers in easy classes.
func easyTable(w io.Writer, of []*class, all []outcome) {
	easy := map[string]bool{}
	for _, c := range of {
		easy[c.name] = c.easy
	}
	var order []string
	rows := map[string]map[verdict]int{}
	for _, o := range all {
		if !easy[o.Problem.Class] || o.Grade != right || o.Verdict == refused || o.Verdict == failed {
			continue
		}
		for _, k := range []string{"`" + o.Method + "`", "all"} {
			if rows[k] == nil {
				rows[k] = map[verdict]int{}
				if k != "all" {
					order = append(order, k)
				}
			}
			rows[k][o.Verdict]++
			rows[k]["right"]++
		}
	}
	fmt.Fprintln(w, "| method | right answers in easy classes | bad | | warning | | none |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, k := range append(order, "all") {
		r := rows[k]
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d | %s | %d |\n", k, r["right"],
			r[verdicts[2]], share(r[verdicts[2]], r["right"]), r[verdicts[1]], share(r[verdicts[1]], r["right"]), r[verdicts[3]])
	}
}
