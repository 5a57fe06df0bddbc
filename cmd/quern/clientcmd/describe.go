package clientcmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

func NewDescribe(s cli.Streams) *cobra.Command {
	var f HostFlags
	cmd := &cobra.Command{
		Use:   "describe queue|app|node|ask|gang|policy NAME",
		Short: "Show a queue, an application, a node, an ask, a gang or a policy of a live scheduler",
		Long: `Show all that a live scheduler knows about a queue, an application, a node, an ask, a gang (APP/GANG) or a policy module, and why it waits, if it does.
For a pending ask, also show which allocations it would preempt.`,
		Example: `  quern describe ask train-7
  quern describe queue root.research`,
		Args: cli.ExactArguments(2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return f.completeThings(cmd, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, known := kinds[args[0]]
			if !known {
				return cli.Misused(cmd, fmt.Errorf("expected queue, app, node, ask, gang or policy, found %q%s", args[0], nearest.Hint(nearest.Names(args[0], []string{"queue", "app", "node", "ask", "gang", "policy"}))))
			}
			host, err := f.Dial()
			if err != nil {
				return err
			}
			d := describer{cmd, host, kind, args[1]}
			return HostError(d.run(s))
		},
	}
	f.Register(cmd)
	return cmd
}

// describer says all about a thing.
type describer struct {
	cmd  *cobra.Command
	host remote.Host
	kind remote.Kind
	name string
}

func (d *describer) run(s cli.Streams) error {
	object, err := d.host.One(d.cmd.Context(), d.kind, d.name)
	if err != nil {
		return err
	}
	texts, err := d.texts(object)
	if err != nil {
		return err
	}
	return s.Show(false, nil, func(w io.Writer) error {
		if err := listing.Describe(w, object); err != nil {
			return err
		}
		for _, text := range texts {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
			if err := format.Paragraph(w, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// texts are the explanations that there are of an object. What explains a gang is explained of a member.
func (d *describer) texts(object json.RawMessage) (all []string, err error) {
	var parts []json.RawMessage
	kind, name := d.kind, d.name
	if kind == remote.Gangs {
		kind, name = remote.Asks, listing.FirstMember(object)
	}
	if kind != remote.Nodes && kind != remote.Policies && name != "" {
		explained, err := d.host.Explain(d.cmd.Context(), kind, name, nil)
		if err != nil {
			return nil, err
		}
		parts = append(parts, explained)
	}
	if d.kind == remote.Asks {
		victims, err := d.host.Victims(d.cmd.Context(), d.name)
		var p *remote.Problem
		switch {
		case err == nil:
			parts = append(parts, victims)
		case !errors.As(err, &p) || p.Status != http.StatusConflict && p.Status != http.StatusNotFound: // it is allocated, or has just gone
			return nil, err
		}
	}
	for _, part := range parts {
		text, err := ExplanationOf(part)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// ExplanationOf returns the text of an explanation.
func ExplanationOf(object json.RawMessage) (string, error) {
	var e struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(object, &e); err != nil || e.Text == "" {
		return "", remote.ErrNotQuern
	}
	return e.Text, nil
}
