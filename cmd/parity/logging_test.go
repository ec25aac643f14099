package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestTheLogShowsASecret(t *testing.T) {
	t.Parallel()
	const key = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	for _, format := range []string{"text", "json"} {
		var out bytes.Buffer
		log, err := (&logging{format, "info"}).open(console{stderr: &out})
		if err != nil {
			t.Fatal(err)
		}
		log.Debug("unseen")
		log.Info("called with "+key, "url", "http://u:hunter2hunter2@host/", "revision", "904fcc37", "error", errors.New("refused Bearer "+key))
		said := out.String()
		if strings.Contains(said, key) || strings.Contains(said, "hunter2") || !strings.Contains(said, "904fcc37") || strings.Count(said, "\n") != 1 {
			t.Errorf("%s", said)
		}
		if format == "json" && !json.Valid(out.Bytes()) {
			t.Errorf("no JSON: %s", said)
		}
	}
	for _, l := range []logging{{"xml", "info"}, {"text", "loud"}} {
		if _, err := l.open(console{}); err == nil {
			t.Errorf("%+v is taken", l)
		}
	}
}
