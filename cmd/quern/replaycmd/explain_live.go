package replaycmd

import (
	"context"
	"encoding/json"
	"io"
	"net/url"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/clientcmd"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
	"github.com/quern-project/quern/host/report/explanation"
)

// live reports whether a question is put to a live scheduler: there is nothing else to put it to.
func (f *explainFlags) live(journals []string) bool {
	return len(journals) == 0 && f.Trace == "" && f.nodes == "" && f.pods == "" && f.maps == "" && f.at == "" && !f.typed("config")
}

// askHost puts a question to a live scheduler.
func (f *explainFlags) askHost(ctx context.Context, q *explanation.Question, s cli.Streams) error {
	host, err := f.host.Dial()
	if err != nil {
		return err
	}
	object, err := f.answerOf(ctx, host, q)
	if err != nil {
		return clientcmd.HostError(err)
	}
	paragraphs, err := paragraphsOf(object)
	if err != nil {
		return clientcmd.HostError(err)
	}
	return s.Show(f.json, func(w io.Writer) error { return listing.Object(w, listing.JSON, object) }, func(w io.Writer) error {
		for _, p := range paragraphs {
			if err := format.Paragraph(w, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// answerOf is what a host answers to a question.
func (f *explainFlags) answerOf(ctx context.Context, host remote.Host, q *explanation.Question) (json.RawMessage, error) {
	switch q.Kind {
	case explanation.Ask:
		return host.Explain(ctx, remote.Asks, q.Name, nil)
	case explanation.App:
		return host.Explain(ctx, remote.Apps, q.Name, nil)
	case explanation.Window:
		return host.Explain(ctx, remote.Windows, q.Name, nil)
	case explanation.Preemption:
		return host.Victims(ctx, q.Name)
	case explanation.Forecast:
		about := url.Values{}
		if f.set("time-limit") {
			about.Set("time_limit", f.timeLimit.String())
		}
		return host.Forecast(ctx, q.Name, about)
	case explanation.Consolidation:
		return host.Consolidation(ctx, whereOf(q))
	case explanation.Limits:
		return host.Limits(ctx, f.parameters())
	case explanation.Place:
		return host.Placement(ctx, f.parameters())
	}
	return host.Explain(ctx, remote.Queues, q.Name, f.parameters())
}

// parameters are the flags that say more of a question, as parameters of a route.
func (f *explainQuestion) parameters() url.Values {
	about := url.Values{}
	for name, value := range map[string]string{"max": f.max, "user": f.user, "groups": f.groups, "to": f.to, "partition": f.partition} {
		if f.set(name) {
			about.Set(name, value)
		}
	}
	if len(f.tags) > 0 {
		about["tag"] = f.tags
	}
	return about
}

// paragraphsOf are the texts of an answer: of what is used of limits one for each.
func paragraphsOf(object json.RawMessage) (all []string, err error) {
	var list struct {
		Usage []struct {
			Text string `json:"text"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(object, &list); err != nil {
		return nil, remote.ErrNotQuern
	}
	for _, u := range list.Usage {
		all = append(all, u.Text)
	}
	if len(all) > 0 {
		return all, nil
	}
	text, err := clientcmd.ExplanationOf(object)
	return []string{text}, err
}
