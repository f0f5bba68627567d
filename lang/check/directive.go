package check

import "github.com/seed-12b88e03/ppl/lang/ast"

func (c *checker) inference(b *ast.Inference) {}
