package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/tool"
)

// SandboxFlag says whether the programs of process policies are confined: they are, in a command without the flag.
type SandboxFlag struct {
	mode  string
	flags *pflag.FlagSet
}

func (f *SandboxFlag) Register(cmd *cobra.Command) {
	f.flags = cmd.Flags()
	f.flags.StringVar(&f.mode, "policy-sandbox", string(sandbox.Auto),
		"confine the programs of policies; the `MODE` is auto (as far as the kernel allows), strict (do not start them unless it allows everything) or off")
	_ = cmd.RegisterFlagCompletionFunc("policy-sandbox", cobra.FixedCompletions([]string{"auto", "strict", "off"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *SandboxFlag) Check() error {
	if f.flags == nil {
		f.mode = string(sandbox.Auto)
	}
	if !slices.Contains(sandbox.Modes(), sandbox.Mode(f.mode)) {
		return Wrong(f.flags, "policy-sandbox", "expected auto, strict or off, found %q", f.mode)
	}
	return nil
}

// Open makes the sandbox; nil where it is off.
func (f *SandboxFlag) Open() (*sandbox.Sandbox, error) {
	if err := f.Check(); err != nil {
		return nil, Usage(err)
	}
	return sandbox.New(sandbox.Mode(f.mode)), nil
}

// Find finds the policy of a file, whose program runs in the sandbox.
func (f *SandboxFlag) Find(file string) (*tool.Subject, error) {
	s, err := f.Open()
	if err != nil {
		return nil, err
	}
	subject, err := tool.Find(file)
	if err == nil {
		subject.Sandbox = s
	}
	return subject, err
}
