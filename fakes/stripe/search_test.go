package stripe

import "testing"

// A collection that is searched by some fields is behind in the index, and no
// other is.
func TestWhatIsSearchedIsIndexed(t *testing.T) {
	t.Parallel()
	for _, c := range collections() {
		collection := c.Name[len(name)+1:]
		if is, has := searchable(collection), searchFields(collection) != nil; is != has {
			t.Errorf("%s: searchable is %t, and it has fields to be searched by: %t", collection, is, has)
		}
	}
}
