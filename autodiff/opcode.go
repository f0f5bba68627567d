package autodiff

// opcode numbers the core operations, which the run-grouped interpreter executes
// without a function call.
type opcode uint8
