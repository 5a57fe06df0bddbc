// Command quern-kube is quern with the command kube, which schedules the pods of a Kubernetes cluster.
package main

import (
	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/program"
	"github.com/quern-project/quern/cmd/quern/servecmd"
)

func main() { program.Main(kube()) }

// kube is the command that schedules, with those that have to do with Kubernetes below it.
func kube() servecmd.Extension {
	return servecmd.Extension{
		Use:   "kube [flags]",
		Short: "Schedule the pods of a Kubernetes cluster",
		Long: `Schedule the pods of a Kubernetes cluster that name this scheduler in spec.schedulerName.

Queues are those of --config. Labels and annotations assign pods to applications and queues, as on YuniKorn. What is known of the cluster comes
from its API server, also after a restart. Of several replicas one schedules: the one that holds the lease.

The cluster is the one that this process runs in, or that of kubectl's configuration. HTTP serves what quern serve does, on this machine only
unless --http says otherwise; kubectl port-forward reaches it.`,
		Example: `  quern kube --config queues.yaml
  quern kube --kubeconfig ~/.kube/test --scheduler-name quern --scheduler-name yunikorn --leader-elect=false`,
		New:   func() servecmd.Platform { return new(platform) },
		Below: func() []*cobra.Command { return []*cobra.Command{newRecord(), newWebhook()} },
	}
}
