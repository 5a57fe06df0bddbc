package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// kubeProgram is quern with the libraries of Kubernetes.
const kubeProgram = "quern-kube"

// addKube adds a command that runs the program for Kubernetes, where this is not the program.
func addKube(root *cobra.Command, s cli.Streams) {
	for _, c := range root.Commands() {
		if c.Name() == "kube" {
			return
		}
	}
	root.AddCommand(&cobra.Command{
		Use:   "kube [flags] [COMMAND]",
		Short: "Schedule the pods of a Kubernetes cluster",
		Long: `Schedule the pods of a Kubernetes cluster, or record what happens in one.

This runs ` + kubeProgram + `, a program of its own, which is beside quern or in a folder of PATH.`,
		DisableFlagParsing: true,
		RunE:               func(cmd *cobra.Command, args []string) error { return runKube(cmd, s, args) },
	})
}

// runKube runs the program for Kubernetes with its arguments, and ends as it does.
func runKube(cmd *cobra.Command, s cli.Streams, args []string) error {
	path, err := findKube()
	if err != nil && (slices.Contains(args, "--help") || slices.Contains(args, "-h")) {
		return cmd.Help()
	}
	if err != nil {
		return cli.CodeError{Err: err, Code: cli.Failed, Hint: "make kube builds it; see docs/kubernetes/overview.md"}
	}
	c := exec.CommandContext(cmd.Context(), path, append([]string{"kube"}, args...)...)
	c.Stdin, c.Stdout, c.Stderr = s.In, cli.Below(s.Out), cli.Below(s.Err)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	err = c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return cli.Ended(exit.ExitCode())
	}
	return err
}

// findKube looks beside the running program first, which is of the same release.
func findKube() (string, error) {
	if self, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), kubeProgram)); err == nil {
			return beside, nil
		}
	}
	path, err := exec.LookPath(kubeProgram)
	if err != nil {
		return "", fmt.Errorf("%s is neither beside quern nor in a folder of PATH", kubeProgram)
	}
	return path, nil
}
