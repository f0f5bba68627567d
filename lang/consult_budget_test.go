package lang

import (
	"regexp"
	"testing"
	"time"
)

// What a consultation does not check for want of time is checked with the budget that it names,
// whatever the others take: sbc lengthens its chains with the budget, and bread comes after it.
func TestTheBudgetThatIsNamedSuffices(t *testing.T) {
	data := map[string]any{"N": 4, "y": []float64{1, 2, 3, 4}}
	named := regexp.MustCompile(`--budget (\w+) allows`)
	for _, budget := range []time.Duration{30 * time.Millisecond, 900 * time.Millisecond} {
		c, _ := consulted(t, consultNormal, "nuts(warmup = 1000, draws = 1000)", budget, data)
		asked := 0
		for _, k := range c.Checks {
			m := named.FindStringSubmatch(k.Outcome)
			if m == nil {
				continue
			}
			asked++
			enough, err := time.ParseDuration(m[1])
			if err != nil {
				t.Fatal(err)
			}
			if enough <= budget {
				t.Errorf("with %v, %s asks for %v", budget, k.Name, enough)
			}
			again, _ := consulted(t, consultNormal, "nuts(warmup = 1000, draws = 1000)", enough, data)
			for _, other := range again.Checks {
				if other.Name == k.Name && !other.Done {
					t.Errorf("%s: not checked with the budget that was named, %v: %s", k.Name, enough, other.Outcome)
				}
			}
		}
		t.Logf("%v: %d asked for more", budget, asked)
	}
}
