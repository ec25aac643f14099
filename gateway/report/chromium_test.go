package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/gateway/browser"
)

var shots = flag.String("shots", "", "a folder to keep pictures of the page in")

// A run with 10,000 exchanges, opened from a file: no console error, rows,
// keys, light and dark.
func TestPageInChromium(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	const calls = 10_000
	r, events, settled := busy(calls)
	file := filepath.Join(t.TempDir(), "report.html")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := HTML(out, r, events, settled, HTMLOptions{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	info, err := out.Stat()
	if err != nil {
		t.Fatal(err)
	}
	out.Close()
	b.Prefer("light")
	b.Open("file://" + file)
	b.Until(`document.querySelectorAll('#list .row').length > 5`)
	arrived := b.Eval(`performance.now()`)
	b.Until(`performance.getEntriesByName('first-contentful-paint').length > 0`)
	t.Logf("%d exchanges: written in %s, %d KB; first paint after %.0f ms, rows after %.0f ms", calls, took.Round(time.Millisecond), info.Size()>>10,
		b.Eval(`performance.getEntriesByName('first-contentful-paint')[0].startTime`), arrived)
	if rows := b.Eval(`document.querySelectorAll('#list .row').length`).(float64); rows > 200 {
		t.Errorf("%.0f rows are in the document: those out of sight need not be", rows)
	}
	if said := b.Eval(`document.getElementById('count').textContent`).(string); !strings.HasPrefix(said, "10,3") {
		t.Errorf("it counts %q", said)
	}
	b.Shoot(*shots, "light")
	keys(t, b)
	light := b.Eval(`getComputedStyle(document.body).backgroundColor`)
	b.Prefer("dark")
	dark := b.Eval(`getComputedStyle(document.body).backgroundColor`)
	if light == dark {
		t.Errorf("light and dark are both %v", light)
	}
	b.Shoot(*shots, "dark")
	b.Press("t")
	if got := b.Eval(`getComputedStyle(document.body).backgroundColor`); got != light {
		t.Errorf("set to light it is %v, not %v", got, light)
	}
	b.Size(400, 800)
	if wide := b.Eval(`document.documentElement.scrollWidth`); wide != 400.0 {
		t.Errorf("on 400 pixels the page is %v wide", wide)
	}
	b.Shoot(*shots, "narrow")
	if len(b.Errors) > 0 {
		t.Errorf("the console has errors: %q", b.Errors)
	}
}

// The page of a series on a wide screen and a narrow one, light and dark: no
// console error, nothing beyond its edge, and a link to an entry opens it.
func TestSeriesPageInChromium(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	for name, s := range both() {
		file := filepath.Join(t.TempDir(), name+".html")
		if err := os.WriteFile(file, []byte(wrote(t, SeriesHTML, s)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, scheme := range []string{"light", "dark"} {
			b.Prefer(scheme)
			for _, width := range []int{1600, 400} {
				b.Size(width, 1000)
				b.Open("file://" + file)
				b.Until(`document.getElementById('theme').textContent === 'Theme: auto'`)
				if wide := b.Eval(`document.documentElement.scrollWidth`); wide != float64(width) {
					t.Errorf("%s: on %d pixels the page is %v wide", name, width, wide)
				}
				b.Shoot(*shots, fmt.Sprintf("%s-%s-%d", name, scheme, width))
			}
		}
		paper := b.Eval(`getComputedStyle(document.body).backgroundColor`)
		b.Press("t")
		if light := b.Eval(`getComputedStyle(document.body).backgroundColor`); light == paper {
			t.Errorf("%s: light and dark are both %v", name, light)
		}
		b.Eval(`document.querySelector('.where a').click()`)
		b.Until(`document.querySelectorAll('details.entry[open]').length === 1`)
		b.Shoot(*shots, name+"-open")
		b.Press("t", "t") // the next page of a file remembers it
	}
	if len(b.Errors) > 0 {
		t.Errorf("the console has errors: %q", b.Errors)
	}
}

// keys goes through the page without a mouse.
func keys(t *testing.T, b *browser.Browser) {
	t.Helper()
	is := func(expression string, want any) {
		t.Helper()
		if got := b.Eval(expression); got != want {
			t.Errorf("%s is %v, not %v", expression, got, want)
		}
	}
	selected := `document.querySelector('#list [aria-selected=true] .seq').textContent`
	b.Press("Tab")
	is(`document.activeElement.className`, "skip")
	b.Press("j", "j", "ArrowDown", "k")
	is(selected, "#3")
	b.Press("Enter")
	b.Until(`document.querySelectorAll('#frame-body .part').length > 3`)
	is(`document.getElementById('frame-title').textContent.includes('POST /v1/charges')`, true)
	is(`document.getElementById('frame-body').textContent.includes('The client saw no reply at all')`, true)
	is(`document.getElementById('frame-body').textContent.includes('hush0')`, false)
	b.Shoot(*shots, "frame")
	b.Press("j")
	b.Until(`location.hash === '#e4' && document.getElementById('frame-body').textContent.includes('attempt 2')`)
	b.Press("Escape")
	is(`document.getElementById('frame').hidden`, true)
	is(`document.activeElement.id`, "list")
	b.Press("End")
	is(selected, b.Eval(`'#' + `+lastSeq))
	b.Press("/")
	b.Press(strings.Split("nowhere", "")...)
	b.Until(`document.getElementById('count').textContent.startsWith('0 of')`)
	b.Press("Escape")
	b.Press(strings.Split("colleague", "")...)
	b.Until(`document.getElementById('count').textContent.startsWith('100 of')`)
	b.Press("Enter")
	is(`document.activeElement.id`, "list")
	b.Press("?")
	is(`document.getElementById('keys').open`, true)
	b.Press("Escape")
	is(`document.getElementById('keys').open`, false)
	b.Press("i")
	b.Until(`document.getElementById('count').textContent.includes('0 intents') && document.getElementById('list').textContent.includes('Nothing fits')`)
	b.Press("/", "Escape", "Escape", "n")
	b.Until(`document.querySelectorAll('#list .row .tries').length > 5`)
	is(`[...document.querySelectorAll('#list .row')].filter(row => row.querySelectorAll('.try').length === 2).map(row => row.querySelector('.tries').textContent).shift()`, "#3 –#4 200")
	b.Shoot(*shots, "intents")
}

// lastSeq is the number of the last event, as the page has it.
const lastSeq = `Number(document.getElementById('list').getAttribute('aria-rowcount'))`
