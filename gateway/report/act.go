package report

import "parity/faults/trail"

// acted words what a person did.
func acted(a *trail.Act) string {
	who := a.By.Name
	switch a.By.Kind {
	case trail.ByClaimed:
		who += " (as whoever held the control token says)"
	case trail.ByRehearsed:
		who += " (rehearsed)"
	}
	switch {
	case a.Not != "":
		return who + " could not " + a.Name + " " + a.ID + ": " + a.Not
	case a.Did == "":
		return who + ": " + a.Name + " " + a.ID
	}
	return who + ": " + a.Name + " " + a.ID + ": " + a.Did
}
