package stripe

// shipped is where a record's goods go: null when unset. A name that was unset
// is absent, where the other parts are null.
func shipped(sent any, fields ...string) any {
	value, ok := shipping(sent, fields...).(map[string]any)
	if !ok {
		return nil
	}
	if value["name"] == nil {
		delete(value, "name")
	}
	return value
}
