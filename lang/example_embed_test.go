package lang_test

import (
	"context"
	_ "embed"
	"fmt"
	"log"

	"github.com/seed-12b88e03/ppl/lang"
)

// The model is a part of the program.
//
//go:embed testdata/poll.ppl
var pollModel string

// A poll is the data of one fit, as the rest of the program has them.
type poll struct {
	Town  string // no variable of the model, so it is passed over
	Asked int    `ppl:"asked"`
	Yes   int    `ppl:"yes"`
}

// A model that is embedded, data from a struct, and the methods that the model names. Of two
// methods that use one fit, the fit is made once. The exact posterior is beta(7, 7), and the
// exact log evidence log(18/143) = -2.073, in nats.
func Example_embedded() {
	program, err := lang.Compile("poll.ppl", pollModel, lang.Options{})
	if err != nil {
		log.Fatal(lang.ErrorText(err))
	}
	data, err := program.DataFrom(poll{Town: "Lea", Asked: 10, Yes: 5})
	if err != nil {
		log.Fatal(err)
	}
	model, err := program.Bind(data, lang.BindOptions{Seed: 1})
	if err != nil {
		log.Fatal(lang.ErrorText(err))
	}
	methods, err := program.Methods()
	if err != nil {
		log.Fatal(lang.ErrorText(err))
	}
	shared := lang.Share(methods)
	for _, method := range methods {
		fit, err := model.Run(context.Background(), method, lang.RunOptions{Seed: 1, Jobs: 2, Shared: shared})
		if err != nil {
			log.Fatal(lang.ErrorText(err))
		}
		share, err := fit.Numbers("share")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d draws", fit.Name, len(share))
		if e := fit.Posterior.LogEvidence; e != nil {
			fmt.Printf(", log p(y) %.1f", e.Value)
		}
		fmt.Println()
	}
	// Output:
	// fit: 1000 draws
	// evidence: 1000 draws, log p(y) -2.1
}
