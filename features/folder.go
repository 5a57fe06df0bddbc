package features

import (
	"fmt"
	"strings"

	"github.com/cucumber/godog"
	"github.com/quern-project/quern/core"
)

// Folder is a driver with a folder of policy modules beside its scheduler. Each method looks at the folder afterwards, as
// a host does between two cycles, and returns the inputs that follow from what has changed.
type Folder interface {
	Driver
	// DropIn puts a module of the driver's stock into the folder under a name, with settings in TOML; empty: none.
	DropIn(module, name, settings string) ([]core.Input, error)
	// TakeAway removes a module's files.
	TakeAway(name string) ([]core.Input, error)
	// Refused is why the module of a name was refused when the folder was last looked at; empty: it was not.
	Refused(name string) string
	// Shadowed is in how many rounds a shadow was asked, and in how many of them it would have put another item first.
	Shadowed(name string) (rounds, otherwise int)
	// Crash ends the process behind a module.
	Crash(name string) error
}

const topicModules = "Policy modules in a folder, where the driver has one"

func moduleSteps() []Step {
	return []Step{
		{topicModules, `module {name} is dropped in[ as {name}]`, "a policy module is put into the folder, under its own or another name",
			func(w *world) any { return func(module, name string) error { return w.dropIn(module, name, "") } }},
		{topicModules, `module {name} is dropped in with the settings:`, "the same, with NAME.toml beside it",
			func(w *world) any {
				return func(module string, settings *godog.DocString) error { return w.dropIn(module, "", settings.Content) }
			}},
		{topicModules, `module {name} is dropped in as {name} with the settings:`, "the same under another name",
			func(w *world) any {
				return func(module, name string, settings *godog.DocString) error {
					return w.dropIn(module, name, settings.Content)
				}
			}},
		{topicModules, `module {name} is taken away`, "its files are removed from the folder", func(w *world) any { return w.takeAway }},
		{topicModules, `the process of module {name} crashes`, "it is killed", func(w *world) any { return w.crash }},
		{topicModules, `module {name} is refused because of {text}`, "the reason for the refusal contains the text",
			func(w *world) any { return then2(w, w.expectRefused) }},
		{topicModules, `shadow {name} would have chosen otherwise in {number} of {number} rounds`, "it was called beside the policy that decides",
			func(w *world) any { return then3(w, w.expectShadow) }},
		{topicModules, `module {name} is not refused`, "it is loaded, or no configuration names it", func(w *world) any { return then1(w, w.expectServing) }},
	}
}

const errNoFolder = absent("there is no folder of policy modules here")

func (w *world) moduleFolder() (Folder, error) {
	f, ok := w.driver.(Folder)
	if !ok {
		return nil, errNoFolder
	}
	return f, nil
}

func (w *world) dropIn(module, name, settings string) error {
	f, err := w.moduleFolder()
	if err != nil {
		return err
	}
	if name == "" {
		name = module
	}
	return w.changed(f.DropIn(module, name, settings))
}

func (w *world) takeAway(name string) error {
	f, err := w.moduleFolder()
	if err != nil {
		return err
	}
	return w.changed(f.TakeAway(name))
}

// changed applies what follows from a change of the folder.
func (w *world) changed(inputs []core.Input, err error) error {
	for _, in := range inputs {
		w.apply(in)
	}
	return err
}

func (w *world) crash(name string) error {
	f, err := w.moduleFolder()
	if err != nil {
		return err
	}
	w.open = true
	return f.Crash(name)
}

func (w *world) expectRefused(name, text string) error {
	f, err := w.moduleFolder()
	if err != nil {
		return err
	}
	if found := f.Refused(name); !strings.Contains(found, text) {
		return fmt.Errorf("module %q: expected it to be refused because of %q, found %q", name, text, found)
	}
	return nil
}

func (w *world) expectShadow(name, otherwise, rounds string) error {
	f, err := w.moduleFolder()
	if err != nil {
		return err
	}
	asked, differed := f.Shadowed(name)
	if found := fmt.Sprintf("%d of %d", differed, asked); found != otherwise+" of "+rounds {
		return fmt.Errorf("shadow %q: expected it to choose otherwise in %s of %s rounds, found %s", name, otherwise, rounds, found)
	}
	return nil
}

func (w *world) expectServing(name string) error {
	f, err := w.moduleFolder()
	if err != nil {
		return err
	}
	if found := f.Refused(name); found != "" {
		return fmt.Errorf("module %q: expected it to serve, found it refused: %s", name, found)
	}
	return nil
}
