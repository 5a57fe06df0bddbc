package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/kube/leader"
	"github.com/quern-project/quern/host/kube/policymaps"
)

// platform is a Kubernetes cluster, as flags name it.
type platform struct {
	access     access
	schedulers []string // in spec.schedulerName
	queue      string
	binds      int
	groupless  string // what pods do whose pod groups the API server does not have: wait or ignore
	elect      bool
	lease      string // name of the Lease
	namespace  string // of the Lease
	duration   time.Duration
	pod        string // that is labelled while it leads; empty: none
	policies   string // namespace of the ConfigMaps with modules; empty: there are none
}

const mostBinds = 10_000

// The values of --missing-pod-groups.
const (
	waitForGroups = "wait"
	ignoreGroups  = "ignore"
)

// Register implements servecmd.Platform.
func (p *platform) Register(flags *pflag.FlagSet) {
	p.access.register(flags)
	flags.StringSliceVar(&p.schedulers, "scheduler-name", []string{"quern"}, "schedule the pods that have this `NAME` in spec.schedulerName; repeatable")
	flags.StringVar(&p.queue, "default-queue", "", "the `QUEUE` of applications that name none (default: as the placement rules say)")
	flags.StringVar(&p.policies, "policy-configmaps", "", "take policy modules from the ConfigMaps of this `NAMESPACE` that have the label "+policymaps.Label+"=true, into the folder of --policies")
	flags.IntVar(&p.binds, "binds", 64, "bind at most `N` pods at a time")
	flags.StringVar(&p.groupless, "missing-pod-groups", waitForGroups, "what pods of pod groups do while the API server has none of a known version: `HOW` is wait, or ignore, which schedules them one by one")
	flags.BoolVar(&p.elect, "leader-elect", true, "schedule only while this replica holds the lease")
	flags.StringVar(&p.lease, "lease", "quern", "the `NAME` of the lease")
	flags.StringVar(&p.namespace, "lease-namespace", "", "its `NAMESPACE` (default: that of the pod, or else kube-system)")
	flags.StringVar(&p.pod, "leader-pod", "", "give the pod of this `NAME`, in the namespace of the lease, the label "+leaderLabel+"=true while this replica schedules")
	allowPredicates(flags)
	flags.DurationVar(&p.duration, "lease-duration", leader.DefaultTiming.Lease, "the `DURATION` after which another replica takes over from one that has failed, in whole seconds")
}

// mostPredicates is how many predicates asks may name unless a flag says otherwise: pods with volumes or labels of their own have each one,
// and those that run count too. There are no more pods in a cluster.
const mostPredicates = "1000000"

// allowPredicates gives the limit of predicates another default.
func allowPredicates(flags *pflag.FlagSet) {
	limit := flags.Lookup("max-predicates")
	if err := limit.Value.Set(mostPredicates); err != nil {
		panic(err) // our bug: the program has the flag, and takes the number
	}
	limit.DefValue = mostPredicates
}

// Check implements servecmd.Platform.
func (p *platform) Check(flags *pflag.FlagSet) error {
	var all []error
	for _, name := range p.schedulers {
		if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
			all = append(all, servecmd.Wrong(flags, "scheduler-name", "expected a name such as quern, found %q", name))
		}
	}
	if len(p.schedulers) == 0 {
		all = append(all, servecmd.Wrong(flags, "scheduler-name", "expected a name such as quern, found none"))
	}
	if folder := flags.Lookup("policies"); p.policies != "" && folder.Value.String() == "" {
		all = append(all, servecmd.Wrong(flags, "policy-configmaps", "expected --policies with the folder that modules are written to"))
	}
	if problems := validation.IsDNS1123Label(p.policies); p.policies != "" && len(problems) > 0 {
		all = append(all, servecmd.Wrong(flags, "policy-configmaps", "expected the name of a namespace, found %q", p.policies))
	}
	if p.binds < 1 || p.binds > mostBinds {
		all = append(all, servecmd.Wrong(flags, "binds", "expected 1 to %d, found %d", mostBinds, p.binds))
	}
	if p.groupless != waitForGroups && p.groupless != ignoreGroups {
		all = append(all, servecmd.Wrong(flags, "missing-pod-groups", "expected %s or %s, found %q", waitForGroups, ignoreGroups, p.groupless))
	}
	if p.duration < leastLease || p.duration%time.Second != 0 {
		all = append(all, servecmd.Wrong(flags, "lease-duration", "expected whole seconds, and at least %v, found %v", leastLease, p.duration))
	}
	if problems := validation.IsDNS1123Subdomain(p.lease); len(problems) > 0 {
		all = append(all, servecmd.Wrong(flags, "lease", "expected a name such as quern, found %q", p.lease))
	}
	if problems := validation.IsDNS1123Subdomain(p.pod); p.pod != "" && len(problems) > 0 {
		all = append(all, servecmd.Wrong(flags, "leader-pod", "expected the name of a pod, found %q", p.pod))
	}
	if problems := validation.IsDNS1123Label(p.namespace); p.namespace != "" && len(problems) > 0 {
		all = append(all, servecmd.Wrong(flags, "lease-namespace", "expected the name of a namespace, found %q", p.namespace))
	}
	return errors.Join(all...)
}

// Connect implements servecmd.Platform.
func (p *platform) Connect(ctx context.Context, s servecmd.Surroundings) (servecmd.Connection, error) {
	log := s.Log
	klog.SetSlogLogger(log) // what the libraries of Kubernetes have to say
	config, err := p.access.load()
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, servecmd.BadInput(err)
	}
	c := &connection{log: log, health: &configEvents{client: client, namespace: p.leaseNamespace(), name: p.lease, log: log}}
	if p.elect {
		if c.elector, err = p.elector(config, log); err != nil {
			return nil, err
		}
	}
	if p.policies != "" {
		if c.modules, err = p.modules(ctx, config, s.Policies, log); err != nil {
			return nil, err
		}
	}
	return c, c.follow(ctx, p, config)
}

// leastLease leaves time for a renewal that fails and another one.
const leastLease = 3 * time.Second

// elector takes part in the election, with a client of its own, so that renewals wait for nothing.
func (p *platform) elector(config *rest.Config, log *slog.Logger) (*leader.Elector, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, servecmd.BadInput(err)
	}
	return leader.New(leader.Options{Client: client, Namespace: p.leaseNamespace(), Name: p.lease, Timing: timing(p.duration), Log: log})
}

// modules begins to take modules from ConfigMaps.
func (p *platform) modules(ctx context.Context, config *rest.Config, dir string, log *slog.Logger) (synced <-chan struct{}, err error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, servecmd.BadInput(err)
	}
	source, err := policymaps.New(policymaps.Options{Client: client, Namespace: p.policies, Dir: dir, Log: log})
	if err != nil {
		return nil, servecmd.BadInput(err)
	}
	go source.Run(ctx)
	return source.Synced(), nil
}

// timing is that of a lease: renewed five times and more in its time, and given up in two thirds of it.
func timing(lease time.Duration) leader.Timing {
	return leader.Timing{Lease: lease, Deadline: lease * 2 / 3, Renew: lease * 2 / 15, Retry: min(lease/15, time.Second)}
}

// namespaceFile is where a pod finds the name of its namespace.
const namespaceFile = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// leaseNamespace is the namespace of the lease.
func (p *platform) leaseNamespace() string {
	if p.namespace != "" {
		return p.namespace
	}
	if text, err := os.ReadFile(namespaceFile); err == nil {
		if name := strings.TrimSpace(string(text)); name != "" {
			return name
		}
	}
	return "kube-system"
}
