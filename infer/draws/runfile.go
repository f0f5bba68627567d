// This file writes and reads run.json: what it takes to repeat a run.

package draws

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/seed-12b88e03/ppl/infer/disk"
)

// RunFile is the name of the record in a fit's folder.
const RunFile = "run.json"

// Run is the record of a run.
type Run struct {
	Program    Source     `json:"model"`
	Data       *Source    `json:"data"`   // null: none was given
	Name       string     `json:"name"`   // of the binding in the inference block
	Method     string     `json:"method"` // as an expression of the language, all options given
	Seed       uint64     `json:"seed"`
	Chains     int        `json:"chains"`
	Warmup     int        `json:"warmup"`
	Draws      int        `json:"draws"`
	Thin       int        `json:"thin"`
	Version    string     `json:"version"`
	GoVersion  string     `json:"go_version"`
	Machine    *Machine   `json:"machine"` // null: of a version that did not record it
	Started    time.Time  `json:"started"`
	Seconds    float64    `json:"seconds"`
	Incomplete bool       `json:"incomplete"`
	Adaptation []ChainRun `json:"adaptation"`

	Rejections []RejectionRun `json:"rejections,omitempty"` // why the model rejected points, after warm-up

	Fitted string `json:"fitted_params,omitempty"` // folder of the fit whose draws were used, by generated quantities or by a method that wraps it

	Imputed []string `json:"imputed,omitempty"` // elements of the data that were missing and are parameters, as in "y[3]"

	LogEvidence *EstimateRun   `json:"log_evidence"`          // null: the method has none
	NoEvidence  string         `json:"no_evidence,omitempty"` // why it could not estimate one
	Fit         *FitRun        `json:"fit,omitempty"`         // of methods that optimise
	Annealing   *AnnealingRun  `json:"annealing,omitempty"`   // of methods that anneal
	Duality     *DualityRun    `json:"duality,omitempty"`     // of methods of full conditionals
	Population  *PopulationRun `json:"population,omitempty"`  // of the search for other answers
	Update      *UpdateRun     `json:"update,omitempty"`      // of draws that were taken to other data
	Stopping    *StoppingRun   `json:"stopping,omitempty"`    // of runs that end when they are precise enough
	Profile     []ProfileRun   `json:"profile,omitempty"`     // of programs with profile statements
}

// A Machine is where a run was made.
type Machine struct {
	System    string `json:"system"`       // as Go names it: linux, darwin, windows
	Processor string `json:"processor"`    // as Go names it: amd64, arm64
	Kernels   string `json:"kernels"`      // what vectors are computed with
	Native    string `json:"machine_code"` // "yes", or why models do not become machine code
}

// String is the machine in a few words.
func (m *Machine) String() string {
	code := "machine code"
	if m.Native != "yes" {
		code = "no machine code"
	}
	return fmt.Sprintf("%s/%s, %s, %s", m.System, m.Processor, m.Kernels, code)
}

// ProfileRun reports what the profile blocks of one name cost over a few evaluations made
// for the purpose, by the reference interpreter: shares are what can be read off it.
type ProfileRun struct {
	Name    string  `json:"name"`
	Calls   int     `json:"calls"`
	Seconds float64 `json:"seconds"`
}

// Source identifies a file by its content.
type Source struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"` // hexadecimal
}

// ChainRun is the record of a chain.
type ChainRun struct {
	Chain int `json:"chain"` // from 1
	Adaptation
	Draws           int     `json:"draws"`
	Divergences     int     `json:"divergences"`
	Rejections      int     `json:"rejections"` // transitions that ended at a point of density zero, after warm-up
	WarmupSeconds   float64 `json:"warmup_seconds"`
	SamplingSeconds float64 `json:"sampling_seconds"`
}

// WriteRun writes the record into a folder, whole or not at all.
func WriteRun(d disk.Disk, dir string, r Run) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("%s: %w", RunFile, err)
	}
	return d.ReplaceBytes(filepath.Join(dir, RunFile), append(text, '\n'))
}

// ReadRun reads the record of a folder.
func ReadRun(dir string) (Run, error) {
	path := filepath.Join(dir, RunFile)
	text, err := disk.ReadFile(path)
	if err != nil {
		return Run{}, err
	}
	var r Run
	if err := json.Unmarshal(text, &r); err != nil {
		return Run{}, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
