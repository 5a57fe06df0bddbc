//go:build unix

package auth

import "testing"

func TestTokenFile_LentByRootToAGroup(t *testing.T) {
	for name, c := range map[string]struct {
		owner       uint32
		group, user int
		groups      []int
		want        bool
	}{
		"a Secret of Kubernetes":   {0, 65532, 65532, []int{65532}, true},
		"another user's file":      {1000, 65532, 65532, []int{65532}, false},
		"a group of others":        {0, 100, 65532, []int{65532}, false},
		"root's own group":         {0, 0, 65532, []int{0}, false},
		"a process of root itself": {0, 65532, 0, []int{65532}, false},
	} {
		if got := lentTo(c.owner, c.group, c.user, c.groups); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
