package manager

import (
	"context"
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/quern-project/quern/host/kube/retry"
)

// checkDevices refuses an API server without the API of dynamic resources, which the scheduler plugins read: its objects would be awaited
// without end.
func (m *Manager) checkDevices(ctx context.Context) error {
	if m.o.Filters == nil {
		return nil
	}
	list, err := m.served(ctx, resourcev1.SchemeGroupVersion)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("the API server does not serve %v, which the scheduler plugins read: expected Kubernetes 1.34 or later with this API switched on",
			resourcev1.SchemeGroupVersion)
	}
	return err
}

// served asks the API server, until it answers, what it has of a version of an API; none: it does not have that.
func (m *Manager) served(ctx context.Context, version schema.GroupVersion) ([]metav1.APIResource, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		list, err := answered(ctx, func() (*metav1.APIResourceList, error) {
			return m.o.Client.Discovery().ServerResourcesForGroupVersion(version.String())
		})
		switch {
		case apierrors.IsNotFound(err):
			return nil, nil
		case err == nil:
			return list.APIResources, nil
		}
		m.o.Log.Warn("the API server does not say what it has of an API; it is asked again", "api", version, "error", err)
		if !retry.Wait(ctx, pause) {
			return nil, context.Cause(ctx)
		}
	}
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
