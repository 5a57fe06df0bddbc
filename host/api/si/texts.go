package si

import (
	"errors"

	"github.com/quern-project/quern/core"
)

// longTextError says which text of a message is too long.
type longTextError string

func (e longTextError) Error() string { return string(e) }

// checkTexts refuses an event that the scheduler would refuse for its texts, and tags that the service keeps to send them back. It leaves
// an earlier error as it is. The resource manager is answered under its own ID, which a decision cuts.
func checkTexts(event core.Event, tags map[string]string, earlier error) error {
	if earlier != nil {
		return earlier
	}
	for _, checked := range []core.Event{event, &core.AddApp{Tags: tags}} {
		if message := core.TextTooLong(checked); message != "" {
			return longTextError(message)
		}
	}
	return nil
}

// refusalText is the reason that a resource manager gets for a message that cannot become an input.
func refusalText(err error) string {
	var long longTextError
	if errors.As(err, &long) {
		return string(core.ReasonNameTooLong) + ": " + long.Error()
	}
	return "bad-request: " + err.Error()
}
