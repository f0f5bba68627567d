// This file defines the part of run.json that methods of full conditionals fill.

package draws

// DualityRun is the record of what the duality formula says of blocks and factors.
type DualityRun struct {
	LogEvidence *EstimateRun `json:"log_evidence"`
	Exact       bool         `json:"exact"`                // the evidence is by quadrature, else from importance weights
	Joinable    bool         `json:"joinable,omitempty"`   // two factors could be one
	Improper    string       `json:"improper,omitempty"`   // the block whose marginal has no finite integral
	Unresolved  string       `json:"unresolved,omitempty"` // the block of which rounding errors hide whether it has
	Factors     []FactorRun  `json:"factors"`
}

// FactorRun is the record of one factor; null is what is not known.
type FactorRun struct {
	Name        string       `json:"name"`
	Form        string       `json:"form"`
	Squashing   *EstimateRun `json:"squashing"`
	Bound       *EstimateRun `json:"divergence_bound"`
	Divergence  *EstimateRun `json:"divergence"`
	Information *EstimateRun `json:"mutual_information"`
}
