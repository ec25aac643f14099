package faults

import (
	"strings"
	"testing"
)

// A fault that sweeps do not try says why, and one that they try can be built as
// they try it.
func TestEachFaultIsTriedBySweepsOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	ranks := map[int]string{}
	for _, f := range Catalogue() {
		if (len(f.Forms) == 0) != (f.Unswept != "") {
			t.Errorf("%s: give it Forms, by which a sweep tries it, or say in Unswept why none does: one of them", f.Name)
		}
		for _, form := range f.Forms {
			if other, taken := ranks[form.Rank]; taken || form.Rank <= 0 {
				t.Errorf("%s: the rank %d of a form is none, or that of %s: choose where it comes among all", f.Name, form.Rank, other)
			}
			ranks[form.Rank] = f.Name
			if form.Fits == nil {
				t.Errorf("%s: a form does not say which calls it fits", f.Name)
			}
			with := form.With
			if form.AtRead {
				with = map[string]any{"once_read": "stripe GET /v1/charges"}
			}
			if _, err := f.Build(with); err != nil {
				t.Errorf("%s: a form of it cannot be built: %v", f.Name, strings.ReplaceAll(err.Error(), "\n", "; "))
			}
		}
	}
}
