package importcmd

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/importing/kubernetes"
)

type importKubernetesFlags struct {
	importFlags
	kubernetes kubernetes.Options
}

func newImportKubernetes(s cli.Streams) *cobra.Command {
	var f importKubernetesFlags
	cmd := &cobra.Command{
		Use:   "kubernetes [flags] LISTING...",
		Short: "Import the nodes and pods of a Kubernetes cluster, as kubectl lists them",
		Long: `Import what kubectl get nodes,pods --all-namespaces -o json prints: nodes, pods that run as allocations, pods that wait as asks.
The listing may also have namespaces, with their quotas, priority classes and pod groups. Pods with task groups or a pod group become gangs.
It may be compressed with gzip or zstd; - is standard input.`,
		Example: `  kubectl get nodes,pods,namespaces,priorityclasses -A -o json | quern import kubernetes -o cluster.journal -
  quern import kubernetes --scheduler yunikorn -o cluster.journal nodes.json pods.json.gz`,
		Args: cli.SomeArguments,
		RunE: func(cmd *cobra.Command, listings []string) error { return f.runKubernetes(cmd.Context(), listings, s) },
	}
	f.register(cmd, timesDates)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.kubernetes.Schedulers, "scheduler", nil, "take only pods of the scheduler `NAME`; repeatable. Other pods occupy their nodes")
	return cmd
}

func (f *importKubernetesFlags) runKubernetes(ctx context.Context, listings []string, s cli.Streams) error {
	return f.run(ctx, s, listings, func(r *importRun) error {
		reader := kubernetes.NewReader(r.sink, f.kubernetes)
		for _, name := range listings {
			if err := r.read(name, func(in io.Reader, file string) error { return reader.Read(in, file) }); err != nil {
				return err
			}
		}
		return reader.Give()
	})
}
