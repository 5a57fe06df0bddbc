package podgroup

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// informer makes an informer of the groups of a version.
func (f *Follower) informer(version schema.GroupVersion) cache.SharedIndexInformer {
	informer := dynamicinformer.NewFilteredDynamicInformer(f.o.Client, version.WithResource(f.resource()), metav1.NamespaceAll, 0, cache.Indexers{}, nil).Informer()
	_, handles := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(o any, first bool) {
			if !first { // the first ones are compared with those of the source before
				f.changed(o)
			}
		},
		UpdateFunc: func(old, current any) {
			if !same(read(old.(*unstructured.Unstructured)), read(current.(*unstructured.Unstructured))) {
				f.changed(current)
			}
		},
		DeleteFunc: f.changed,
	})
	if err := errors.Join(informer.SetTransform(lean), informer.SetWatchErrorHandlerWithContext(f.failed), handles); err != nil {
		panic(err) // our bug: an informer that has not started takes all of them
	}
	return informer
}

func (f *Follower) changed(o any) {
	if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(o); err == nil { // an informer has objects only
		f.o.Changed(key)
	}
}

// failed handles the error of a list or a watch. If the version is not found, the API server is asked at once whether it still has it.
func (f *Follower) failed(ctx context.Context, r *cache.Reflector, err error) {
	if !apierrors.IsNotFound(err) {
		cache.DefaultWatchErrorHandler(ctx, r, err)
		return
	}
	select {
	case f.gone <- struct{}{}:
	default:
	}
}

// lean drops the parts of an object that neither a Group nor a Status has, so that they take no memory.
func lean(o any) (any, error) {
	if group, is := o.(*unstructured.Unstructured); is {
		group.SetManagedFields(nil)
		if status, has := group.Object["status"].(map[string]any); has {
			delete(status, "resourceClaimStatuses")
		}
	}
	return o, nil
}

func (s *source) get(key string) *Group {
	if o := s.object(key); o != nil {
		return read(o)
	}
	return nil
}

// object returns a group as the API server has it; nil: it is not there.
func (s *source) object(key string) *unstructured.Unstructured {
	if s.groups == nil {
		return nil
	}
	o, there, err := s.groups.GetByKey(key)
	if err != nil || !there {
		return nil
	}
	return o.(*unstructured.Unstructured)
}

// keys are the names of the groups of sources.
func keys(sources ...*source) map[string]bool {
	all := map[string]bool{}
	for _, s := range sources {
		if s.groups == nil {
			continue
		}
		for _, key := range s.groups.ListKeys() {
			all[key] = true
		}
	}
	return all
}
