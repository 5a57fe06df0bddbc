package recording

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
)

// mostBytes bounds an event, as client-go bounds it.
const mostBytes = 16 << 20

// eventDecoder reads the events of a watch of pods: frames of a length and a message each.
type eventDecoder struct {
	body  io.Closer
	in    *bufio.Reader
	frame []byte // used again for each event
	pods  *podDecoder
}

func newEventDecoder(body io.ReadCloser, schedulers []string) *eventDecoder {
	return &eventDecoder{body: body, in: bufio.NewReaderSize(body, 32<<10), pods: newPodDecoder(schedulers)}
}

// Close implements watch.Decoder.
func (d *eventDecoder) Close() { _ = d.body.Close() } // what was read is complete without it

// Decode implements watch.Decoder.
func (d *eventDecoder) Decode() (watch.EventType, runtime.Object, error) {
	for {
		if err := d.read(); err != nil {
			return "", nil, err
		}
		if kind, object, err := d.event(); object != nil || err != nil {
			return kind, object, err
		}
	}
}

// read reads a frame.
func (d *eventDecoder) read() error {
	var length [4]byte
	if _, err := io.ReadFull(d.in, length[:]); err != nil {
		return err
	}
	n := int(binary.BigEndian.Uint32(length[:]))
	if n > mostBytes {
		return fmt.Errorf("an event has %d bytes, expected at most %d", n, mostBytes)
	}
	if cap(d.frame) < n {
		d.frame = make([]byte, n)
	}
	d.frame = d.frame[:n]
	_, err := io.ReadFull(d.in, d.frame)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// event decodes the event of a frame; without an object, it says nothing new.
func (d *eventDecoder) event() (watch.EventType, runtime.Object, error) {
	kind, object := watch.EventType(field(d.frame, 1)), field(field(d.frame, 2), 1)
	if kind == watch.Bookmark || kind == watch.Error {
		o, err := runtime.Decode(scheme.Codecs.UniversalDeserializer(), object)
		return kind, o, err
	}
	content, err := contentOf(object, "Pod")
	if err != nil {
		return "", nil, err
	}
	var pod *corev1.Pod
	switch kind {
	case watch.Added, watch.Modified:
		pod, err = d.pods.version(content)
	case watch.Deleted:
		pod = d.pods.deleted(content)
	default:
		err = fmt.Errorf("an event has the unknown type %q", kind)
	}
	if pod == nil {
		return kind, nil, err
	}
	return kind, pod, nil
}
