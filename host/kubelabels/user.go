package kubelabels

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// User returns the user of a pod with his groups: those of the annotation user.info, or else the label username. An annotation that
// cannot be read gives no user, so that an invalid one gives no rights.
func (m Metadata) User() (user string, groups []string, bad *Problem) {
	text := m.Annotations[UserInfo]
	if text == "" {
		return m.Labels[UserName], nil, nil
	}
	var info userInfo
	if err := decode(text, &info); err != nil {
		return "", nil, problem(UserInfo, `an object such as {"user":"alice","groups":["staff"]}`, text)
	}
	return info.User, info.Groups, nil
}

// UserInfoText returns the annotation user.info of a user.
func UserInfoText(user string, groups []string) string {
	text, _ := json.Marshal(userInfo{user, groups}) // texts have no error
	return string(text)
}

// userInfo is the annotation user.info.
type userInfo struct {
	User   string   `json:"user"`
	Groups []string `json:"groups"`
}

var errMore = errors.New("more than one value")

// decode reads a text that is one JSON value.
func decode(text string, into any) error {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}
	return nil
}
