package manager

import corev1 "k8s.io/api/core/v1"

// change is how the pod of a name has changed between two looks.
type change uint8

// The changes.
const (
	absent    change = iota // there was no pod, and there is none
	created                 // there was no pod, and there is one
	kept                    // it is the same pod, perhaps in another version
	recreated               // another pod of the same name has taken its place
	removed                 // there is no pod any more
)

// changeOf compares the pod of a name at two looks; nil: there was none.
func changeOf(was, current *corev1.Pod) change {
	switch {
	case was == nil && current == nil:
		return absent
	case was == nil:
		return created
	case current == nil:
		return removed
	case was.UID != current.UID:
		return recreated
	}
	return kept
}
