package manager

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestChangeOf_EveryPair(t *testing.T) {
	first := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "1", ResourceVersion: "10"}}
	later := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "1", ResourceVersion: "11"}}
	second := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "2", ResourceVersion: "12"}}
	for _, test := range []struct {
		was, current *corev1.Pod
		want         change
	}{
		{nil, nil, absent}, {nil, first, created}, {first, nil, removed},
		{first, first, kept}, {first, later, kept}, {later, second, recreated},
	} {
		if got := changeOf(test.was, test.current); got != test.want {
			t.Errorf("%v to %v: got %d, expected %d", test.was, test.current, got, test.want)
		}
	}
}
