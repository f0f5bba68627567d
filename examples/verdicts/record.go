package main

// This file keeps outcomes in files, so that a run that ends early counts, and several runs
// make one table.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A recorded outcome is one line of a file.
type recorded struct {
	Class   string  `json:"class"`
	Number  uint64  `json:"number"`
	Method  string  `json:"method"`
	Grade   grade   `json:"grade"`
	Verdict verdict `json:"verdict"`
	Off     string  `json:"off,omitempty"`
	Because string  `json:"because,omitempty"`
	Seconds float64 `json:"seconds"`
	// Population is what the search for other answers found; nil where there was none.
	Population *draws.PopulationRun `json:"population,omitempty"`
}

func (o outcome) recorded() recorded {
	return recorded{o.Problem.Class, o.Problem.Number, o.Method, o.Grade, o.Verdict, o.Off, o.Because, o.Took.Seconds(), o.Population}
}

func (r recorded) outcome() outcome {
	return outcome{&problem{Class: r.Class, Number: r.Number}, r.Method, r.Grade, r.Verdict, r.Off, r.Because, time.Duration(r.Seconds * float64(time.Second)), r.Population}
}

// readOutcomes reads a file of outcomes. A last line that was cut short is left out.
func readOutcomes(name string) ([]outcome, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []outcome
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			out = append(out, r.outcome())
		}
	}
	return out, lines.Err()
}

// A recorder appends outcomes to a file; none is nil.
type recorder struct {
	mu   sync.Mutex
	file *os.File
	done map[string]bool // what the file had
}

// key tells outcomes of one file apart.
func (o outcome) key() string {
	return fmt.Sprintf("%s %d %s", o.Problem.Class, o.Problem.Number, o.Method)
}

// newRecorder opens a file, and returns what it has. Without a name there is no recorder.
func newRecorder(name string) (*recorder, []outcome, error) {
	if name == "" {
		return nil, nil, nil
	}
	old, err := readOutcomes(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, err
	}
	r := &recorder{done: map[string]bool{}}
	for _, o := range old {
		r.done[o.key()] = true
	}
	r.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return r, old, err
}

// has reports whether the file had an outcome of a method on a problem.
func (r *recorder) has(p *problem, method string) bool {
	return r != nil && r.done[outcome{Problem: p, Method: method}.key()]
}

// write appends an outcome.
func (r *recorder) write(o outcome) error {
	if r == nil {
		return nil
	}
	line, err := json.Marshal(o.recorded())
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err = r.file.Write(append(line, '\n'))
	return err
}
