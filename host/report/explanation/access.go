package explanation

import "github.com/quern-project/quern/core/explain"

// accessObject is what a user may do in a queue.
type accessObject struct {
	At       string       `json:"at"`
	Queue    string       `json:"queue"`
	User     string       `json:"user"`
	Groups   []string     `json:"groups"`
	Open     bool         `json:"open"` // no queue has an access list
	Submit   bool         `json:"submit"`
	SubmitBy *entryObject `json:"submit_by,omitempty"`
	Admin    bool         `json:"admin"`
	AdminBy  *entryObject `json:"admin_by,omitempty"`
	Text     string       `json:"text"`
}

// entryObject is the entry of an access list that lets a user in.
type entryObject struct {
	Queue string `json:"queue"`
	List  string `json:"list"`
	Name  string `json:"name"`
	Group bool   `json:"group"`
}

func (w writer) access(user string, groups []string, e explain.AccessExplanation) accessObject {
	return accessObject{
		At: w.time(w.at), Queue: e.Queue, User: user, Groups: strings(groups), Open: e.Open,
		Submit: e.Submit, SubmitBy: entry(e.SubmitBy), Admin: e.Admin, AdminBy: entry(e.AdminBy), Text: e.Text,
	}
}

func entry(e explain.AccessEntry) *entryObject {
	if e.Queue == "" {
		return nil
	}
	return &entryObject{e.Queue, e.List, e.Name, e.Group}
}
