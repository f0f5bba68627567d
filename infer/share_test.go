package infer

import "testing"

// Every unit belongs to one share, and Count agrees with Has.
func TestShares(t *testing.T) {
	for of := 1; of <= 7; of++ {
		for n := range 30 {
			owners := make([]int, n)
			for index := 1; index <= of; index++ {
				s, have := Share{index, of}, 0
				for i := range n {
					if s.Has(i) {
						owners[i]++
						have++
					}
				}
				if have != s.Count(n) {
					t.Errorf("%v of %d units has %d, Count says %d", s, n, have, s.Count(n))
				}
				if again, err := ParseShare(s.String()); err != nil || again != s {
					t.Errorf("%v is read as %v, %v", s, again, err)
				}
			}
			for i, k := range owners {
				if k != 1 {
					t.Errorf("unit %d belongs to %d of %d shares", i, k, of)
				}
			}
		}
	}
	if all := (Share{}); all.Divided() || !all.Has(3) || all.Count(4) != 4 {
		t.Error("the zero value does not have all units")
	}
}

func TestParseShareRefuses(t *testing.T) {
	for _, text := range []string{"", "3", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/2/3", "1.5/3", "/4", "3/"} {
		if s, err := ParseShare(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}
