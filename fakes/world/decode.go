package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decode reads one JSON object, with its numbers as Normalise has them.
// Anything but one whole object is an error.
func Decode(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	if m == nil {
		return nil, errors.New("not a JSON object: null")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("not one JSON object: something follows it at byte %d", d.InputOffset())
	}
	n, _, err := normalise(m, 0)
	if err != nil {
		return nil, err
	}
	return n.(map[string]any), nil
}
