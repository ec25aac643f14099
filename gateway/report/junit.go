package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"parity/faults/trail"
)

// The elements of JUnit's XML, as Jenkins reads it
// (https://github.com/jenkinsci/xunit-plugin, junit-10.xsd) and GitLab does.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Skipped    int             `xml:"skipped,attr"`
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		ID         string          `xml:"id,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Time     string `xml:"time,attr"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string     `xml:"name,attr"`
		ClassName string     `xml:"classname,attr"`
		Time      string     `xml:"time,attr"`
		Skipped   *junitNote `xml:"skipped"`
		Error     *junitNote `xml:"error"`
		Failure   *junitNote `xml:"failure"`
		Out       string     `xml:"system-out,omitempty"`
	}
	junitNote struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the verdicts as the results of tests. What was not evaluated or
// not exercised is skipped, and never passed; what makes the run invalid is an
// error, and so is a run that shows nothing at all.
func JUnit(w io.Writer, r Report) error {
	m := newMasker()
	name := "parity"
	if r.Profile != "" {
		name = m.plain(r.Profile)
	}
	suite := junitSuite{Name: name, ID: "0", Properties: m.junitProperties(&r), Cases: []junitCase{m.junitRun(&r, name)}}
	if !r.Began.IsZero() {
		suite.Timestamp = r.Began.UTC().Format("2006-01-02T15:04:05") // without a zone, as the format has it
	}
	suite.Time = "0.000"
	if r.Agent != nil {
		suite.Time = seconds(r.Agent.Took)
	}
	for _, v := range r.judged() {
		suite.Cases = append(suite.Cases, m.junitCase(&r, &v, name))
	}
	suite.count()
	return writeJUnit(w, junitSuites{Name: "Parity", junitCounts: suite.junitCounts, Suites: []junitSuite{suite}})
}

// count counts the cases of a suite.
func (s *junitSuite) count() {
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

func writeJUnit(w io.Writer, all junitSuites) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// junitProperties say under which conditions the results came about, and what
// they do not prove.
func (m *masker) junitProperties(r *Report) []junitProperty {
	var all []junitProperty
	for _, what := range r.Missing {
		all = append(all, junitProperty{"parity.missing", what})
	}
	all = append(all, []junitProperty{{"parity.run", r.Run}, {"parity.version", r.Parity}, {"parity.seed", number(r.Seed)}}...)
	for _, rev := range r.Revisions {
		all = append(all, junitProperty{"parity.profile.revision", rev.Hash})
	}
	all = append(all, junitProperty{"parity.proved", proved(r)})
	for _, what := range unproved(r) {
		all = append(all, junitProperty{"parity.not-proved", what})
	}
	for _, d := range r.Differences {
		all = append(all, junitProperty{"parity.difference", difference(&d)})
	}
	for _, row := range r.proofRows() {
		all = append(all, junitProperty{"parity.real", row.text})
	}
	for _, row := range r.liveFaultRows() {
		all = append(all, junitProperty{"parity.live-fault", row.text})
	}
	all = append(all, junitProperty{"parity.again", r.again(rulesFailed(r))})
	for i := range all {
		all[i].Value = m.plain(all[i].Value)
	}
	return all
}

// difference says what one of them keeps a run from proving.
func difference(d *trail.Difference) string {
	text := d.Name + ": weakens " + strings.Join(d.Weakens, ", ")
	if d.So != "" {
		text += ". " + d.So
	}
	return text
}

// junitRun is the test that the run shows anything at all.
func (m *masker) junitRun(r *Report, suite string) junitCase {
	c := junitCase{Name: "the run shows something", ClassName: suite + ".run", Time: "0"}
	switch {
	case len(r.Missing) > 0:
		c.Error = &junitNote{Type: "missing", Message: upper(partly) + ": nothing is proved", Text: m.plain(strings.Join(r.Missing, "\n"))}
	case len(r.Defects) > 0:
		c.Error = &junitNote{Type: "defect", Message: "Parity itself broke calls: nothing about this run can be trusted", Text: m.plain(r.Defects[0].Note)}
	case r.NoTraffic():
		c.Error = &junitNote{Type: "no traffic", Message: "nothing that the agent did reached a service: `parity report " + m.plain(r.Run) + "` says what may be the reason"}
	}
	return c
}

func (m *masker) junitCase(r *Report, v *trail.Verdict, suite string) junitCase {
	c := junitCase{Name: m.plain(v.Subject), ClassName: suite + "." + v.Kind, Time: "0"}
	if v.Grades != "" { // order and state are told apart
		c.ClassName += "." + v.Grades
	}
	text := strings.Join(m.account(r, v), "\n")
	switch v.Result {
	case trail.Passed:
		c.Out = text
	case trail.Failed:
		c.Failure = &junitNote{Type: m.plain(kindOf(v)), Message: m.plain(headline(v)), Text: text}
	case trail.InvalidRun:
		c.Error = &junitNote{Type: string(v.Result), Message: m.plain(headline(v)), Text: text}
	default: // also one that is not known here: it is not passed
		c.Skipped = &junitNote{Type: m.plain(kindOf(v)), Message: m.plain(headline(v)), Text: text}
	}
	return c
}

// kindOf is the most exact word for what came of a verdict.
func kindOf(v *trail.Verdict) string {
	if v.Reaction != "" {
		return string(v.Reaction)
	}
	return string(v.Result)
}

// headline is the one line that says most: what happened, or why it counts for
// nothing.
func headline(v *trail.Verdict) string {
	if v.Headline != "" {
		return v.Headline
	}
	switch idle := v.Result == trail.NotEvaluated || v.Result == trail.NotExercised; {
	case idle && v.Why != "":
		return string(v.Result) + ": " + v.Why
	case len(v.Lines) > 0 && !idle:
		return v.Lines[0]
	case v.Why != "":
		return v.Why
	}
	return string(v.Result)
}

// account is all that there is to say about a verdict, line by line.
func (m *masker) account(r *Report, v *trail.Verdict) []string {
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, m.plain(label+text))
		}
	}
	for _, line := range v.Lines {
		add("", line)
	}
	add("", upper(v.Why))
	add("Mend: ", v.Mend)
	add("Because: ", v.Because)
	add("Weakened by: ", strings.Join(v.Weakened, ", "))
	add("Rests on: ", strings.Join(v.Scope.Operations, ", "))
	if !only(v.Scope.Fidelity, trail.Modelled) {
		add("Answered: ", fidelity(v.Scope.Fidelity))
	}
	if v.At != nil {
		add("In the profile: ", v.At.String())
	}
	if v.Result == trail.Failed && v.Kind == "fault" {
		var alone []string
		if !r.armed(v.Subject) {
			alone = []string{v.Subject}
		}
		add("Again: ", r.again(alone))
	}
	return lines
}
