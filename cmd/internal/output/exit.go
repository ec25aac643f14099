package output

// The exit codes of comparisons.
const (
	ExitDiffers    = 1 // what was compared is not equal
	ExitConditions = 3 // it was not made under the same conditions
	ExitDecides    = 3 // two policies do not decide alike
)
