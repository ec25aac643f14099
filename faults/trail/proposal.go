package trail

// Proposal is a difference from production that a run noticed, and that its
// profile does not declare: as it could.
type Proposal struct {
	Name       string   `json:"name"`
	Covers     []string `json:"covers"`     // operations, as a profile writes them
	Production string   `json:"production"` // what the real service does
	Here       string   `json:"here"`       // what happens in a rehearsal
	So         string   `json:"so"`         // what a rehearsal therefore does not show
	Weakens    []string `json:"weakens"`
}
