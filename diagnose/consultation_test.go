package diagnose_test

import (
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// TestConclude holds the conclusion to what each kind of check may decide.
func TestConclude(t *testing.T) {
	good := diagnose.Measure{Value: 0, Values: 100}.AtMost(1, 2)
	passed := func(name string, role diagnose.Role) diagnose.Check {
		return diagnose.Check{Name: name, Role: role, Done: true, Severity: good}
	}
	needed := passed("mass elsewhere", diagnose.OfAnswer)
	needed.Needed = true
	open := needed
	open.Severity, open.Reasons, open.Method = diagnose.None, []string{"It is not settled."}, "smc(nuts())"
	failed := func(role diagnose.Role, s diagnose.Severity, method string) diagnose.Check {
		return diagnose.Check{Name: "x", Role: role, Done: true, Severity: s, Reasons: []string{"X is off by 3."}, Remedy: "Do Y.", Method: method}
	}
	line := func(n diagnose.Next) string {
		if n.Again {
			return "again"
		}
		return "run " + n.Method
	}
	for name, c := range map[string]struct {
		checks    []diagnose.Check
		severity  diagnose.Severity
		use, next string
		says      string
	}{
		"all good":              {[]diagnose.Check{passed("fit", diagnose.OfAnswer), needed}, diagnose.Good, diagnose.UseYes, "run ", "nothing that was checked speaks against it"},
		"mass elsewhere open":   {[]diagnose.Check{passed("fit", diagnose.OfAnswer), open}, diagnose.None, diagnose.UseUnknown, "run smc(nuts())", "It is not settled."},
		"nothing checked":       {[]diagnose.Check{{Name: "fit", Role: diagnose.OfAnswer, Severity: diagnose.None}}, diagnose.None, diagnose.UseUnknown, "run ", "Not checked: fit."},
		"an aside fails":        {[]diagnose.Check{passed("fit", diagnose.OfAnswer), needed, failed(diagnose.Aside, diagnose.Warning, "")}, diagnose.Good, diagnose.UseYes, "run ", "X is off by 3."},
		"an aside is bad":       {[]diagnose.Check{passed("fit", diagnose.OfAnswer), needed, failed(diagnose.Aside, diagnose.Bad, "")}, diagnose.Good, diagnose.UseYes, "run ", "may be used"},
		"the answer, a warning": {[]diagnose.Check{failed(diagnose.OfAnswer, diagnose.Warning, "nuts()"), needed}, diagnose.Warning, diagnose.UseCare, "run nuts()", "with care. X is off by 3. What helps: Do Y."},
		"the answer, bad":       {[]diagnose.Check{passed("fit", diagnose.OfAnswer), needed, failed(diagnose.OfAnswer, diagnose.Bad, "smc(nuts())")}, diagnose.Bad, diagnose.UseNo, "run smc(nuts())", "must not be used. X is off by 3."},
		"the model":             {[]diagnose.Check{passed("fit", diagnose.OfAnswer), needed, failed(diagnose.OfModel, diagnose.Bad, "")}, diagnose.Bad, diagnose.UseNo, "again", "it is the model that does not fit. X is off by 3."},
		"the method":            {[]diagnose.Check{passed("fit", diagnose.OfAnswer), needed, failed(diagnose.OfMethod, diagnose.Bad, "nuts()")}, diagnose.Bad, diagnose.UseNo, "run nuts()", "X is off by 3."},
	} {
		v := diagnose.Conclude(c.checks, 60, line)
		f := v.Figures.(diagnose.ConsultationFigures)
		if v.Severity != c.severity || f.Use != c.use || f.Next != c.next || !strings.Contains(v.Summary, c.says) || !strings.HasSuffix(v.Summary, c.next) {
			t.Errorf("%s: %s, %q, next %q: %s", name, v.Severity, f.Use, f.Next, v.Summary)
		}
	}
}
