package main

import (
	"fmt"
	"net"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/kube/webhook"
)

// hook are the flags of the command webhook.
type hook struct {
	access  access
	log     logFlags
	address string
	options webhook.Options

	process, bypass, users, groups []string // patterns
	selector                       string
}

func newWebhook() *cobra.Command {
	var h hook
	cmd := &cobra.Command{
		Use:   "webhook [flags]",
		Short: "Send pods to the scheduler, and check their users, as an admission webhook",
		Long: `Serve the admission webhook of a cluster: it has pods scheduled by this scheduler, gives them applications, queues and users, and checks queue
configurations before they are stored. It makes its certificates by itself. Several replicas share them.`,
		Example: `  quern kube webhook --webhook-name quern-webhook.quern.svc --namespace quern`,
		Args:    servecmd.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return h.run(cmd) },
	}
	flags := cmd.Flags()
	h.access.register(flags)
	h.log.register(flags)
	flags.StringVar(&h.address, "listen", ":9443", "the `ADDRESS` to serve on, with TLS")
	flags.StringVar(&h.options.Namespace, "namespace", "quern", "the `NAMESPACE` of the Secret with the certificates, and of the queue configuration")
	flags.StringVar(&h.options.Secret, "secret", "quern-webhook", "the `NAME` of that Secret")
	flags.StringSliceVar(&h.options.Names, "webhook-name", nil, "a `NAME` or an address by which API servers call this webhook; repeatable, at least one")
	flags.StringVar(&h.options.Mutating, "mutating", "quern", "the `NAME` of the MutatingWebhookConfiguration that gets the authority; empty: none")
	flags.StringVar(&h.options.Validating, "validating", "quern", "the `NAME` of the ValidatingWebhookConfiguration that gets the authority; empty: none")
	h.registerRules(flags)
	return cmd
}

func (h *hook) registerRules(flags *pflag.FlagSet) {
	rules, queues := &h.options.Rules, &h.options.Queues
	flags.StringSliceVar(&rules.Schedulers, "for-scheduler", []string{"quern"}, "guard the pods that have this `NAME` in spec.schedulerName; repeatable; pods that name none get the first")
	flags.StringVar(&rules.Queue, "default-queue", "", "the `QUEUE` for pods that name none (default: as the placement rules say)")
	flags.StringArrayVar(&h.process, "process-namespaces", nil, "process namespaces whose names match this regular `EXPRESSION`; repeatable (default: all)")
	flags.StringArrayVar(&h.bypass, "bypass-namespaces", []string{"^kube-system$"}, "leave namespaces alone whose names match this regular `EXPRESSION`; repeatable")
	flags.StringVar(&h.selector, "namespace-selector", "", "process only namespaces with these labels (`SELECTOR`)")
	flags.StringArrayVar(&h.users, "trusted-users", nil, "let users whose names match this regular `EXPRESSION` name any user; repeatable")
	flags.StringArrayVar(&h.groups, "trusted-groups", nil, "the same for members of groups; repeatable")
	flags.StringSliceVar(&queues.Names, "queues-configmap", []string{"quern-queues"}, "check the queue configuration in the ConfigMap of this `NAME`; repeatable")
	flags.StringVar(&queues.Key, "queues-key", "queues.yaml", "the `KEY` under which the configuration is")
}

func (h *hook) run(cmd *cobra.Command) error {
	if err := h.rules(cmd.Flags()); err != nil {
		return servecmd.BadInput(err)
	}
	if len(h.options.Names) == 0 {
		return servecmd.BadInput(servecmd.Wrong(cmd.Flags(), "webhook-name", "expected a name such as quern-webhook.quern.svc, found none"))
	}
	config, err := h.access.load()
	if err != nil {
		return err
	}
	if h.options.Log, err = h.log.open(cmd); err != nil {
		return err
	}
	if h.options.Client, err = kubernetes.NewForConfig(config); err != nil {
		return servecmd.BadInput(err)
	}
	if h.options.Listener, err = (&net.ListenConfig{}).Listen(cmd.Context(), "tcp", h.address); err != nil {
		return servecmd.BadInput(fmt.Errorf("--listen: %w", err))
	}
	server, err := webhook.New(h.options)
	if err != nil {
		_ = h.options.Listener.Close() // nothing was served
		return servecmd.BadInput(err)
	}
	return server.Run(cmd.Context())
}

// rules reads the patterns.
func (h *hook) rules(flags *pflag.FlagSet) error {
	rules := &h.options.Rules
	h.options.Queues.Namespace = h.options.Namespace
	for _, list := range []struct {
		flag  string
		texts []string
		to    *webhook.Patterns
	}{
		{"process-namespaces", h.process, &rules.Process}, {"bypass-namespaces", h.bypass, &rules.Bypass},
		{"trusted-users", h.users, &rules.TrustedUsers}, {"trusted-groups", h.groups, &rules.TrustedGroups},
	} {
		*list.to = webhook.Patterns{}
		for _, text := range list.texts {
			pattern, err := regexp.Compile(text)
			if err != nil {
				return servecmd.Wrong(flags, list.flag, "expected a regular expression, found %q: %w", text, err)
			}
			*list.to = append(*list.to, pattern)
		}
	}
	if h.selector == "" {
		return nil
	}
	selector, err := labels.Parse(h.selector)
	if err != nil {
		return servecmd.Wrong(flags, "namespace-selector", "expected a label selector such as team=data, found %q: %w", h.selector, err)
	}
	rules.Namespaces = selector
	return nil
}
