// This file writes quantities computed from the draws of an earlier fit, in the form of
// CmdStan's generate_quantities.

package draws

import (
	"errors"
	"os"
	"strings"
)

// WriteQuantities writes the columns of the model, one file a chain. Draws that are not
// those of Markov chains keep lp__ and the sampler's columns, which tell how they depend
// on each other. fitted names the file that each chain was computed from; seed is that of the
// random numbers.
func WriteQuantities(o CSVOptions, d *Draws, seed uint64, fitted func(chain int) string) error {
	o = o.withDefaults()
	for chain := range d.Chains() {
		method := Entry{Name: "method", Value: "generate_quantities", Choice: true, Children: []Entry{{Name: "generate_quantities", Children: []Entry{
			{Name: "fitted_params", Value: fitted(chain)},
			{Name: "num_chains", Value: 1, Default: true},
		}}}}
		config, err := configJSON(o.header(chain, seed, method, true))
		if err != nil {
			return err
		}
		path := o.Path(chain)
		err = errors.Join(
			os.WriteFile(path, quantitiesCSV(o.header(chain, seed, method, false), d, chain, o.Digits), 0o666),
			os.WriteFile(strings.TrimSuffix(path, ".csv")+"_config.json", config, 0o666),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func quantitiesCSV(header []Entry, d *Draws, chain, digits int) []byte {
	first := 1 + d.stats
	if d.Kind() != Chains {
		first = 0
	}
	b := appendComments(nil, header, 0)
	b = append(b, strings.Join(d.names[first:], ",")...)
	b = append(b, '\n')
	for i := range d.Len(chain) {
		for k, v := range d.Row(chain, i)[first:] {
			if k > 0 {
				b = append(b, ',')
			}
			b = AppendNumber(b, v, digits)
		}
		b = append(b, '\n')
	}
	return b
}
