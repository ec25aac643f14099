package generic

import (
	"slices"

	"parity/specs/body"
)

// What the fields are called that say of an upload what it is, in any way of
// writing.
var (
	fileNames = []string{"filename", "originalfilename", "originalname", "name"}
	fileSizes = []string{"bytes", "size", "filesize", "sizebytes", "bytesize", "sizeinbytes", "contentlength", "length"}
	fileTypes = []string{"contenttype", "mimetype", "mediatype", "filetype"}
)

// uploaded says in a new record what is known of the one file that came with
// it: its name, how long it is, and of what type.
func (d draft) uploaded(value map[string]any) map[string]any {
	var file *body.Part
	for i := range d.call.Input.Parts {
		if part := &d.call.Input.Parts[i]; part.FileName != "" {
			if file != nil {
				return value // which is meant, nobody says
			}
			file = part
		}
	}
	if file == nil {
		return value
	}
	for _, fact := range []struct {
		names []string
		is    any
	}{{fileNames, file.FileName}, {fileSizes, int64(len(file.Data))}, {fileTypes, file.Type}} {
		if field := d.res.called(fact.names); field != "" && fact.is != "" {
			if _, sent := value[field]; !sent && fits(d.res.form.fields[field], fact.is, 0) {
				value[field] = fact.is
			}
		}
	}
	return value
}

// called gives the first field that has one of some names; the likeliest come
// first.
func (r *resource) called(names []string) string {
	for _, name := range names {
		at := slices.IndexFunc(r.form.names, func(own string) bool { return plainly(own) == name })
		if at >= 0 {
			return r.form.names[at]
		}
	}
	return ""
}
