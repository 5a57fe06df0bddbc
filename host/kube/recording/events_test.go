package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// event is one that was decoded.
type event struct {
	kind    watch.EventType
	name    string
	version string
}

// decodedEvents are those of a stream, with the error that ends it.
func decodedEvents(stream io.Reader) (all []event, err error) {
	for d := newEventDecoder(io.NopCloser(stream), nil); ; {
		kind, object, err := d.Decode()
		if err != nil {
			return all, err
		}
		e := event{kind: kind}
		if o, ok := object.(metav1.Object); ok {
			e.name, e.version = o.GetName(), o.GetResourceVersion()
		}
		all = append(all, e)
	}
}

// stream are the events of two pods, and where each of them ends.
func stream(t testing.TB) (text []byte, ends []int) {
	t.Helper()
	var frames bytes.Buffer
	say := func(kind watch.EventType, o runtime.Object) {
		writeFrame(&frames, kind, encodedObject(t, o))
		ends = append(ends, frames.Len())
	}
	a, b := podObject("a", ""), podObject("b", "n1")
	a.ResourceVersion, b.ResourceVersion = "1", "2"
	say(watch.Added, a)
	say(watch.Added, b)
	a.ResourceVersion, a.Spec.NodeName = "3", "n1"
	say(watch.Modified, a)
	say(watch.Bookmark, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "4", Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}})
	b.ResourceVersion = "5"
	say(watch.Deleted, b)
	return frames.Bytes(), ends
}

var streamed = []event{{watch.Added, "a", "1"}, {watch.Added, "b", "2"}, {watch.Modified, "a", "3"}, {watch.Bookmark, "", "4"}, {watch.Deleted, "b", "5"}}

func TestEventsAreReadWhereverTheStreamIsCut(t *testing.T) {
	text, ends := stream(t)
	for cut := range len(text) + 1 {
		whole, want := 0, io.ErrUnexpectedEOF
		if cut == 0 {
			want = io.EOF
		}
		for _, end := range ends {
			if cut >= end {
				whole++
			}
			if cut == end {
				want = io.EOF
			}
		}
		for _, in := range []io.Reader{bytes.NewReader(text[:cut]), iotest.OneByteReader(bytes.NewReader(text[:cut]))} {
			all, err := decodedEvents(in)
			if len(all) != whole || !errors.Is(err, want) {
				t.Fatalf("cut at %d: found %v, %v, expected %d events, %v", cut, all, err, whole, want)
			}
			for i := range all {
				if all[i] != streamed[i] {
					t.Fatalf("cut at %d: event %d is %v, expected %v", cut, i, all[i], streamed[i])
				}
			}
		}
	}
}

func TestBookmark_KeepsItsAnnotations(t *testing.T) {
	text, _ := stream(t)
	for d := newEventDecoder(io.NopCloser(bytes.NewReader(text)), nil); ; {
		kind, object, err := d.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if kind == watch.Bookmark {
			if pod := object.(*corev1.Pod); pod.Annotations[metav1.InitialEventsAnnotationKey] != "true" {
				t.Errorf("found %+v", pod)
			}
			return
		}
	}
}

func TestAVersionThatSaysNothingNewIsLeftOut(t *testing.T) {
	var frames bytes.Buffer
	pod := lifelike()
	writeFrame(&frames, watch.Added, encodedObject(t, pod))
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	pod.Status.Phase, pod.ResourceVersion, pod.ManagedFields = corev1.PodRunning, "8", nil
	writeFrame(&frames, watch.Modified, encodedObject(t, pod))
	pod.Labels["queue"], pod.ResourceVersion = "root.other", "9"
	writeFrame(&frames, watch.Modified, encodedObject(t, pod))
	writeFrame(&frames, watch.Deleted, encodedObject(t, pod))
	writeFrame(&frames, watch.Added, encodedObject(t, pod)) // again
	all, err := decodedEvents(&frames)
	want := []event{{watch.Added, pod.Name, "123456"}, {watch.Modified, pod.Name, "9"}, {watch.Deleted, pod.Name, "9"}, {watch.Added, pod.Name, "9"}}
	if !errors.Is(err, io.EOF) || len(all) != len(want) {
		t.Fatalf("found %v, %v, expected %v", all, err, want)
	}
	for i := range want {
		if all[i] != want[i] {
			t.Errorf("event %d is %v, expected %v", i, all[i], want[i])
		}
	}
}

func TestAnErrorOfTheWatchIsHandedOn(t *testing.T) {
	var frames bytes.Buffer
	writeFrame(&frames, watch.Error, encodedObject(t, &metav1.Status{Status: metav1.StatusFailure, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}))
	kind, object, err := newEventDecoder(io.NopCloser(&frames), nil).Decode()
	if status, ok := object.(*metav1.Status); kind != watch.Error || !ok || status.Reason != metav1.StatusReasonExpired || err != nil {
		t.Errorf("found %v, %v, %v", kind, object, err)
	}
}

func TestAStreamThatIsNotOfPodsIsRefused(t *testing.T) {
	var node, unknown bytes.Buffer
	writeFrame(&node, watch.Added, encodedObject(t, nodeObject("n1")))
	writeFrame(&unknown, "RENAMED", encodedObject(t, lifelike()))
	for _, c := range []struct{ text, want string }{
		{node.String(), `expected a Pod, found a "Node"`},
		{unknown.String(), `an event has the unknown type "RENAMED"`},
		{"<html>" + string(make([]byte, 100)), "an event has 1013478509 bytes, expected at most 16777216"},
		{string(binary.BigEndian.AppendUint32(nil, 2)) + "{}", `expected a Pod in protobuf, found ""`},
	} {
		if all, err := decodedEvents(bytes.NewReader([]byte(c.text))); len(all) != 0 || err == nil || err.Error() != c.want {
			t.Errorf("found %v, %v, expected %s", all, err, c.want)
		}
	}
}

// Whatever comes is decoded or refused, and it does not matter in which pieces it comes.
func FuzzEvents(f *testing.F) {
	text, ends := stream(f)
	f.Add(text)
	f.Add(text[:ends[1]+7])
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		all, err := decodedEvents(bytes.NewReader(text))
		again, err2 := decodedEvents(iotest.OneByteReader(bytes.NewReader(text)))
		if err == nil || err2 == nil || err.Error() != err2.Error() || len(all) != len(again) {
			t.Fatalf("found %v, %v, and then %v, %v", all, err, again, err2)
		}
	})
}
