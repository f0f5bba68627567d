package cmdstan

// This file writes the times of profile statements.

import (
	"fmt"
	"os"
	"strings"
)

// writeProfiles writes the profile file of a model that has profile statements. The
// compiled density has no such blocks left, so they are timed by the reference interpreter: their
// shares tell where the work is. What it does backwards is not timed apart, and there is no
// stack; these columns are 0.
func (j *job) writeProfiles() error {
	profiles := j.model.Bound().Profiles(j.seed)
	if len(profiles) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("name,thread_id,total_time,forward_time,reverse_time,chain_stack,no_chain_stack,autodiff_calls,no_autodiff_calls\n")
	for _, p := range profiles {
		name := p.Name
		if strings.ContainsAny(name, ",\"\n") {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		fmt.Fprintf(&b, "%s,0x1,%s,%s,0,0,0,%d,0\n", name, streamed(p.Seconds), streamed(p.Seconds), p.Calls)
	}
	return os.WriteFile(j.text("output", "profile_file"), []byte(b.String()), 0o666)
}
