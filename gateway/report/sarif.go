package report

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/faults"
	"parity/faults/trail"
	"parity/profiles"
)

// The parts of SARIF 2.1.0 that we write
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifAutomation   `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		Properties  sarifProved       `json:"properties"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string     `json:"id"`
		Name  string     `json:"name"`
		Short sarifText  `json:"shortDescription"`
		Full  *sarifText `json:"fullDescription,omitempty"`
		Help  *sarifText `json:"help,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifInvocation struct {
		CommandLine   string              `json:"commandLine"`
		Successful    bool                `json:"executionSuccessful"`
		ExitCode      int                 `json:"exitCode"`
		Start         time.Time           `json:"startTimeUtc,omitzero"`
		End           time.Time           `json:"endTimeUtc,omitzero"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Kind         string            `json:"kind"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Properties   sarifScope        `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn,omitempty"`
		} `json:"region"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifScope struct {
		Kind     string      `json:"kind"`
		Grades   string      `json:"grades,omitempty"`
		Result   string      `json:"result"`
		Evidence []uint64    `json:"evidence,omitempty"`
		Weakened []string    `json:"weakenedBy,omitempty"`
		Scope    trail.Basis `json:"scope"`
	}
	sarifProved struct {
		Run          string   `json:"run"`
		Seed         uint64   `json:"seed"`
		Profile      string   `json:"profile,omitempty"`
		Revisions    []string `json:"revisions"`
		Proved       string   `json:"proved"`
		NotProved    []string `json:"notProved"`
		Passed       []string `json:"passed"`
		NotExercised []string `json:"notExercised"`
		Real         []string `json:"real,omitempty"`
		LiveFaults   []string `json:"liveFaults,omitempty"`
		Again        string   `json:"again"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// SARIF writes what somebody has to look at as the results of an analysis: what
