package main

import (
	"fmt"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/quern-project/quern/cmd/quern/servecmd"
)

// access says how the API server is reached.
type access struct{ file, context string }

func (a *access) register(flags *pflag.FlagSet) {
	flags.StringVar(&a.file, "kubeconfig", "", "the configuration (`FILE`) of kubectl (default: that of the pod, $KUBECONFIG or ~/.kube/config)")
	flags.StringVar(&a.context, "kube-context", "", "the context (`NAME`) of that configuration (default: its current one)")
}

// load returns the configuration of a client without limits of its own: how much is under way is bounded where it is sent.
func (a *access) load() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = a.file
	c, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: a.context}).ClientConfig()
	if err != nil {
		return nil, servecmd.BadInput(fmt.Errorf("--kubeconfig: %w", err))
	}
	c.QPS = -1
	return c, nil
}
