package webhook

import (
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/quern-project/quern/host/kubelabels"
)

// trustLevel is what a sender may say of users.
type trustLevel int

const (
	ordinary trustLevel = iota // only himself
	trusted                    // any user
	system                     // a controller: what its template says
)

func (r *Rules) trust(user string, groups []string) trustLevel {
	switch {
	case r.System.match(user):
		return system
	case r.TrustedUsers.match(user) || slices.ContainsFunc(groups, r.TrustedGroups.match):
		return trusted
	}
	return ordinary
}

func (s *step) sender() trustLevel {
	return s.trust(s.request.UserInfo.Username, s.request.UserInfo.Groups)
}

// stamp writes the sender into the annotation user.info if it is missing, and refuses another user there.
func (s *step) stamp() error {
	sender := s.sender()
	if sender == system {
		return nil
	}
	own := s.request.UserInfo
	if s.now.Annotations[kubelabels.UserInfo] == "" {
		s.now.annotate(kubelabels.UserInfo, kubelabels.UserInfoText(own.Username, own.Groups))
		return nil
	}
	if err := s.readable(); err != nil || sender == trusted {
		return err
	}
	if user, groups, _ := s.now.User(); user != own.Username || !sameSet(groups, own.Groups) {
		return s.refuse(kubelabels.UserInfoText(own.Username, own.Groups) + " or nothing")
	}
	return nil
}

// readable refuses an annotation user.info that the scheduler could not read.
func (s *step) readable() error {
	if _, _, bad := s.now.User(); bad != nil {
		return s.forbidden(bad)
	}
	return nil
}

func (s *step) refuse(expected string) error {
	text := s.now.Annotations[kubelabels.UserInfo]
	return s.forbidden(&kubelabels.Problem{Key: kubelabels.UserInfo, Expected: expected + ", since " + s.request.UserInfo.Username +
		" may not name other users", Found: text[:min(len(text), longestQuote)]})
}

// longestQuote is how many bytes of an annotation an answer repeats.
const longestQuote = 200

func (s *step) forbidden(why *kubelabels.Problem) error {
	q := s.request
	return apierrors.NewForbidden(schema.GroupResource{Group: q.Resource.Group, Resource: q.Resource.Resource}, q.Name, errors.New(why.Error()))
}

// sameSet reports whether two lists have the same texts, in any order and number.
func sameSet(a, b []string) bool {
	within := func(a, b []string) bool {
		return !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
	}
	return within(a, b) && within(b, a)
}
