package filter

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"

	"github.com/quern-project/quern/host/kube/nodefit"
)

// filtering are the plugins that judge nodes, in the order of Kubernetes' own scheduler, and reserving those of them that reserve what a pod
// gets. What the scheduler knows itself, by constraints, is judged again (comparing, and NodeAffinity): a change of a node may
// reach it a moment after the plugins, and no pod may be placed by a mixture of both versions.
var (
	comparing = []string{names.NodeUnschedulable, names.TaintToleration}
	filtering = []string{names.NodeAffinity, nodefit.NodePorts, nodefit.VolumeRestrictions, nodefit.NodeVolumeLimits, nodefit.VolumeBinding, nodefit.VolumeZone,
		nodefit.PodTopologySpread, nodefit.InterPodAffinity, nodefit.DynamicResources, nodefit.NodeDeclaredFeatures}
	reserving = []string{nodefit.VolumeBinding, nodefit.DynamicResources}
)

// newFramework makes the framework that runs the plugins. They read nodes and pods from the cluster, all else from informers; synced reports
// whether they have taken in what those had at first.
func newFramework(ctx context.Context, o *Options, c fwk.SharedLister) (f framework.Framework, synced cache.InformerSynced, err error) {
	metrics.Register() // the framework counts whether or not the counts are read
	profile, err := profileOf()
	if err != nil {
		return nil, nil, err
	}
	synced = func() bool { return true }
	options := []frameworkruntime.Option{
		frameworkruntime.WithClientSet(o.Client), frameworkruntime.WithKubeConfig(o.Config), frameworkruntime.WithInformerFactory(o.Informers),
		frameworkruntime.WithSnapshotSharedLister(c), frameworkruntime.WithLogger(klog.FromContext(ctx)),
		frameworkruntime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(o.Informers.Storage().V1().CSINodes().Lister())),
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.DynamicResourceAllocation) {
		manager, resolved, err := devices(ctx, o)
		if err != nil {
			return nil, nil, err
		}
		if resolved != nil {
			synced = resolved
		}
		options = append(options, frameworkruntime.WithSharedDRAManager(manager))
	}
	f, err = frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(), profile, options...)
	return f, synced, err
}

// profileOf is the default profile, reduced to the plugins here. The framework insists on an order of pods and a binder, which are not used.
func profileOf() (*config.KubeSchedulerProfile, error) {
	c, err := latest.Default()
	if err != nil {
		return nil, err
	}
	if len(c.Profiles) == 0 {
		return nil, errors.New("expected a default profile, found none")
	}
	profile := c.Profiles[0]
	judging, keeping := setOf(filtering...), setOf(reserving...)
	profile.Plugins = &config.Plugins{PreFilter: judging, Filter: setOf(slices.Concat(comparing, filtering)...), Reserve: keeping, PreBind: keeping,
		QueueSort: setOf(names.PrioritySort), Bind: setOf(names.DefaultBinder)}
	for i := range profile.PluginConfig {
		if spread, ok := profile.PluginConfig[i].Args.(*config.PodTopologySpreadArgs); ok {
			own := *spread
			own.DefaultingType = config.ListDefaulting // the system's own defaults never keep a pod off a node
			profile.PluginConfig[i].Args = runtime.Object(&own)
		}
	}
	return &profile, nil
}

func setOf(plugins ...string) (set config.PluginSet) {
	for _, p := range plugins {
		set.Enabled = append(set.Enabled, config.Plugin{Name: p})
	}
	return set
}

// devices keeps what DynamicResources reads: claims, with those that are reserved for pods, and the devices of nodes. resolved reports whether
// it knows the extended resources that they stand for; nil: they stand for none.
func devices(ctx context.Context, o *Options) (manager fwk.SharedDRAManager, resolved cache.InformerSynced, err error) {
	resources := o.Informers.Resource()
	slices := tracker.Options{
		EnableDeviceTaintRules:   utilfeature.DefaultFeatureGate.Enabled(features.DRADeviceTaintRules),
		EnableConsumableCapacity: utilfeature.DefaultFeatureGate.Enabled(features.DRAConsumableCapacity),
		SliceInformer:            resources.V1().ResourceSlices(),
		KubeClient:               o.Client,
	}
	if slices.EnableDeviceTaintRules {
		slices.TaintInformer, slices.ClassInformer = resources.V1beta2().DeviceTaintRules(), resources.V1().DeviceClasses()
	}
	tracked, err := tracker.StartTracker(ctx, slices)
	if err != nil {
		return nil, nil, fmt.Errorf("resource slices: %w", err)
	}
	claims := assumecache.NewAssumeCache(klog.FromContext(ctx), resources.V1().ResourceClaims().Informer(), "ResourceClaim", "", nil)
	manager = dynamicresources.NewDRAManager(ctx, claims, tracked, o.Informers)
	resolver, ok := manager.DeviceClassResolver().(cache.ResourceEventHandler)
	if ok && utilfeature.DefaultFeatureGate.Enabled(features.DRAExtendedResource) {
		follows, err := resources.V1().DeviceClasses().Informer().AddEventHandler(resolver)
		if err != nil {
			return nil, nil, fmt.Errorf("device classes: %w", err)
		}
		resolved = follows.HasSynced
	}
	return manager, resolved, nil
}

// watch marks predicates as stale when objects change that the plugins read and that are no inputs of the scheduler.
func (f *Filters) watch(o informers.SharedInformerFactory) error {
	note := cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { f.noteStale() },
		UpdateFunc: func(old, current any) {
			if seen(old, current) {
				f.noteStale()
			}
		},
		DeleteFunc: func(any) { f.noteStale() },
	}
	for _, i := range []cache.SharedIndexInformer{
		o.Core().V1().Namespaces().Informer(), o.Core().V1().PersistentVolumes().Informer(), o.Core().V1().PersistentVolumeClaims().Informer(),
		o.Storage().V1().StorageClasses().Informer(), o.Storage().V1().CSINodes().Informer(), o.Storage().V1().CSIDrivers().Informer(),
		o.Storage().V1().CSIStorageCapacities().Informer(), o.Resource().V1().ResourceClaims().Informer(),
		o.Resource().V1().ResourceSlices().Informer(), o.Resource().V1().DeviceClasses().Informer(),
	} {
		if _, err := i.AddEventHandler(note); err != nil {
			return fmt.Errorf("informers: %w", err)
		}
	}
	return nil
}

// seen reports whether plugins may see a difference between two versions of an object.
func seen(old, current any) bool {
	if a, ok := old.(*corev1.Namespace); ok {
		b, ok := current.(*corev1.Namespace)
		return !ok || !maps.Equal(a.Labels, b.Labels)
	}
	a, err := meta.Accessor(old)
	if err != nil {
		return true
	}
	b, err := meta.Accessor(current)
	return err != nil || a.GetResourceVersion() != b.GetResourceVersion()
}
