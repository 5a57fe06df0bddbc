package features

import (
	"fmt"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/quern-project/quern/core/nearest"
)

// choose reads the scenarios once beforehand, so that what is wrong with them is told in one place and no run of
// nothing passes. It returns the tags in the notation of godog, which knows no parentheses: for these scenarios the
// two select alike.
func (o Options) choose() (filter string, err error) {
	every := tagExpression{holds: func(func(string) bool) bool { return true }}
	if strings.TrimSpace(o.Tags) != "" {
		if every, err = parseTags(o.Tags); err != nil {
			return "", err
		}
	}
	if err := o.checkExpansion(); err != nil {
		return "", err
	}
	features, err := o.suite().RetrieveFeatures()
	if err != nil {
		return "", o.unusable(err)
	}
	var pickles []*messages.Pickle
	for _, f := range features {
		pickles = append(pickles, f.Pickles...)
	}
	return o.filter(every, pickles)
}

func (o Options) filter(e tagExpression, pickles []*messages.Pickle) (string, error) {
	var clauses []string
	chosen := 0
	for _, pickle := range pickles {
		has := func(tag string) bool {
			return slices.ContainsFunc(pickle.Tags, func(t *messages.PickleTag) bool { return t.Name == tag })
		}
		if e.holds(has) {
			chosen++
		} else if clause := allBut(e.tags, has); !slices.Contains(clauses, clause) {
			clauses = append(clauses, clause)
		}
	}
	switch {
	case len(pickles) == 0:
		return "", o.nothingToRun()
	case chosen == 0:
		return "", fmt.Errorf("there is no scenario to run: none of %d has tags that satisfy %q%s", len(pickles), o.Tags, meantTag(e.tags, pickles))
	}
	return strings.Join(clauses, " && "), nil
}

// allBut is the clause that holds for every set of these tags but one.
func allBut(tags []string, has func(string) bool) string {
	list := make([]string, len(tags))
	for i, tag := range tags {
		list[i] = tag
		if has(tag) {
			list[i] = "~" + tag
		}
	}
	return strings.Join(list, ",")
}

// meantTag proposes, in words that follow an error, tags of scenarios for those of an expression that none has.
func meantTag(tags []string, pickles []*messages.Pickle) string {
	for _, tag := range tags {
		search := nearest.For(tag)
		for _, known := range tagsOf(pickles) {
			search.Add(known)
		}
		if found := search.Found(); len(found) > 0 && found[0] != tag {
			return nearest.Hint(found)
		}
	}
	return ""
}

// tagsOf lists the tags of scenarios, each once.
func tagsOf(pickles []*messages.Pickle) (list []string) {
	for _, pickle := range pickles {
		for _, t := range pickle.Tags {
			if !slices.Contains(list, t.Name) {
				list = append(list, t.Name)
			}
		}
	}
	return list
}
