// Package plainenglish keeps turns of phrase that a good technical editor would replace out of the documents, the texts of
// programs and the comments of the code. The list is short; each entry names the better wording. Nothing imports this package.
package plainenglish
