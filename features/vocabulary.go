package features

import (
	"fmt"
	"io"
	"slices"
)

// Step is one sentence that a scenario may use.
type Step struct {
	Topic string
	Form  string // as people write it; what stands in braces is filled in, what stands in brackets may be left out
	Doc   string // one line
	bind  func(*world) any
}

// Topics of the vocabulary, in the order of a scenario.
const (
	topicQueues   = "Configuration"
	topicCluster  = "Nodes"
	topicWork     = "Applications and asks"
	topicGangs    = "Gangs"
	topicTime     = "Time and the cycle"
	topicAsks     = "Then: results of asks"
	topicGangFate = "Then: gangs and quotas"
	topicDecided  = "Then: decisions"
	topicState    = "Then: state"
	topicWhy      = "Then: explanations"
)

// The handlers of expectations, by the number of what their form leaves open: a failure shows what was decided.

func then0(w *world, f func() error) any {
	return func() error { return w.told(f()) }
}

func then1[A any](w *world, f func(A) error) any {
	return func(a A) error { return w.told(f(a)) }
}

func then2[A, B any](w *world, f func(A, B) error) any {
	return func(a A, b B) error { return w.told(f(a, b)) }
}

func then3[A, B, C any](w *world, f func(A, B, C) error) any {
	return func(a A, b B, c C) error { return w.told(f(a, b, c)) }
}

// Vocabulary is every sentence there is, in the order of the documentation.
func Vocabulary() []Step {
	return slices.Concat(configurationSteps(), moduleSteps(), nodeSteps(), workSteps(), gangSteps(), timeSteps(),
		fateSteps(), gangFateSteps(), decisionSteps(), stateSteps(), reasonSteps())
}

// PrintSteps lists the vocabulary, a sentence and its line of documentation.
func PrintSteps(out io.Writer) error {
	topic := ""
	for _, s := range Vocabulary() {
		if s.Topic != topic {
			topic = s.Topic
			if _, err := fmt.Fprintf(out, "\n%s\n", topic); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(out, "  %s\n      %s\n", s.Form, s.Doc); err != nil {
			return err
		}
	}
	return nil
}
