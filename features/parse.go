package features

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// ParseError is what keeps a text from being a feature.
type ParseError struct {
	Line    int    `json:"line"` // from 1; 0: of the whole text
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// ParseErrors are all of a text.
type ParseErrors []ParseError

func (e ParseErrors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = fmt.Sprintf("%d:%d: %s", one.Line, one.Column, one.Message)
	}
	return strings.Join(lines, "\n")
}

// mostOfLine is what the parser's scanner takes; more ends it in a panic.
const mostOfLine = bufio.MaxScanTokenSize - 1

// Parse reads a feature and finds its scenarios, without playing any. A step that no sentence is like is undefined, one
// that several are like ambiguous. A text that is no feature is a ParseErrors. Scenarios are numbered as godog does it.
func Parse(text string) ([]*Played, error) {
	text = unmarked(text)
	number := (&messages.Incrementing{}).NewId
	document, err := documentOf(text, number)
	if err != nil {
		return nil, err
	}
	places := places{}
	if document.Feature != nil {
		places.feature(document.Feature)
	}
	vocabulary := newMatcher()
	list := []*Played{}
	for _, pickle := range gherkin.Pickles(*document, "", number) {
		p := places.scenarioOf(pickle)
		for i := range p.Steps {
			p.Steps[i] = vocabulary.match(p.Steps[i])
		}
		list = append(list, p)
	}
	return list, nil
}

// documentOf reads a feature of a bounded number of steps.
func documentOf(text string, number func() string) (*messages.GherkinDocument, error) {
	line := 0
	for one := range strings.SplitSeq(text, "\n") {
		if line++; len(one) > mostOfLine {
			return nil, ParseErrors{{line, mostOfLine + 1, fmt.Sprintf("expected at most %d bytes in a line, found %d", mostOfLine, len(one))}}
		}
	}
	document, err := gherkin.ParseGherkinDocumentForLanguage(strings.NewReader(text), gherkin.DefaultDialect, number)
	if err != nil {
		return nil, parseErrors(err)
	}
	return document, checkExpansion(document.Feature)
}

// places are where steps, scenarios and examples stand, by the parser's number.
type places map[string]place

type place struct {
	line    int
	keyword string
}

// scenarioOf is a scenario that was not played.
func (p places) scenarioOf(pickle *messages.Pickle) *Played {
	s := &Played{id: pickle.Id, Name: pickle.Name, Line: p[pickle.AstNodeIds[0]].line, Steps: []PlayedStep{}}
	if len(pickle.AstNodeIds) > 1 {
		s.Example = p[pickle.AstNodeIds[1]].line
	}
	for _, step := range pickle.Steps {
		at := p[step.AstNodeIds[0]]
		s.Steps = append(s.Steps, PlayedStep{Line: at.line, Keyword: at.keyword, Text: step.Text})
	}
	return s
}

func (p places) feature(f *messages.Feature) {
	for _, child := range f.Children {
		p.background(child.Background)
		p.scenario(child.Scenario)
		if child.Rule == nil {
			continue
		}
		for _, child := range child.Rule.Children {
			p.background(child.Background)
			p.scenario(child.Scenario)
		}
	}
}

func (p places) background(b *messages.Background) {
	if b != nil {
		p.steps(b.Steps)
	}
}

func (p places) scenario(s *messages.Scenario) {
	if s == nil {
		return
	}
	p[s.Id] = place{int(s.Location.Line), s.Keyword}
	p.steps(s.Steps)
	for _, examples := range s.Examples {
		for _, row := range examples.TableBody {
			p[row.Id] = place{int(row.Location.Line), ""}
		}
	}
}

func (p places) steps(list []*messages.Step) {
	for _, s := range list {
		p[s.Id] = place{int(s.Location.Line), strings.TrimSpace(s.Keyword)}
	}
}

var located = regexp.MustCompile(`(?m)^\((\d+):(\d+)\): (.*)$`)

// parseErrors brings what the parser says into our words.
func parseErrors(err error) ParseErrors {
	var list ParseErrors
	for _, m := range located.FindAllStringSubmatch(err.Error(), -1) {
		line, _ := strconv.Atoi(m[1])   // digits, as the expression says
		column, _ := strconv.Atoi(m[2]) // likewise
		one := ParseError{line, column, plain(m[3])}
		if len(list) > 0 && strings.HasPrefix(one.Message, noFeature) && strings.HasPrefix(list[len(list)-1].Message, noFeature) {
			continue // no line is part of a feature before its first
		}
		list = append(list, one)
	}
	if list == nil {
		list = ParseErrors{{Message: err.Error()}}
	}
	return list
}

// noFeature begins the errors about lines before the first of a feature.
const noFeature = "expected the end, a tag, Feature:, "

// mostFound bounds what an error quotes of a line, in letters.
const mostFound = 60

// tokens are the parser's names of what may stand in a line; those that are always allowed are empty.
var tokens = map[string]string{
	"#EOF": "the end", "#Language": "", "#Comment": "", "#Empty": "", "#TagLine": "a tag", "#FeatureLine": "Feature:", "#RuleLine": "Rule:",
	"#BackgroundLine": "Background:", "#ScenarioLine": "Scenario:", "#ExamplesLine": "Examples:", "#StepLine": "a step (Given, When, Then, And, But)",
	"#TableRow": "a line of a table", "#DocStringSeparator": `"""`, "#Other": "text",
}

// plain turns `expected: #EOF, #StepLine, got 'x'` into `expected a step or the end, found 'x'`.
func plain(message string) string {
	list, found, ok := strings.Cut(message, ", got ")
	if !ok {
		list, found = message, "the end of the text"
	}
	_, list, expects := strings.Cut(list, "expected: ")
	if !expects {
		return message
	}
	var words []string
	for token := range strings.SplitSeq(list, ", ") {
		if word, known := tokens[token]; !known {
			words = append(words, token)
		} else if word != "" {
			words = append(words, word)
		}
	}
	found = strings.TrimSpace(strings.Trim(found, "'"))
	if letters := []rune(strings.ToValidUTF8(found, "\ufffd")); len(letters) > mostFound {
		found = string(letters[:mostFound]) + "…"
	}
	return fmt.Sprintf("expected %s, found %s", strings.Join(words, ", "), found)
}