// failed, what makes the run invalid, and what was not evaluated. What passed or
// was not exercised is named among the properties and is no result: GitHub's code
// scanning takes each result for an alert, whatever its kind
// (https://github.com/microsoft/PSRule/issues/955).
func SARIF(w io.Writer, r Report) error {
	m := newMasker()
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "Parity", Version: r.Parity, Rules: []sarifRule{}}},
		Automation:  sarifAutomation{"parity/" + cmp.Or(r.Profile, "baseline") + "/"},
		Invocations: []sarifInvocation{sarifInvoked(&r)},
		Results:     []sarifResult{},
		Properties: sarifProved{
			Run: r.Run, Seed: r.Seed, Profile: r.Profile, Revisions: []string{}, Proved: proved(&r), NotProved: unproved(&r),
			Passed: []string{}, NotExercised: []string{}, Again: r.again(rulesFailed(&r)),
		},
	}
	for _, row := range r.liveFaultRows() {
		run.Properties.LiveFaults = append(run.Properties.LiveFaults, row.text)
	}
	for _, row := range r.proofRows() {
		run.Properties.Real = append(run.Properties.Real, row.text)
	}
	for _, rev := range r.Revisions {
		run.Properties.Revisions = append(run.Properties.Revisions, rev.Hash)
	}
	indexes := map[string]int{}
	for _, v := range r.judged() {
		id := sarifID(&v)
		if _, known := indexes[id]; !known {
			indexes[id] = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r.sarifRule(id, &v))
		}
		switch v.Result {
		case trail.Passed:
			run.Properties.Passed = append(run.Properties.Passed, id)
		case trail.NotExercised:
			run.Properties.NotExercised = append(run.Properties.NotExercised, id)
		default:
			run.Results = append(run.Results, m.sarifResult(&r, &v, id, indexes[id]))
		}
	}
	return m.document(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifID names what is judged as the profile does, so that it is the same
// through all runs.
func sarifID(v *trail.Verdict) string {
	switch v.Kind {
	case "fault", "required":
		return "faults." + v.Subject
	case "expectation":
		return "expect." + v.Subject
	}
	return v.Kind + "." + strings.ReplaceAll(strings.TrimPrefix(v.Subject, v.Kind+": "), " ", "-")
}

func (r *Report) sarifRule(id string, v *trail.Verdict) sarifRule {
	rule := sarifRule{ID: id, Name: v.Subject, Short: sarifText{v.Subject}}
	i := slices.IndexFunc(r.Faults, func(c trail.RuleCount) bool { return c.Rule == v.Subject })
	if i >= 0 && (v.Kind == "fault" || v.Kind == "required") {
		if name := r.Faults[i].Fault; name != v.Subject {
			rule.Short.Text += ": " + name
		}
		if fault, ok := faults.Lookup(r.Faults[i].Fault); ok {
			rule.Full = &sarifText{fault.Summary}
			rule.Help = &sarifText{"A good agent: " + fault.Reaction}
		}
	}
	return rule
}

// sarifResult gives a verdict that did not pass. Only what has failed has a
// level: of all else the standard wants none (3.27.10).
func (m *masker) sarifResult(r *Report, v *trail.Verdict, id string, index int) sarifResult {
	kind, level := "open", "none" // nobody can say yet
	switch {
	case v.Result == trail.Failed:
		kind, level = "fail", "error"
	case v.Result == trail.InvalidRun:
		kind, level = "fail", "warning"
	case len(v.Weakened) > 0:
		kind = "review" // it is for a person to say
	}
	result := sarifResult{
		RuleID: id, RuleIndex: index, Kind: kind, Level: level, Message: sarifText{strings.Join(m.account(r, v), "\n")},
		Locations: []sarifLocation{r.sarifLocation(v)}, Fingerprints: map[string]string{"parityVerdict/v1": chance.Hash(id)[:16]},
		Properties: sarifScope{Kind: v.Kind, Grades: v.Grades, Result: kindOf(v), Evidence: v.Evidence, Weakened: v.Weakened, Scope: v.Scope},
	}
	if v.Headline != "" {
		result.Message.Text = m.plain(upper(v.Headline)) + "\n" + result.Message.Text
	}
	if result.Message.Text == "" {
		result.Message.Text = headline(v)
	}
	if result.Properties.Scope.Operations == nil {
		result.Properties.Scope.Operations = []string{}
	}
	return result
}

// profileFile is the file of the profile, of its layers the first that is one;
// "" for profiles of the library.
func (r *Report) profileFile() string {
	for _, layer := range profiles.Layers(r.Profile) {
		if filepath.Ext(layer) != "" {
			return layer
		}
	}
	return ""
}

// sarifLocation is where the profile has what is judged. What it does not have,
// such as what is always judged, is about the profile as a whole, or, where none
// was named, about the agent: GitHub refuses results that are nowhere.
func (r *Report) sarifLocation(v *trail.Verdict) sarifLocation {
	var l sarifLocation
	l.Physical.Region.Line = 1
	switch {
	case v.At != nil:
		l.Physical.Artifact.URI = reference(v.At.File)
		l.Physical.Region.Line, l.Physical.Region.Column = v.At.Line, v.At.Column
	default:
		l.Physical.Artifact.URI = reference(cmp.Or(r.profileFile(), r.script()))
	}
	for _, operation := range v.Scope.Operations {
		l.Logical = append(l.Logical, sarifLogical{operation, "operation"})
	}
	return l
}

// script is the file that the agent seems to be written in, or its program.
func (r *Report) script() string {
	for i, arg := range r.Command {
		if i > 0 && !strings.HasPrefix(arg, "-") && path.Ext(arg) != "" && filepath.IsLocal(arg) {
			return arg
		}
	}
	if len(r.Command) == 0 {
		return "agent"
	}
	return r.Command[0]
}

// reference writes a path as a URI reference.
func reference(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

func sarifInvoked(r *Report) sarifInvocation {
	in := sarifInvocation{
		CommandLine: r.again(nil), Successful: r.Valid && len(r.Defects) == 0 && !r.NoTraffic(), ExitCode: r.Exit, Start: r.Began,
	}
	if r.Agent != nil && !r.Began.IsZero() {
		in.End = r.Began.Add(r.Agent.Took)
	}
	notify := func(level, text string) {
		in.Notifications = append(in.Notifications, sarifNotification{level, sarifText{text}})
	}
	for _, what := range r.Missing {
		notify("error", "Missing: "+what)
	}
	if r.NoTraffic() {
		notify("error", "Nothing that the agent did reached a service: the run shows nothing.")
	}
	for _, d := range r.Defects {
		notify("error", fmt.Sprintf("Parity itself broke call #%d: %s", d.Seq, d.Note))
	}
	for i := range r.Differences {
		notify("note", "Known difference "+difference(&r.Differences[i]))
	}
	for _, what := range unproved(r) {
		notify("note", "Not proved: "+what)
	}
	return in
}
