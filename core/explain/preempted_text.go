package explain

import "fmt"

// PreemptedText returns the sentence about how often the ask was preempted, with a space before it. It returns "" if the ask never was, and for
// a victim that leaves now and was not preempted before.
func (e *AskExplanation) PreemptedText() string {
	times := e.Preempted
	if e.Victim != nil {
		times--
	}
	switch {
	case times <= 0:
		return ""
	case times == 1:
		return " It was preempted once before."
	}
	return fmt.Sprintf(" It was preempted %d times before.", times)
}
