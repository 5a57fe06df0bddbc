package program

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/tool"
)

// sandboxFlag says whether the programs of process policies are confined: they are, in a command without the flag.
type sandboxFlag struct {
	mode  string
	flags *pflag.FlagSet
}

func (f *sandboxFlag) register(cmd *cobra.Command) {
	f.flags = cmd.Flags()
	f.flags.StringVar(&f.mode, "policy-sandbox", string(sandbox.Auto),
		"confine the programs of policies; the `MODE` is auto (as far as the kernel allows), strict (do not start them unless it allows everything) or off")
	_ = cmd.RegisterFlagCompletionFunc("policy-sandbox", cobra.FixedCompletions([]string{"auto", "strict", "off"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *sandboxFlag) check() error {
	if f.flags == nil {
		f.mode = string(sandbox.Auto)
	}
	if !slices.Contains(sandbox.Modes(), sandbox.Mode(f.mode)) {
		return wrong(f.flags, "policy-sandbox", "expected auto, strict or off, found %q", f.mode)
	}
	return nil
}

// open makes the sandbox; nil where it is off.
func (f *sandboxFlag) open() (*sandbox.Sandbox, error) {
	if err := f.check(); err != nil {
		return nil, usage(err)
	}
	return sandbox.New(sandbox.Mode(f.mode)), nil
}

// find finds the policy of a file, whose program runs in the sandbox.
func (f *sandboxFlag) find(file string) (*tool.Subject, error) {
	s, err := f.open()
	if err != nil {
		return nil, err
	}
	subject, err := tool.Find(file)
	if err == nil {
		subject.Sandbox = s
	}
	return subject, err
}
