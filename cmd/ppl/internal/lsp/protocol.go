package lsp

// This file holds the protocol's types, as far as the server uses them.

// A position is a line and a place in it, both counted from 0; the place counts UTF-16
// code units.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A span ends before End.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type (
	initializeParams struct {
		Options settings `json:"initializationOptions"`
		Root    string   `json:"rootUri"`
		Folders []struct {
			URI string `json:"uri"`
		} `json:"workspaceFolders"`
	}
	// settings are what an editor's user may set.
	settings struct {
		Include     []string `json:"include"`     // folders of included files
		IncludeRoot string   `json:"includeRoot"` // folder that included files must lie in; absent: see Server.compiling
		Lint        *bool    `json:"lint"`        // also what ppl check --pedantic warns of; true where it is absent
	}
	documentID struct {
		URI string `json:"uri"`
	}
	openParams struct {
		Document struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	changeParams struct {
		Document struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
		} `json:"textDocument"`
		Changes []struct {
			Range *span  `json:"range"`
			Text  string `json:"text"`
		} `json:"contentChanges"`
	}
	documentParams struct {
		Document documentID `json:"textDocument"`
	}
	placeParams struct {
		Document documentID `json:"textDocument"`
		Position position   `json:"position"`
	}
	referenceParams struct {
		placeParams
		Context struct {
			IncludeDeclaration *bool `json:"includeDeclaration"` // true where it is absent
		} `json:"context"`
	}
	rangeParams struct {
		Document documentID `json:"textDocument"`
		Range    span       `json:"range"`
	}
	renameParams struct {
		placeParams
		NewName string `json:"newName"`
	}
)

type (
	diagnostics struct {
		URI     string       `json:"uri"`
		Version int          `json:"version"`
		List    []diagnostic `json:"diagnostics"`
	}
	diagnostic struct {
		Range    span   `json:"range"`
		Severity int    `json:"severity"`
		Code     string `json:"code"`
		Source   string `json:"source"`
		Message  string `json:"message"`
		Related  []note `json:"relatedInformation,omitempty"`
	}
	note struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	textEdit struct {
		Range   span   `json:"range"`
		NewText string `json:"newText"`
	}
	workspaceEdit struct {
		Changes map[string][]textEdit `json:"changes"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	hover struct {
		Contents markup `json:"contents"`
		Range    span   `json:"range"`
	}
	highlight struct {
		Range span `json:"range"`
		Kind  int  `json:"kind"`
	}
	signatureHelp struct {
		Signatures      []signature `json:"signatures"`
		ActiveSignature int         `json:"activeSignature"`
		ActiveParameter int         `json:"activeParameter"`
	}
	signature struct {
		Label         string      `json:"label"`
		Documentation *markup     `json:"documentation,omitempty"`
		Parameters    []parameter `json:"parameters"`
	}
	parameter struct {
		Label         string  `json:"label"` // a part of the signature's
		Documentation *markup `json:"documentation,omitempty"`
	}
	codeAction struct {
		Title       string        `json:"title"`
		Kind        string        `json:"kind"`
		Diagnostics []diagnostic  `json:"diagnostics"`
		IsPreferred bool          `json:"isPreferred,omitempty"`
		Edit        workspaceEdit `json:"edit"`
	}
	completionList struct {
		IsIncomplete bool         `json:"isIncomplete"`
		Items        []completion `json:"items"`
	}
	completion struct {
		Label         string  `json:"label"`
		Kind          int     `json:"kind"`
		Detail        string  `json:"detail,omitempty"`
		Documentation *markup `json:"documentation,omitempty"`
		InsertText    string  `json:"insertText,omitempty"`
	}
)

// The kinds of completions, with the protocol's numbers.
const (
	kindMethod     = 2
	kindFunction   = 3
	kindVariable   = 6
	kindModule     = 9
	kindProperty   = 10
	kindEnumMember = 20
	kindKeyword    = 14
	kindTypeName   = 25
)
