//go:build unix

// This file keeps the counts of several runs in one file.

package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// counts are what the page is made from.
type counts struct {
	Kills     []cellCount         `json:"kills"`
	Mutations map[string]*outcome `json:"mutations"`
	Hostile   map[string]*outcome `json:"hostile"`
	Questions []askedCount        `json:"questions"`
	Met       []met               `json:"situations"`
	Wrong     []string            `json:"wrong"`
	Mended    []string            `json:"mended"` // what was wrong in runs of older programs, moved here by hand
}

type cellCount struct {
	Cell  cell  `json:"cell"`
	Count count `json:"count"`
}

type askedCount struct {
	Asked asked   `json:"asked"`
	Count stopped `json:"count"`
}

// addStopped joins the counts of questions that were stopped with those before.
func (c *counts) addStopped(of map[asked]*stopped) {
	for at, n := range of {
		k := slices.IndexFunc(c.Questions, func(a askedCount) bool { return a.Asked == at })
		if k < 0 {
			k, c.Questions = len(c.Questions), append(c.Questions, askedCount{Asked: at})
		}
		m := &c.Questions[k].Count
		m.Cases, m.Ended, m.Untouched = m.Cases+n.Cases, m.Ended+n.Ended, m.Untouched+n.Untouched
		m.Slowest = max(m.Slowest, n.Slowest)
	}
}

// readCounts reads the counts of earlier runs; without a file there are none.
func readCounts(path string) (*counts, error) {
	c := &counts{Mutations: map[string]*outcome{}, Hostile: map[string]*outcome{}}
	if path == "" {
		return c, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	return c, json.Unmarshal(text, c)
}

func (c *counts) write(path string) error {
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil || path == "" {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o666)
}

// add joins the counts of a run with those before.
func (c *counts) add(kills map[cell]*count, mutations, hostile map[string]*outcome, wrong []string) {
	for at, n := range kills {
		k := 0
		for k < len(c.Kills) && c.Kills[k].Cell != at {
			k++
		}
		if k == len(c.Kills) {
			c.Kills = append(c.Kills, cellCount{Cell: at})
		}
		m := &c.Kills[k].Count
		m.Kills, m.Ended, m.OldStays = m.Kills+n.Kills, m.Ended+n.Ended, m.OldStays+n.OldStays
		m.Readable, m.Resumed = m.Readable+n.Readable, m.Resumed+n.Resumed
	}
	join := func(to, from map[string]*outcome) {
		for name, n := range from {
			if to[name] == nil {
				to[name] = &outcome{}
			}
			m := to[name]
			m.Cases, m.Refused, m.Said = m.Cases+n.Cases, m.Refused+n.Refused, m.Said+n.Said
			m.Unchanged, m.Silent = m.Unchanged+n.Unchanged, m.Silent+n.Silent
		}
	}
	join(c.Mutations, mutations)
	join(c.Hostile, hostile)
	c.Wrong = append(c.Wrong, wrong...)
}
