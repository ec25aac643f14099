package author

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// ciText is a file for continuous integration, which runs an agent under the
// project's profile: cmd/action says what its keys are.
func ciText(kind, command string) string {
	text := githubText
	if kind == "gitlab" {
		text = gitlabText
	}
	scalar, err := yaml.Marshal(command)
	if err != nil { // no text has none
		return ""
	}
	return strings.NewReplacer("COMMAND", strings.TrimSuffix(string(scalar), "\n"), "PROFILE.yaml", projectProfile).Replace(text)
}

const githubText = `# Rehearses the agent at each push: a failed verdict fails the job, and the report
# is its summary.
name: parity
on: [push, pull_request]
permissions: {contents: read}
jobs:
  rehearse:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      # Here goes what installs the agent.
      - uses: OWNER/REPOSITORY/cmd/action@REVISION    # where Parity's source is
        # env: {OPENAI_API_KEY: "${{ secrets.OPENAI_API_KEY }}"}    # what the agent's model wants
        with:
          command: COMMAND
          profile: PROFILE.yaml
`

const gitlabText = `rehearse:
  image: golang:1.26
  variables:
    PARITY_SOURCE: https://HOST/OWNER/REPOSITORY.git
    PARITY_REVISION: main
    AGENT: COMMAND
    PROFILE: PROFILE.yaml
  before_script:
    - git clone --quiet --depth 1 --branch "$PARITY_REVISION" "$PARITY_SOURCE" "$CI_PROJECT_DIR/.parity-source"
    - (cd "$CI_PROJECT_DIR/.parity-source" && GOBIN="$CI_PROJECT_DIR/.parity-bin" go install ./cmd/parity)
  script:
    - .parity-bin/parity run --profile "$PROFILE" --report parity-report/parity.xml --report parity-report/parity.md --report parity-report/parity.html -- bash -c "$AGENT"
  artifacts:
    when: always
    paths: [parity-report]
    reports:
      junit: parity-report/parity.xml
`
