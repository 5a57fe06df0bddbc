package recording

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// podSource lists and watches the pods of all namespaces. It reads what the API server sends itself, in protobuf, since a history needs a small part
// of it, and most versions of a pod differ in other parts only.
type podSource struct {
	client     rest.Interface
	schedulers []string // as Options have them
}

func newPodSource(cluster *rest.Config, schedulers []string) (*podSource, error) {
	c := rest.CopyConfig(cluster)
	c.APIPath, c.GroupVersion = "/api", &corev1.SchemeGroupVersion
	c.NegotiatedSerializer = scheme.Codecs.WithoutConversion() // of errors
	c.AcceptContentTypes, c.ContentType = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf
	client, err := rest.RESTClientFor(c)
	return &podSource{client: client, schedulers: schedulers}, err
}

func (s *podSource) request(o *metav1.ListOptions) *rest.Request {
	var timeout time.Duration
	if o.TimeoutSeconds != nil {
		timeout = time.Duration(*o.TimeoutSeconds) * time.Second
	}
	return s.client.Get().Resource("pods").VersionedParams(o, scheme.ParameterCodec).Timeout(timeout)
}

// List returns stripped pods.
func (s *podSource) List(ctx context.Context, o metav1.ListOptions) (*corev1.PodList, error) {
	text, err := s.request(&o).Do(ctx).Raw()
	if err != nil {
		return nil, err
	}
	content, err := contentOf(text, "PodList")
	if err != nil {
		return nil, err
	}
	list := &corev1.PodList{}
	if err := list.ListMeta.Unmarshal(field(content, 1)); err != nil {
		return nil, err
	}
	d := newPodDecoder(s.schedulers)
	for item := range values(content, 2) {
		clear(d.last) // no pod of a list is another version of one before
		pod, err := d.version(item)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, *pod)
	}
	return list, nil
}

// Watch sends stripped pods. Versions that do not differ from the one before are left out.
func (s *podSource) Watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	o.Watch = true
	body, err := s.request(&o).Stream(ctx)
	switch {
	case err == nil:
		return watch.NewStreamWatcher(newEventDecoder(body, s.schedulers), apierrors.NewClientErrorReporter(http.StatusInternalServerError, "watch", "ClientWatchDecoding")), nil
	case utilnet.IsProbableEOF(err) || utilnet.IsTimeout(err):
		return watch.NewEmptyWatch(), nil // as client-go has it: the watch goes on with another request
	}
	return nil, err
}

// prefix begins an object in protobuf.
var prefix = []byte("k8s\x00")

// contentOf returns the message inside the one around an object, which names its kind.
func contentOf(object []byte, kind string) ([]byte, error) {
	around, ok := bytes.CutPrefix(object, prefix)
	if !ok {
		return nil, fmt.Errorf("expected a %s in protobuf, found %.20q", kind, object)
	}
	if found := field(field(around, 1), 2); string(found) != kind { // TypeMeta.Kind
		return nil, fmt.Errorf("expected a %s, found a %q", kind, found)
	}
	content := field(around, 2)
	if content == nil || !readable(content) {
		return nil, fmt.Errorf("a %s cannot be read: it is not valid protobuf", kind)
	}
	return content, nil
}
