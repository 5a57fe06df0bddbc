package recording

import (
	"errors"
	"hash/maphash"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podDecoder decodes versions of pods in protobuf, as far as strip keeps them. What is as it was in the last version is shared with that, so that
// no decoded pod may be changed.
type podDecoder struct {
	schedulers []string
	seed       maphash.Seed
	kept       []byte // used again for each version
	last       map[types.UID]podVersion
}

// podVersion is the last version of a pod.
type podVersion struct {
	*corev1.Pod
	hashes [sections]uint64 // of what was decoded
}

// sections of a pod: metadata, spec and status.
const sections = 3

var sectionFields = [sections]*message{metadataFields, specFields, statusFields}

func newPodDecoder(schedulers []string) *podDecoder {
	return &podDecoder{schedulers: schedulers, seed: maphash.MakeSeed(), last: map[types.UID]podVersion{}}
}

// version decodes a version of a pod; nil: it does not differ from the last one.
func (d *podDecoder) version(text []byte) (*corev1.Pod, error) {
	metadata, spec := field(text, 1), field(text, 2)
	kept, err := d.reduce(metadata, spec, field(text, 3))
	if err != nil {
		return nil, err
	}
	var hashes [sections]uint64
	for i := range kept {
		hashes[i] = maphash.Bytes(d.seed, kept[i])
	}
	last := d.last[types.UID(field(metadata, 5))]
	node := field(spec, nodeNameField)
	if last.Pod != nil && last.hashes == hashes && last.Spec.NodeName == string(node) {
		return nil, nil
	}
	pod := &corev1.Pod{}
	if last.Pod != nil {
		*pod = *last.Pod
	}
	for i := range kept {
		if last.Pod == nil || last.hashes[i] != hashes[i] {
			if err := d.decode(pod, i, kept[i]); err != nil {
				return nil, err
			}
		}
	}
	pod.ResourceVersion = string(field(metadata, 6)) // where the watch goes on
	pod.Spec.NodeName = string(node)
	d.last[pod.UID] = podVersion{pod, hashes}
	return pod, nil
}

// reduce leaves out what is not decoded.
func (d *podDecoder) reduce(texts ...[]byte) (kept [sections][]byte, err error) {
	var ends [sections]int
	d.kept = d.kept[:0]
	for i, text := range texts {
		var ok bool
		if d.kept, ok = sectionFields[i].appendTo(d.kept, text); !ok {
			d.kept = nil
			return kept, errors.New("a pod cannot be read: it is not valid protobuf")
		}
		ends[i] = len(d.kept)
	}
	begin := 0
	for i, end := range ends {
		kept[i], begin = d.kept[begin:end], end
	}
	return kept, nil
}

// decode decodes a section.
func (d *podDecoder) decode(pod *corev1.Pod, section int, kept []byte) error {
	switch section {
	case 0:
		pod.ObjectMeta.Reset()
		err := pod.ObjectMeta.Unmarshal(kept)
		stripMetadata(&pod.ObjectMeta)
		return err
	case 1:
		pod.Spec.Reset()
		err := pod.Spec.Unmarshal(kept)
		stripSpec(&pod.Spec, d.schedulers)
		return err
	default:
		pod.Status.Reset()
		err := pod.Status.Unmarshal(kept)
		stripStatus(&pod.Status)
		return err
	}
}

// deleted decodes the name of a pod that is deleted.
func (d *podDecoder) deleted(text []byte) *corev1.Pod {
	metadata, pod := field(text, 1), &corev1.Pod{}
	pod.Name, pod.Namespace, pod.UID = string(field(metadata, 1)), string(field(metadata, 3)), types.UID(field(metadata, 5))
	pod.ResourceVersion = string(field(metadata, 6))
	delete(d.last, pod.UID)
	return pod
}
