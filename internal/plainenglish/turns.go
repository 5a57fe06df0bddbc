package plainenglish

import "regexp"

// A turn is a phrase that is not to be used.
type turn struct {
	phrase *regexp.Regexp
	better string
}

// banned has only phrases that are wrong wherever they stand: a reader should never have to judge an exception.
var banned = []turn{
	{words(`anew`), `"again", or a verb with re-: "rebuild", "restart"`},
	{words(`for ever`), `"forever"`},
	{words(`lasts? for good`), `"never ends"`},
	{words(`all the same`), `"anyway", "still" or "however"`},
	{words(`whom`), `a noun for the person or the object`},
	{words(`it is the \w+ (who|that)`), `a subject and a verb, without "it is the"`},
	{words(`what is (yours|ours|theirs)`), `a noun: "your files", "your own queues"`},
	{words(`(no|some|any|every)body`), `the noun: "no ask", "another client", "all users"`},
	{words(`nothing is decided otherwise`), `"decisions are unchanged"`},
	{words(`what came of it`), `"result"`},
	{words(`what comes of it`), `"effects" or "result"`},
	{words(`made up from a seed`), `"generated from a seed"`},
	{words(`the text is what runs`), `"applied configuration"`},
	{words(`no queue of its (is|has|may)`), `"none of its queues"`},
	{words(`victims enough`), `"enough victims"`},
	{words(`in vain`), `"without success"`},
	{words(`draws? no lots`), `"uses no random numbers"`},
	{words(`(is|are) told all the same`), `"is still reported"`},
	{words(`lest`), `"so that … not"`},
	{words(`(whence|thence|thereby|therein|whereby|wherein|thereof|whereof)`), `a plain clause`},
	{words(`but for`), `"except"`},
	{words(`upon`), `"on"`},
	{words(`the speed of life`), `"real time"`},
	{words(`not given yet`), `what is true now`},
	{words(`wants to know`), `the fact itself`},
	{words(`sees? what comes`), `"see the result"`},
	{words(`(as|than) ever`), `"as before" or nothing`},
	{words(`what became of`), `"result of"`},
	{words(`what becomes of`), `"effect on"`},
	{words(`who (is|are) (there|who)`), `the noun for the person or the object`},
	{words(`(it|they|he) (is|are) as (it|they|he) (is|are)`), `the fact itself`},
	{words(`(was|were|is|are|been) promised`), `"is guaranteed"`},
	{words(`(above|below|over|under|within|call in) (a|its|the|their) promises?`), `"guarantee"`},
	{words(`did not find expected`), `the message of quern, not of the library`},
}

// words returns an expression for a phrase in any case and with any white space between its words.
func words(phrase string) *regexp.Regexp {
	spaced := regexp.MustCompile(` `).ReplaceAllString(phrase, `\s+`)
	return regexp.MustCompile(`(?i)\b` + spaced + `\b`)
}
