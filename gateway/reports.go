package gateway

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
	"sync"

	"parity/gateway/report"
	"parity/specs/words"
)

// ReportTo is where a report is written to, and how.
type ReportTo struct {
	format format
	file   string
	url    *url.URL // of a collector of traces; nil: it goes to the file
}

func (to ReportTo) String() string {
	if to.url != nil {
		return to.url.Redacted()
	}
	return to.file
}

// ParseReports reads what --report says: FILE, whose ending names the format,
// FORMAT=FILE, or otlp=URL. Nothing is touched yet.
func ParseReports(all []string) ([]ReportTo, error) {
	var found []ReportTo
	for _, text := range all {
		to, err := parseReport(text)
		if err != nil {
			return nil, &UsageError{fmt.Errorf("--report %s: %w", text, err)}
		}
		if slices.ContainsFunc(found, func(other ReportTo) bool { return other.String() == to.String() }) {
			return nil, &UsageError{fmt.Errorf("--report %s: another report goes there too: name another file", text)}
		}
		found = append(found, to)
	}
	return found, nil
}

func parseReport(text string) (ReportTo, error) {
	if name, rest, ok := strings.Cut(text, "="); ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
		f, err := formatNamed(name)
		if err != nil {
			return ReportTo{}, fmt.Errorf("%w; a file of that name is ./%s", err, text)
		}
		return reportAs(f, rest)
	}
	best, length := format{}, 0
	for _, f := range formats() {
		for _, end := range f.ends {
			if len(end) > length && strings.HasSuffix(strings.ToLower(text), end) {
				best, length = f, len(end)
			}
		}
	}
	if length == 0 {
		return ReportTo{}, fmt.Errorf("its ending names no format: say FORMAT=FILE, where FORMAT is %s, or let the file end in %s", Formats(), endings())
	}
	return ReportTo{format: best, file: text}, nil
}

// reportAs is a report in a format that was named.
func reportAs(f format, where string) (ReportTo, error) {
	to := ReportTo{format: f, file: where}
	if u, err := url.Parse(where); f.name == "otlp" && err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return ReportTo{format: f, url: collector(u)}, nil
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
	for _, f := range formats() {
		all = append(all, f.ends...)
	}
	return words.Or(all)
}

// prepare sees to it that the reports can be written: their folders are made.
// What a run before has left there is removed, so that nobody takes it for this
// one's, should this one not come to its end.
func prepare(reports []ReportTo) error {
	for _, to := range reports {
		if to.url != nil {
			continue
		}
		if err := to.prepare(); err != nil {
			var path *fs.PathError
			if errors.As(err, &path) {
				err = path.Err
			}
			return &UsageError{fmt.Errorf("--report %s cannot be written: %w; name a file in a folder that you may write to", to, err)}
		}
	}
	return nil
}

func (to ReportTo) prepare() error {
	if info, err := os.Lstat(to.file); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil // a device or a pipe, which waits for whoever reads it, or a link, whose file is another's
	}
	if err := os.MkdirAll(filepath.Dir(to.file), 0o750); err != nil {
		return err
	}
	f, err := os.Create(to.file)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(to.file))
}

// writeReports has all the reports written. What cannot be is said, and changes
// nothing about the run.
func writeReports(ctx context.Context, stderr io.Writer, reports []ReportTo, headers string, write func(w io.Writer, f format) error) {
	for _, to := range reports {
		if err := to.put(ctx, headers, write); err != nil {
			fmt.Fprintf(stderr, "parity: the report %s is not written: %v\n", to, err)
		}
	}
}

func (to ReportTo) put(ctx context.Context, headers string, write func(w io.Writer, f format) error) error {
	if to.url != nil {
		var doc bytes.Buffer
		if err := write(&doc, to.format); err != nil {
			return err
		}
		return export(ctx, to.url, headers, doc.Bytes())
	}
	f, err := os.Create(to.file)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	return errors.Join(write(out, to.format), out.Flush(), f.Close())
}

// WriteReports writes the reports of a kept run, or of a series.
func WriteReports(ctx context.Context, root, run string, reports []ReportTo, headers string) error {
	if s, err := readSeries(root, run); s != nil || err != nil {
		return errors.Join(err, writeSeries(ctx, s, reports))
	}
	k, err := Read(root, run)
	if err == nil {
		err = prepare(reports)
	}
	if err != nil {
		return err
	}
	write := k.reportIn(sync.OnceValue(k.Report))
	for _, to := range reports {
		if err := to.put(ctx, headers, write); err != nil {
			return fmt.Errorf("%s is not written: %w", to, err)
		}
	}
	return nil
}

// reportIn writes the run's report in a format, of one judgement for all.
func (k *Kept) reportIn(judged func() report.Report) func(w io.Writer, f format) error {
	return func(w io.Writer, f format) error { return f.write(w, k, judged, Look{}) }
}
