package main

// This file asks the service over HTTP.

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func start(t *testing.T, atOnce int, limit time.Duration) (*service, *httptest.Server) {
	t.Helper()
	s, err := newService(atOnce, limit)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, server
}

func ask(t *testing.T, server *httptest.Server, question string) (status int, text string) {
	t.Helper()
	r, err := http.Post(server.URL, "application/json", strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// The posterior is known: independent beta(1 + successes, 1 + failures). The seed is fixed;
// with another one, a mean farther off than four standard errors (of at least 500 effective
// draws) would be a matter of 1 in 8,000.
func TestAnswer(t *testing.T) {
	_, server := start(t, 2, time.Minute)
	status, text := ask(t, server, `{"trials": [120, 118], "successes": [12, 23]}`)
	var got answer
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != http.StatusOK || len(got.Rates) != 2 || len(got.Warnings) != 0 {
		t.Fatalf("%d, %v: %s", status, err, text)
	}
	for k, arm := range [][2]float64{{13, 109}, {24, 96}} {
		a, b := arm[0], arm[1]
		mean, sd := a/(a+b), math.Sqrt(a*b/(a+b+1))/(a+b)
		r := got.Rates[k]
		if math.Abs(r.Mean-mean) > 4*sd/math.Sqrt(500) {
			t.Errorf("arm %d: mean %v, exactly %v", k+1, r.Mean, mean)
		}
		if !(r.Lower < mean-sd && r.Lower > mean-3*sd && r.Upper > mean+sd && r.Upper < mean+3*sd) {
			t.Errorf("arm %d: interval [%v, %v] about %v with sd %v", k+1, r.Lower, r.Upper, mean, sd)
		}
	}
	if sum := got.Rates[0].Best + got.Rates[1].Best; math.Abs(sum-1) > 1e-9 || got.Rates[1].Best < 0.9 {
		t.Errorf("probabilities of being best: %v and %v", got.Rates[0].Best, got.Rates[1].Best)
	}
	if _, again := ask(t, server, `{"successes": [12, 23], "trials": [120, 118]}`); again != text {
		t.Error("the same question got another answer")
	}
}

// Wrong questions are the client's fault, and are told why.
func TestWrongQuestions(t *testing.T) {
	_, server := start(t, 1, time.Minute)
	for question, says := range map[string]string{
		``:                                      "EOF",
		`{"trials": [1], "successes": [0]} []`:  "expected one object",
		`{"trials": "many"}`:                    "cannot unmarshal",
		`{"tries": [1]}`:                        "unknown field",
		`{}`:                                    "K",
		`{"trials": [10], "successes": [1, 2]}`: "successes",
		`{"trials": [10], "successes": [-1]}`:   "successes",
		`{"trials": [10], "successes": [11]}`:   "binomial",
		`{"trials": [` + strings.Repeat("1, ", mostArms) + `1]}`: "arms",
		`{"trials": [` + strings.Repeat("1, ", mostBody) + `1]}`: "too large",
	} {
		if status, text := ask(t, server, question); status != http.StatusBadRequest || !strings.Contains(text, says) {
			t.Errorf("%.60s: %d %s, expected 400 and %q", question, status, text, says)
		}
	}
}

// A fit ends with its time, and with its client.
func TestTimeIsUp(t *testing.T) {
	s, server := start(t, 1, 0)
	if status, text := ask(t, server, `{"trials": [10], "successes": [5]}`); status != http.StatusServiceUnavailable {
		t.Errorf("%d %s", status, text)
	}
	s.limit = time.Minute
	s.slots <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"trials": [10], "successes": [5]}`)).WithContext(ctx)
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestShutdown: the question under way when the service is told to end gets its answer.
func TestShutdown(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, l, time.Minute) }()
	question, rest := io.Pipe()
	request, err := http.NewRequest(http.MethodPost, "http://"+l.Addr().String()+"/rates", question)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Expect", "100-continue") // the question is asked when the service listens to it
	client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	answered := make(chan int, 1)
	go func() {
		r, err := client.Do(request)
		if err != nil {
			t.Error(err)
			answered <- 0
			return
		}
		answered <- r.StatusCode
		_ = r.Body.Close()
	}()
	ask := func(part string) {
		if _, err := io.WriteString(rest, part); err != nil {
			t.Error(err)
		}
	}
	ask(`{"trials": [120, 118], `)
	stop()
	time.Sleep(50 * time.Millisecond) // the end begins while the question is being asked
	ask(`"successes": [12, 23]}`)
	_ = rest.Close()
	if status := <-answered; status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the service still takes questions: %v", err)
	}
}
