package clientcmd

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

type submitFlags struct {
	HostFlags
	key  string
	json bool
}

func NewSubmit(s cli.Streams) *cobra.Command {
	var f submitFlags
	cmd := &cobra.Command{
		Use:   "submit FILE|-",
		Short: "Submit inputs to a live scheduler",
		Long: `Submit the inputs in a file of JSON Lines to a live scheduler, all together or none, and print the resulting decisions. If the host
cannot take them at the moment, retry for half a minute with a key by which they are applied only once. An input that the scheduler
refuses is a decision, too; the other inputs are still applied.`,
		Example: `  quern submit inputs.jsonl
  echo '{"type":"node.add","id":"n1","capacity":{"vcore":8}}' | quern submit -`,
		Args: cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lines, err := readInputs(args[0], s)
			if err != nil {
				return err
			}
			return f.run(cmd, lines, s)
		},
	}
	f.Register(cmd)
	cmd.Flags().StringVar(&f.key, "key", "", "the idempotency `KEY`: inputs that were sent before with the same key are not applied again (default: a random key)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

func (f *submitFlags) run(cmd *cobra.Command, lines []byte, s cli.Streams) error {
	host, err := f.Dial()
	if err != nil {
		return err
	}
	if f.key == "" {
		f.key = rand.Text()
	}
	applied, err := host.Submit(cmd.Context(), lines, f.key)
	if err != nil {
		return unsure(HostError(err), f.key)
	}
	if applied.Decisions == nil {
		applied.Decisions = []json.RawMessage{}
	}
	return showDecisions(s, f.json, applied, applied.Decisions)
}

// unsure says how inputs are repeated of which it is not known whether they were applied.
func unsure(err error, key string) error {
	var away *remote.UnreachableError
	if !errors.As(err, &away) {
		return err
	}
	return cli.CodeError{Err: err, Code: cli.Failed, Hint: "It is unknown whether the inputs were applied; with --key " + key + " it is safe to repeat them for 24 hours"}
}

// showDecisions prints decisions, or the object that holds them. What was refused by decision is no failure.
func showDecisions(s cli.Streams, asJSON bool, object any, decisions []json.RawMessage) error {
	whole := func(w io.Writer) error {
		data, err := json.Marshal(object)
		if err != nil {
			return err
		}
		return listing.Object(w, listing.JSON, data)
	}
	return s.Show(asJSON, whole, func(w io.Writer) error {
		for _, d := range decisions {
			line, err := listing.Decision(d, cli.Columns(s.Out))
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
}

// mostInputs bounds inputs, in bytes: more than a host takes at once.
const mostInputs = 64 << 20

// readInputs reads a file of inputs, and refuses what a host would refuse.
func readInputs(name string, s cli.Streams) ([]byte, error) {
	text, shown, err := []byte(nil), name, error(nil)
	if name == "-" {
		shown = "stdin"
		text, err = io.ReadAll(io.LimitReader(s.In, mostInputs))
	} else {
		text, err = safefile.Read(name, mostInputs)
	}
	if err != nil {
		return nil, cli.Usage(err)
	}
	return text, checkInputs(text, shown)
}

// checkInputs reads inputs as a host does; the error names the line of the file.
func checkInputs(text []byte, name string) error {
	d := journal.NewInputDecoder(bytes.NewReader(text), name)
	d.AllowShares() // the host knows which types have devices
	for n := 0; ; n++ {
		_, err := d.Next()
		switch {
		case err == io.EOF && n == 0:
			return cli.Usage(fmt.Errorf("%s: expected lines of JSON, one an input, found none", name))
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}
