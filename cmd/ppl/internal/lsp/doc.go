// Package lsp is the language server behind ppl lsp: editors ask it, over the Language
// Server Protocol 3.17, for problems and remedies, layout, completion, explanations,
// signatures, an outline, definitions, references and renaming of models.
//
// A Server holds the documents that the editor has open, as the editor has them; included
// files are read from disk, beside the document first. Messages are worked on one after
// the other, in one goroutine, so that an answer is about the text that came before the
// question. A message that makes no sense is answered with an error; only lost framing or
// the end of the input ends the session.
package lsp
