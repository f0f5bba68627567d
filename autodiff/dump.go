package autodiff

func (p *Program) Dump() string { return "" }
