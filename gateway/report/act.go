package report

import "parity/faults/trail"

// acted words what a person did.
func acted(a *trail.Act) string {
	who := a.By.Name
	if a.By.Kind == trail.ByRehearsed {
		who += ", who stands in for a person,"
	}
	switch {
	case a.Not != "":
		return who + " could not " + a.Name + " " + a.ID + ": " + a.Not
	case a.Did == "":
		return who + ": " + a.Name + " " + a.ID
	}
	return who + ": " + a.Name + " " + a.ID + ": " + a.Did
}
