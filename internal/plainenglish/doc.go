// Package plainenglish keeps turns of phrase out of the documents, and out of the texts that programs print, which a good
// technical editor would replace. The list is short; each entry names the better wording. Nothing imports this package.
package plainenglish
