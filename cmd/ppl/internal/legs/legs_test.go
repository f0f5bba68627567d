package legs

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/infer"
)

// placed is an error that knows its place.
type placed struct{}

func (placed) Error() string  { return "m.ppl:1:2: x is 3" }
func (placed) Place() string  { return "m.ppl:1:2" }
func (placed) Reason() string { return "x is 3" }

// What a leg gave arrives as it was, with the places and reasons of rejections; what is no passage is an error.
func TestPassageByWire(t *testing.T) {
	in := &infer.Passage{At: &infer.Checkpoint{Done: 3, Tuning: []float64{math.Inf(1), 0.1}}, Rows: []float64{1, math.NaN(), math.Copysign(0, -1)}, Rejections: []infer.Rejection{
		{Chain: 1, Iteration: 7, Point: []float64{2}, Cause: placed{}}, {Cause: infer.ErrNaNDensity}, {Cause: errors.New("no place")}, {Cause: infer.ErrInfiniteDensity},
	}}
	text, err := EncodePassage(in)
	if err != nil {
		t.Fatal(err)
	}
	out, err := DecodePassage(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in.At, out.At); diff != "" {
		t.Error(diff)
	}
	for i, x := range in.Rows {
		if math.Float64bits(out.Rows[i]) != math.Float64bits(x) {
			t.Errorf("number %d is %v, want %v", i, out.Rows[i], x)
		}
	}
	for i, want := range in.Rejections {
		got := out.Rejections[i]
		a, isA := errors.AsType[infer.Placed](got.Cause)
		b, isB := errors.AsType[infer.Placed](want.Cause)
		if got.Chain != want.Chain || got.Iteration != want.Iteration || !cmp.Equal(got.Point, want.Point) || got.Cause.Error() != want.Cause.Error() {
			t.Errorf("rejection %d: %+v, want %+v", i, got, want)
		}
		if isB && (!isA || a.Place() != b.Place() || a.Reason() != b.Reason()) {
			t.Errorf("rejection %d has lost its place: %+v", i, got)
		}
		if want.Cause == infer.ErrNaNDensity && got.Cause != infer.ErrNaNDensity {
			t.Error("who reads it cannot explain a density that is NaN")
		}
	}
	for _, bad := range [][]byte{nil, []byte("{}"), text[:len(text)/2]} {
		if _, err := DecodePassage(bad); err == nil {
			t.Errorf("%d bytes were read", len(bad))
		}
	}
}
