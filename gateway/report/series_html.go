package report

import (
	"bufio"
	"fmt"
	"html/template"
	"io"

	"parity/specs/words"
)

// Bounds of the page of a series.
const (
	mostSeriesRows = 1_000 // of its table
	mostColumns    = 200
	mostCauses     = 100
)

// seriesView is what page/series.html shows.
type seriesView struct {
	*overview
	Style  template.CSS
	Script template.JS
	Policy string
	Left   string // what of the table is not shown
}

// SeriesHTML writes a series as one page that needs nothing else, in the manner of
// HTML: all of it is markup, and what anybody may have sent is in it as text.
func SeriesHTML(w io.Writer, s Series) error {
	style, err := asset("page.css", "series.css")
	if err != nil {
		return err
	}
	script, err := asset("theme.js", "series.js")
	if err != nil {
		return err
	}
	page, err := template.ParseFS(assets, "page/*.html")
	if err != nil {
		return err
	}
	v := seriesView{overview: overviewOf(newMasker(), &s), Style: template.CSS(style), Script: template.JS(script), Policy: allowed(style, script)} // our own, from page
	v.bound()
	out := bufio.NewWriterSize(w, 64<<10)
	if err := page.ExecuteTemplate(out, "series", v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

// bound leaves out what nobody could look through, and says so.
func (v *seriesView) bound() {
	rows, left := v.bounded(mostSeriesRows)
	if left > 0 {
		v.Left = words.Count(left, "row") + " more in which nothing failed, or beyond those: -o json has all."
	}
	if n := len(v.Columns) - mostColumns; n > 0 {
		v.Left += fmt.Sprintf(" %s more: -o json has all.", words.Count(n, "column"))
		v.Columns = v.Columns[:mostColumns]
		for i := range rows {
			rows[i].Cells = rows[i].Cells[:mostColumns]
		}
	}
	v.Rows, v.Causes = rows, v.Causes[:min(len(v.Causes), mostCauses)]
}
