package report

// What is missing of a run's record, or may be, is said before anything else, in
// each format: nothing that follows holds but as far as the record goes.

// partly is what is said in short of a record that may not be whole.
const partly = "part of its record is missing, or may be"

// missing opens a page with what is missing.
func (p *page) missing(all []string) {
	for _, what := range all {
		p.labelled("MISSING  ", red(), upper(what), 9)
	}
	if len(all) > 0 {
		p.text(2, "What follows holds as far as the record goes, and is evidence of nothing.")
		p.blank()
	}
}

// incomplete words what is missing among what is not proved.
func (r *Report) incomplete() []string {
	if len(r.Missing) == 0 {
		return nil
	}
	all := []string{"anything that rests on all of the record, since " + partly}
	return append(all, r.Missing...)
}
