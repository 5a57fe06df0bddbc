package features

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/nearest"
)

// matcher knows the whole vocabulary, to tell which sentence a step is, or is meant to be.
type matcher struct {
	steps     []Step
	sentences []sentence
	forms     [][][]string // the words of each, with and without what may be left out
}

func newMatcher() *matcher {
	m := &matcher{steps: Vocabulary(), sentences: sentences()}
	for _, s := range m.steps {
		m.forms = append(m.forms, [][]string{formWords(s.Form, true), formWords(s.Form, false)})
	}
	return m
}

// match says what is wrong with a step before it is played.
func (m *matcher) match(s PlayedStep) PlayedStep {
	var like []string
	for i := range m.sentences {
		if m.sentences[i].expr.MatchString(s.Text) {
			like = append(like, m.steps[i].Form)
		}
	}
	switch {
	case len(like) == 0:
		s.Status, s.Message, s.nearest = StatusUndefined, "no step matches", m.nearest(s.Text)
		if len(s.nearest) > 0 {
			s.Nearest = s.nearest[0]
		}
	case len(like) > 1:
		s.Status, s.Message = StatusAmbiguous, "several steps match: "+strings.Join(like, "; ")
	}
	return s
}

// Costs of bringing a step into a form: a word too many or too few costs one, as does one that has no letter in common
// with what is expected; what a placeholder stands for costs little.
const (
	costFilled = 0.1 // a word where a placeholder expects one
	costMore   = 0.3 // one more word of a placeholder that takes many
	tooFar     = 0.5 // of the words of a step: nothing is like it
)

// mostNearest bounds the sentences that are proposed for a step, and costNearest by how much they may be less like it than
// the first.
const (
	mostNearest = 3
	costNearest = 1.5
)

// nearest are the forms of the sentences that a step is most like, the best first.
func (m *matcher) nearest(text string) []string {
	words := stepWords(text)
	type match struct {
		form string
		cost float64
	}
	var list []match
	for i, forms := range m.forms {
		cost := tooFar * float64(len(words))
		for _, form := range forms {
			cost = min(cost, distance(words, form))
		}
		if cost < tooFar*float64(len(words)) {
			list = append(list, match{m.steps[i].Form, cost})
		}
	}
	slices.SortStableFunc(list, func(a, b match) int { return cmp.Compare(a.cost, b.cost) })
	var best []string
	for _, l := range list {
		if len(best) < mostNearest && l.cost <= list[0].cost+costNearest {
			best = append(best, l.form)
		}
	}
	return best
}

var (
	optional  = regexp.MustCompile(`\[(?:[^\[\]]|\[[^\]]*\])*\]`)
	formWord  = regexp.MustCompile(`\{[^}]*\}|[^\s{}]+`)
	stepWord  = regexp.MustCompile(`"[^"]*"?(?:,? (?:and )?"[^"]*"?)*|[^\s"]+`)
	manyWords = []string{"resources", "text"}
)

// formWords are the words of a form; placeholders keep their braces.
func formWords(form string, full bool) []string {
	if full {
		form = strings.NewReplacer("[", "", "]", "").Replace(form)
	} else {
		form = optional.ReplaceAllString(form, "")
	}
	return formWord.FindAllString(form, -1)
}

// stepWords are the words of a step; names in quotes are one.
func stepWords(text string) []string { return stepWord.FindAllString(text, -1) }

// distance is what it costs to bring words into a form.
func distance(words, form []string) float64 {
	row := make([]float64, len(form)+1)
	for j := range form {
		row[j+1] = row[j] + 1
	}
	for _, word := range words {
		before := slices.Clone(row)
		row[0]++
		for j, f := range form {
			row[j+1] = min(before[j]+swap(word, f), before[j+1]+spare(f), row[j]+1)
		}
	}
	return row[len(form)]
}

// spare is what one more word costs behind a word of the form.
func spare(form string) float64 {
	if slices.Contains(manyWords, strings.Trim(form, "{}")) {
		return costMore
	}
	return 1
}

// swap is what it costs that a word stands where the form has another.
func swap(word, form string) float64 {
	name, braced := strings.CutPrefix(form, "{")
	name = strings.TrimSuffix(name, "}")
	switch {
	case !braced:
		return unlike(word, form)
	case strings.Contains(name, "|"):
		least := 1.0
		for choice := range strings.SplitSeq(name, "|") {
			least = min(least, unlike(word, choice))
		}
		return least
	case strings.HasPrefix(name, "name") != strings.HasPrefix(word, `"`):
		return 1 - costFilled // quotes are missing, or too many
	case (name == "duration" || name == "number") && !strings.ContainsAny(word[:1], "-0123456789"):
		return 1
	}
	return costFilled
}

// unlike is 0 for the same word and 1 for one that has nothing in common with it.
func unlike(a, b string) float64 {
	return nearest.Distance(strings.Trim(a, ":,"), strings.Trim(b, ":,"))
}

// meant proposes the name that an unknown one is most like, in words that follow an error; empty: none is like it.
func meant(name string, known []string) string {
	found := nearest.Names(name, known)
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("; is %q meant?", found[0])
}
