// Package served asks an API server what it has of an API.
package served

import (
	"context"
	"log/slog"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"github.com/quern-project/quern/host/kube/retry"
)

// The pauses between two questions.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = 2 * time.Second
)

// Has reports whether the API server has a resource, such as podgroups, of a version of an API. It asks until the server answers or the context
// ends, whose cause is the error then.
func Has(ctx context.Context, client discovery.DiscoveryInterface, version schema.GroupVersion, resource string, log *slog.Logger) (bool, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		list, err := answered(ctx, func() (*metav1.APIResourceList, error) {
			return client.ServerResourcesForGroupVersion(version.String())
		})
		switch {
		case apierrors.IsNotFound(err):
			return false, nil
		case err == nil:
			return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == resource }), nil
		}
		log.Warn("the API server does not say what it has of an API; it is asked again", "api", version, "error", err)
		if !retry.Wait(ctx, pause) {
			return false, context.Cause(ctx)
		}
	}
}

// Versions lists the versions that the API server has of a group of APIs; none: it does not have the group. It asks once.
func Versions(ctx context.Context, client discovery.DiscoveryInterface, group string) (versions []schema.GroupVersion, err error) {
	list, err := answered(ctx, client.ServerGroups)
	if err != nil {
		return nil, err
	}
	for i := range list.Groups {
		if list.Groups[i].Name != group {
			continue
		}
		for _, v := range list.Groups[i].Versions {
			versions = append(versions, schema.GroupVersion{Group: group, Version: v.Version})
		}
	}
	return versions, nil
}

// answered asks once. The functions of the client take no context and may repeat the question without end: when the context ends, they are left behind.
func answered[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		value, err := ask()
		answers <- answer{value, err}
	}()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
