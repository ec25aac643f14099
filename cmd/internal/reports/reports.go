// Package reports is where reports go: files, and collectors of traces.
//
//	--report FILE, FORMAT=FILE, otlp=URL ─▶ Parse ─▶ Prepare, before anything is run
//	                                                  Put, WriteAll, when it has ended ─▶ a file, or POST /v1/traces
//
// How a report is written in a format is in gateway/report.
package reports

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/gateway/report"
	"parity/specs/words"
)

// Destination is where a report goes, and how it is written.
type Destination struct {
	Format report.Format
	File   string
	URL    *url.URL // of a collector of traces; nil: it goes to the file
}

func (to Destination) String() string {
	if to.URL != nil {
		return to.URL.Redacted()
	}
	return to.File
}

// Parse reads what --report says: FILE, whose ending names the format,
// FORMAT=FILE, or otlp=URL. Nothing is touched yet.
func Parse(all []string) ([]Destination, error) {
	var found []Destination
	for _, text := range all {
		to, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("--report %s: %w", text, err)
		}
		if slices.ContainsFunc(found, func(other Destination) bool { return other.String() == to.String() }) {
			return nil, fmt.Errorf("--report %s: another report goes there too: name another file", text)
		}
		found = append(found, to)
	}
	return found, nil
}

func parse(text string) (Destination, error) {
	if name, rest, ok := strings.Cut(text, "="); ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
		f, err := report.FormatNamed(name)
		if err != nil {
			return Destination{}, fmt.Errorf("%w; a file of that name is ./%s", err, text)
		}
		return destination(f, rest)
	}
	best, length := report.Format{}, 0
	for _, f := range report.Formats() {
		for _, end := range f.Ends {
			if len(end) > length && strings.HasSuffix(strings.ToLower(text), end) {
				best, length = f, len(end)
			}
		}
	}
	if length == 0 {
		return Destination{}, fmt.Errorf("its ending names no format: say FORMAT=FILE, where FORMAT is %s, or let the file end in %s", report.FormatNames(), endings())
	}
	return Destination{Format: best, File: text}, nil
}

// destination is a report in a format that was named.
func destination(f report.Format, where string) (Destination, error) {
	to := Destination{Format: f, File: where}
	if u, err := url.Parse(where); f.Name == "otlp" && err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return Destination{Format: f, URL: collector(u)}, nil
	}
	switch {
	case where == "":
		return to, errors.New("it names no file")
	case strings.Contains(where, "://"):
		return to, errors.New("a report goes to a file; traces alone go to a collector, otlp=http://HOST:4318")
	}
	return to, nil
}

// endings are those that name a format, in words.
func endings() string {
	var all []string
	for _, f := range report.Formats() {
		all = append(all, f.Ends...)
	}
	return words.Or(all)
}

// Prepare sees to it that the reports can be written: their folders are made.
// What a run before has left there is removed, so that nobody takes it for this
// one's, should this one not come to its end.
func Prepare(reports []Destination) error {
	for _, to := range reports {
		if to.URL != nil {
			continue
		}
		if err := to.prepare(); err != nil {
			var path *fs.PathError
			if errors.As(err, &path) {
				err = path.Err
			}
			return fmt.Errorf("--report %s cannot be written: %w; name a file in a folder that you may write to", to, err)
		}
	}
	return nil
}

func (to Destination) prepare() error {
	if info, err := os.Lstat(to.File); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // a device or a pipe, which waits for whoever reads it, or a link, whose file is another's
	}
	if err := os.MkdirAll(filepath.Dir(to.File), 0o750); err != nil {
		return err
	}
	f, err := os.Create(to.File)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Remove(to.File); !errors.Is(err, fs.ErrNotExist) { // somebody else may be tidying up
		return err
	}
	return nil
}

// WriteAll has all the reports written. What cannot be is said, and changes
// nothing about the run.
func WriteAll(ctx context.Context, stderr io.Writer, reports []Destination, headers string, write func(w io.Writer, f report.Format) error) {
	for _, to := range reports {
		if err := to.Put(ctx, headers, write); err != nil {
			fmt.Fprintf(stderr, "parity: the report %s is not written: %v\n", to, err)
		}
	}
}

// Put has one report written, and sends it where it goes to a collector: headers are
// then further ones, written as CollectorHeaders has them.
func (to Destination) Put(ctx context.Context, headers string, write func(w io.Writer, f report.Format) error) error {
	if to.URL != nil {
		var doc bytes.Buffer
		if err := write(&doc, to.Format); err != nil {
			return err
		}
		return export(ctx, to.URL, headers, doc.Bytes())
	}
	f, err := os.Create(to.File)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	return errors.Join(write(out, to.Format), out.Flush(), f.Close())
}
