package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parity/gateway"
	"parity/profiles"
)

// misused words a mistake on the command line, with where to read on.
func misused(cmd *cobra.Command, err error) error {
	return &gateway.UsageError{Err: fmt.Errorf("%w\nTry: %s --help", err, cmd.CommandPath())}
}

// help is what a command that only has commands below it does.
func help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// known takes no arguments: what is there was meant as a command.
func known(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	said := fmt.Sprintf("there is no command %q", cmd.CommandPath()+" "+args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		said += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return misused(cmd, errors.New(said))
}

// alone takes no arguments.
func alone(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return misused(cmd, fmt.Errorf("%s takes no arguments, and got %q", cmd.CommandPath(), args[0]))
}

// one takes one argument and says what it is.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misused(cmd, fmt.Errorf("which %s? As in: %s", what, example(cmd)))
		}
		return atMostOne(what)(cmd, args)
	}
}

// atLeastOne takes one argument or more, and says what they are.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misused(cmd, fmt.Errorf("which %s? As in: %s", what, example(cmd)))
		}
		return nil
	}
}

// two takes two arguments.
func two(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 2 {
			return misused(cmd, fmt.Errorf("it takes %s, and got %d words; as in: %s", what, len(args), example(cmd)))
		}
		return nil
	}
}

func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return misused(cmd, fmt.Errorf("one %s at a time, and got %d", what, len(args)))
	}
}

// behind explains an unknown flag that may well be the agent's own.
func behind(cmd *cobra.Command, err error) error {
	if strings.HasPrefix(err.Error(), "unknown") {
		err = fmt.Errorf("%w; an agent's own flags go behind --, as in: parity run -- python agent.py --fast", err)
	}
	return misused(cmd, err)
}

// agent takes a command. Words before -- would silently become a part of it; only
// those behind --matrix are meant, of a pattern that a shell has replaced.
func agent(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &gateway.UsageError{Err: errors.New("which agent? Write its command behind --, as in: parity run -- python agent.py")}
	}
	if cmd.ArgsLenAtDash() == len(args) {
		return agent(cmd, nil)
	}
	if cmd.ArgsLenAtDash() > 0 && !cmd.Flags().Changed("matrix") {
		return misused(cmd, fmt.Errorf("%q stands before --, where only flags do: the agent's command goes behind it", args[0]))
	}
	return nil
}

// filled refuses a flag with nothing in it: an unset variable in a CI file is
// not the wish to have the default, under which nothing goes wrong.
func filled(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return &gateway.UsageError{Err: fmt.Errorf("--%s is there and has nothing in it: give it a value, or leave it out", name)}
		}
	}
	return nil
}

// example is the first of a command's examples.
func example(cmd *cobra.Command) string {
	first, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	return first
}

// layers is a profile that a flag names: given once more, it names another that
// is laid over the first.
type layers string

func (l *layers) String() string { return string(*l) }

func (l *layers) Type() string { return "NAME" }

func (l *layers) Set(name string) error {
	if name == "" {
		return errors.New("there is nothing in it: give it a value, or leave it out")
	}
	*l = layers(profiles.Layered(string(*l), name))
	return nil
}
