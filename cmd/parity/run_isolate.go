package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"parity/gateway/contain"
)

const isolateFlag = "isolate"

// isolationFlag is --isolate, or --isolate=network.
type isolationFlag struct{ level contain.Level }

func (f *isolationFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(f, isolateFlag, "run the agent where nothing gets around the gateway (Linux): in a network, files, processes and limits of its own; --isolate=network for a network alone")
	cmd.Flags().Lookup(isolateFlag).NoOptDefVal = string(contain.Whole)
}

// again adds what a repeated run needs.
func (f *isolationFlag) again(flags []string) []string {
	switch f.level {
	case "":
		return flags
	case contain.Whole:
		return append(flags, "--"+isolateFlag)
	}
	return append(flags, "--"+isolateFlag+"="+string(f.level))
}

// String, Set and Type are what the flag package asks for.
func (f *isolationFlag) String() string { return string(f.level) }

// Set takes a level.
func (f *isolationFlag) Set(text string) error {
	switch level := contain.Level(text); level {
	case contain.Whole, contain.Network:
		f.level = level
		return nil
	}
	return fmt.Errorf("say --isolate, or --isolate=%s", contain.Network)
}

// Type is what the help calls its value.
func (f *isolationFlag) Type() string { return "level" }
