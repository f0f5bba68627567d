package main

// This file is the service: the embedded model, and the handler that runs it.

import (
	"context"
	_ "embed" // for the model
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/lang"
)

//go:embed rates.ppl
var model string

const (
	seed     = 1       // the same question gets the same answer
	mostBody = 1 << 20 // bytes of a question
	mostArms = 100
)

// An experiment is the question: how often each of several arms was tried, with how many
// successes. The tags name the data variables of the model.
type experiment struct {
	K         int   `json:"-" ppl:"K"`
	Trials    []int `json:"trials"`
	Successes []int `json:"successes"`
}

// An answer is what the posterior says.
type answer struct {
	Rates    []rate   `json:"rates"`
	Warnings []string `json:"warnings,omitempty"` // why the answer is not to be trusted
}

// A rate is one arm's chance of success with its central interval of 90 %, and the
// probability that no other arm has a higher one.
type rate struct {
	Mean  float64 `json:"mean"`
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	Best  float64 `json:"best"`
}

// A service answers questions. The program is compiled once and shared by all requests.
type service struct {
	program *lang.Program
	slots   chan struct{} // as many as may be computed at the same time
	limit   time.Duration // of one
}

func newService(atOnce int, limit time.Duration) (*service, error) {
	program, err := lang.Compile("rates.ppl", model, lang.Options{})
	if err != nil {
		return nil, err
	}
	return &service{program, make(chan struct{}, atOnce), limit}, nil
}

// A statusError is an error with the status that the client gets.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return strings.TrimSpace(lang.ErrorText(e.err)) }

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out, err := s.serve(w, r)
	status := http.StatusOK
	var known *statusError
	switch {
	case errors.As(err, &known):
		status = known.status
	case err != nil:
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err != nil {
		_ = json.NewEncoder(w).Encode(map[string]string{"error": err.Error()}) // the client has gone
		return
	}
	_ = json.NewEncoder(w).Encode(out)
}

func (s *service) serve(w http.ResponseWriter, r *http.Request) (*answer, error) {
	var e experiment
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBody))
	body.DisallowUnknownFields()
	if err := body.Decode(&e); err != nil {
		return nil, &statusError{http.StatusBadRequest, fmt.Errorf("the question: %w", err)}
	}
	if _, err := body.Token(); err != io.EOF {
		return nil, &statusError{http.StatusBadRequest, errors.New("the question: expected one object")}
	}
	if e.K = len(e.Trials); e.K > mostArms {
		return nil, &statusError{http.StatusBadRequest, fmt.Errorf("the question has %d arms, expected up to %d", e.K, mostArms)}
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.limit)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, &statusError{http.StatusServiceUnavailable, errors.New("too many questions at the moment")}
	}
	return s.answer(ctx, e)
}

// answer runs the model. It ends soon after ctx does.
func (s *service) answer(ctx context.Context, e experiment) (*answer, error) {
	in, err := s.program.DataFrom(e)
	if err != nil {
		return nil, err
	}
	m, err := s.program.BindContext(ctx, in, lang.BindOptions{Seed: seed})
	if err != nil { // such as a number of successes that does not fit
		return nil, &statusError{http.StatusBadRequest, err}
	}
	method, err := s.program.Method("nuts(chains = 2, draws = 1000)")
	if err != nil {
		return nil, err
	}
	fit, err := m.Run(ctx, method, lang.RunOptions{Seed: seed, Jobs: 2})
	switch {
	case err != nil:
		return nil, &statusError{http.StatusBadRequest, err}
	case fit.Posterior.Incomplete:
		return nil, &statusError{http.StatusServiceUnavailable, fmt.Errorf("the answer took longer than %v", s.limit)}
	}
	return read(fit, e.K)
}

// read takes the answer from the draws.
func read(fit *lang.Fit, arms int) (*answer, error) {
	out := &answer{Rates: []rate{}}
	for k := range arms {
		x, err := fit.Numbers(fmt.Sprintf("rate[%d]", k+1))
		if err != nil {
			return nil, err
		}
		best, err := fit.Numbers(fmt.Sprintf("best[%d]", k+1))
		if err != nil {
			return nil, err
		}
		slices.Sort(x)
		out.Rates = append(out.Rates, rate{mean(x), x[len(x)/20], x[len(x)-1-len(x)/20], mean(best)})
	}
	for _, f := range fit.Findings {
		if f.Severity != diagnose.Good {
			out.Warnings = append(out.Warnings, f.Meaning)
		}
	}
	return out, nil
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
