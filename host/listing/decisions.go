package listing

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/format"
)

// decision is what a line about a decision says.
type decision struct {
	Seq      uint64    `json:"seq"`
	At       time.Time `json:"at"`
	Type     string    `json:"type"`
	ID       string    `json:"id"`
	App      string    `json:"app"`
	Gang     string    `json:"gang"`
	Ended    bool      `json:"gang_ended"`
	Left     int       `json:"allocated"`
	Min      int       `json:"min"`
	Node     string    `json:"node"`
	Nodes    []string  `json:"nodes"`
	Start    string    `json:"start"`
	Queue    string    `json:"queue"`
	For      string    `json:"for"`
	Quota    string    `json:"quota"`
	From     string    `json:"from"`
	To       string    `json:"to"`
	Policy   string    `json:"policy"`
	Fallback string    `json:"fallback"`
	Reason   string    `json:"reason"`
	Message  string    `json:"message"`
	Errors   []string  `json:"errors"`
	Warnings []string  `json:"warnings"`
}

// Decision is a line about a decision, folded to a number of columns; 0: it is not folded.
func Decision(object json.RawMessage, columns int) (string, error) {
	var d decision
	if err := json.Unmarshal(object, &d); err != nil {
		return "", fmt.Errorf("the answer of the host cannot be read: %w", err)
	}
	label := fmt.Sprintf("%7d  %s  %-16s  ", d.Seq, d.At.UTC().Format(time.TimeOnly), d.Type)
	return format.Hang(format.Line(label), format.Line(d.about()), columns), nil
}

// DecisionName is what names a decision: its number.
func DecisionName(object json.RawMessage) (string, error) {
	var d decision
	if err := json.Unmarshal(object, &d); err != nil {
		return "", fmt.Errorf("the answer of the host cannot be read: %w", err)
	}
	return strconv.FormatUint(d.Seq, 10), nil
}

// about is what was decided about.
func (d *decision) about() string {
	var parts []string
	add := func(layout, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf(layout, value))
		}
	}
	add("%s", d.ID)
	if d.Gang != "" {
		parts = append(parts, d.gang())
	}
	if d.From != "" || d.To != "" {
		parts = append(parts, d.From+" -> "+d.To)
	}
	add("policy %s", d.Policy)
	add("starts at the latest at %s", moment(d.Start))
	add("on %s", d.Node)
	add("on %s", strings.Join(d.Nodes, ", "))
	add("in %s", d.Queue)
	add("for %s", d.For)
	add("by the quota of %s", d.Quota)
	add("fallback %s", d.Fallback)
	text := strings.Join(parts, " ")
	for _, more := range append([]string{d.why()}, append(d.Errors, config.Grouped(d.Warnings)...)...) {
		if more != "" {
			text += ": " + more
		}
	}
	return strings.TrimPrefix(text, ": ")
}

// gang is the gang that was decided about, or of a victim the one that it belongs to.
func (d *decision) gang() string {
	switch {
	case d.Ended:
		return "whose gang " + d.Gang + " ends"
	case d.App == "":
		return "of gang " + d.Gang
	case d.Min > 0:
		return fmt.Sprintf("gang %s of %s with %d of %d members", d.Gang, d.App, d.Left, d.Min)
	}
	return "gang " + d.Gang + " of " + d.App
}

// why is the message, which says more than the reason where there is one.
func (d *decision) why() string {
	if d.Message != "" {
		return d.Message
	}
	return d.Reason
}

// Refused reports whether a decision refuses an input.
func Refused(object json.RawMessage) bool {
	var d decision
	if json.Unmarshal(object, &d) != nil {
		return false
	}
	return strings.HasSuffix(d.Type, ".rejected") || d.Type == "ignored"
}
