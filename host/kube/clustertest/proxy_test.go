package clustertest

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func (f *fixture) proxyInjects(t *testing.T, ctx context.Context) {
	p := f.NewProxy(t)
	client, err := kubernetes.NewForConfig(p.Config())
	if err != nil {
		t.Fatal(err)
	}
	maps := client.CoreV1().ConfigMaps(metav1.NamespaceDefault)
	var answered atomic.Int64
	p.Observe(func(r *http.Request, status int) {
		if r.Method == http.MethodPost && status == http.StatusCreated {
			answered.Add(1)
		}
	})
	w, err := maps.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	create := func(name string) error {
		_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		return err
	}
	for _, test := range []struct {
		name  string
		fault Fault
		is    func(error) bool
		made  bool
	}{
		{"passed", Fault{}, func(err error) bool { return err == nil }, true},
		{"conflict", Fault{Status: http.StatusConflict}, apierrors.IsConflict, false},
		{"gone", Fault{Status: http.StatusGone}, apierrors.IsResourceExpired, false},
		{"error-late", Fault{Status: http.StatusInternalServerError, Late: true}, apierrors.IsInternalError, true},
		{"dropped", Fault{Drop: true}, func(err error) bool { return err != nil }, false},
		{"dropped-late", Fault{Drop: true, Late: true}, func(err error) bool { return err != nil }, true},
	} {
		before := answered.Load()
		p.Inject(func(*http.Request) Fault { return test.fault })
		if err := create(test.name); !test.is(err) {
			t.Errorf("%s: found the error %v", test.name, err)
		}
		p.Inject(nil)
		if _, err := maps.Get(ctx, test.name, metav1.GetOptions{}); apierrors.IsNotFound(err) == test.made {
			t.Errorf("%s: expected carried out: %v, found %v", test.name, test.made, err)
		}
		if observed := answered.Load() > before; observed != test.made {
			t.Errorf("%s: observed %v", test.name, observed)
		}
	}
	p.EndWatches()
	for range w.ResultChan() { // it ends
	}
	if ctx.Err() != nil {
		t.Error("the watch has not ended")
	}
}
