package main

import "github.com/quern-project/quern/features"

// step is a sentence, for those who help people to write it.
type step struct {
	Topic    string   `json:"topic"`
	Form     string   `json:"form"`     // what stands in braces is filled in, what stands in brackets may be left out
	Pattern  string   `json:"pattern"`  // the regular expression that a step has to match
	Keywords []string `json:"keywords"` // Given and When, or Then
	Takes    string   `json:"takes"`    // what follows the line: table, text, or nothing
	Doc      string   `json:"doc"`
}

func steps() []step {
	vocabulary := features.Vocabulary()
	list := make([]step, len(vocabulary))
	for i, s := range vocabulary {
		list[i] = step{Topic: s.Topic, Form: s.Form, Pattern: s.Pattern(), Keywords: s.Keywords(), Takes: s.Takes(), Doc: s.Doc}
	}
	return list
}
