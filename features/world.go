package features

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
)

// world is what one scenario works on. A group of steps, a Given or a When with its Ands, is one instant: its inputs
// are applied in order, and the cycle runs when the group ends.
type world struct {
	driver Driver
	at     time.Duration
	open   bool // inputs or time have come since the last cycle
	byHand bool // the cycle runs only when a step says so

	back     bool // victims leave at once and ask again
	answered int  // the decisions of the log whose victims have done so

	current *godog.Step             // now run
	barred  error                   // why it cannot be; nil: it can
	group   messages.PickleStepType // of the step now run
	step    string                  // its text
	log     []core.Decision         // all of the scenario
	mark    int                     // where the decisions of the last When begin
	refused []core.Decision         // for the inputs of the present group of steps that were refused

	folder  string // of the feature file
	files   func(name string) ([]byte, error)
	config  configuration
	types   types
	read    []string               // properties that policies read, sorted
	met     map[thing]bool         // that the scenario has had so far
	brought map[string]bool        // applications that came along with an ask
	asked   map[string]core.AddAsk // by the ID of the ask or allocation
}

func newWorld(factory Factory) (*world, error) {
	driver, err := factory()
	if err != nil {
		return nil, fmt.Errorf("driver: %w", err)
	}
	driver.Advance(0)
	w := &world{
		driver: driver, brought: map[string]bool{}, asked: map[string]core.AddAsk{},
		met:   map[thing]bool{},
		types: types{onNodes: map[string]bool{}, absent: map[string]bool{}},
	}
	if a, ok := driver.(announcer); ok {
		for _, m := range a.announced() {
			w.reads(&m)
		}
	}
	return w, nil
}

// checked wraps the handler of a sentence in what holds for every step: it takes a table or a text only after a colon, a group
// of steps is one instant, and the inputs of a Given are accepted. The library runs no handler after a step that failed, so
// later steps are skipped; an error of a hook would make each of them fail.
func (w *world) checked(handler any) any {
	step := reflect.ValueOf(handler)
	failed := func(err error) []reflect.Value { return []reflect.Value{reflect.ValueOf(&err).Elem()} }
	return reflect.MakeFunc(step.Type(), func(arguments []reflect.Value) []reflect.Value {
		if err := w.begin(w.current); err != nil {
			return failed(err)
		}
		if results := step.Call(arguments); !results[0].IsNil() {
			return results
		}
		return failed(w.givenHolds())
	}).Interface()
}

// begin closes the instant of the group that ended, if a step begins another, and checks what the step is given.
func (w *world) begin(step *godog.Step) error {
	if w.barred != nil {
		return w.barred
	}
	w.step = step.Text
	if step.Argument != nil && !strings.HasSuffix(step.Text, ":") {
		return errors.New("this step takes no table and no text")
	}
	group := step.Type
	if group == messages.PickleStepType_UNKNOWN || group == w.group {
		return nil
	}
	w.endInstant()
	if group == messages.PickleStepType_ACTION {
		w.mark = len(w.log)
	}
	w.group, w.refused = group, nil
	if group == messages.PickleStepType_OUTCOME {
		return w.types.check()
	}
	return nil
}

// endInstant ends the instant.
func (w *world) endInstant() {
	if w.open && !w.byHand {
		w.run(-1)
	}
	w.open = false
	w.take()
	if w.back && !w.byHand {
		w.bringBack()
	}
}

func (w *world) take() {
	made := w.driver.Take()
	w.log = append(w.log, made...)
	for _, d := range made {
		if d.Type == core.QueueState {
			w.met[thing{"queue", pathText(d.Partition, d.Queue)}] = true
		}
	}
}

func (w *world) apply(in core.Input) core.Reason {
	in.At = w.at
	switch e := in.Event.(type) {
	case *core.AddAsk:
		w.asked[e.ID] = *e
	case *core.RestoreAllocation:
		w.asked[e.ID] = e.AddAsk
	case *core.SetPolicy:
		w.reads(&e.PolicyModule)
	default:
	}
	w.types.note(&in)
	refused := w.driver.Apply(&in)
	w.open = true
	made := len(w.log)
	w.take()
	if refused != core.Accepted {
		w.refused = append(w.refused, w.log[made])
	}
	w.meet(&in)
	return refused
}

// stuck is how often one deadline may come back before the driver is said to hang.
const stuck = 100

// pass lets time go by, as a replay does: it stops at every deadline on the way. The timers of the last moment fire;
// its cycle is left to the end of the group, after the inputs that may follow.
func (w *world) pass(d time.Duration) error {
	w.endInstant()
	end, again := w.at+d, 0
	for next := range drive.Deadlines(w.driver, end) {
		if again++; next > w.at {
			again = 0
		}
		if next < w.at || again > stuck {
			return fmt.Errorf("the deadline stays at %v at the time %v", next, w.at)
		}
		w.moveTo(next)
		w.endInstant()
	}
	w.moveTo(end)
	return nil
}

func (w *world) moveTo(at time.Duration) {
	w.at = at
	w.driver.Advance(at)
	w.open = true
	w.take()
}

// cycle places what can be placed at this point of the instant, up to a limit.
func (w *world) cycle(limit int) {
	w.run(limit)
	w.open = false
	w.take()
}

// run runs the cycle, again for as long as the scheduler has more to do at this instant.
func (w *world) run(limit int) {
	instant := drive.Now(w.driver)
	for !instant.Decided() && limit != 0 {
		made := instant.Cycle(limit)
		if limit > 0 {
			limit = max(0, limit-made) // a gang is not split
		}
	}
}

// restore goes on with a scheduler made from a snapshot.
func (w *world) restore() error {
	w.endInstant()
	next, err := w.driver.Restored()
	if err != nil {
		return err
	}
	w.driver = next
	w.open = true
	return nil
}

// recent are the decisions since the last When began.
func (w *world) recent() []core.Decision { return w.log[w.mark:] }

// recentOf are the recent decisions of one type.
func (w *world) recentOf(typ core.DecisionType) []core.Decision {
	var list []core.Decision
	for _, d := range w.recent() {
		if d.Type == typ {
			list = append(list, d)
		}
	}
	return list
}
