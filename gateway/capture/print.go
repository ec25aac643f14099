package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Formats are what Print knows.
func Formats() []string { return []string{"shell", "docker", "github", "dotenv", "json"} }

// Print writes the settings in order of name for something else to read:
//
//	shell   export lines for eval "$(parity env)"; keeps NODE_OPTIONS and its like as they were and adds to them,
//	        and unsets what is the operator's own
//	docker  ENV lines of a Dockerfile
//	github  lines to append to the file $GITHUB_ENV
//	dotenv  a .env file
//	json    one object
//
// GitHub refuses NODE_OPTIONS in that file
// (https://github.blog/changelog/2023-10-05-github-actions-node_options-is-now-restricted-from-github_env),
// so there it is called PARITY_NODE_OPTIONS, for a step to set:
// env: {NODE_OPTIONS: "${{ env.PARITY_NODE_OPTIONS }}"}.
func (s Settings) Print(w io.Writer, format string) error {
	vars := s.variables()
	var line func(name, value string) string
	switch format {
	case "shell":
		line = shellLine
	case "docker":
		line = dockerLine
	case "github":
		vars["PARITY_"+nodeOptions] = vars[nodeOptions]
		delete(vars, nodeOptions)
		line = func(name, value string) string { return name + "=" + value }
	case "dotenv":
		line = dotenvLine
	case "json":
		return printJSON(w, vars)
	default:
		return fmt.Errorf("format %q is not known; use one of %s", format, strings.Join(Formats(), ", "))
	}
	var out bytes.Buffer
	if format == "shell" {
		out.WriteString("unset " + strings.Join(operators(), " ") + "\n")
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		value := vars[name]
		if strings.ContainsAny(value, "\x00\r\n") {
			return fmt.Errorf("%s has a line break or NUL in its value %q, which %s cannot hold; "+
				"move the state folder to a path without one", name, value, format)
		}
		out.WriteString(line(name, value) + "\n")
	}
	_, err := w.Write(out.Bytes())
	return err
}

func printJSON(w io.Writer, vars map[string]string) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(vars)
}

func shellLine(name, value string) string {
	quoted := "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	if first, separator, ok := added(name); ok {
		if first {
			quoted += `"${` + name + `:+` + separator + `$` + name + `}"`
		} else {
			quoted = `"${` + name + `:+$` + name + separator + `}"` + quoted
		}
	}
	return "export " + name + "=" + quoted
}

// A Dockerfile expands $NAME inside double quotes, and a backslash escapes.
func dockerLine(name, value string) string {
	return "ENV " + name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`).Replace(value) + `"`
}

// Readers of .env files agree on little: bare words, and single quotes that
// keep everything as it is. Double quotes are left to what needs them.
func dotenvLine(name, value string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@,+%", r)
	}
	switch {
	case !strings.ContainsFunc(value, func(r rune) bool { return !bare(r) }):
		return name + "=" + value
	case !strings.Contains(value, "'"):
		return name + "='" + value + "'"
	default:
		return name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`).Replace(value) + `"`
	}
}
