// This file holds the functions of complex numbers.

package stdlib

func complexFunctions() []*Function { return nil }

func quantileFunctions() []*Function { return nil }

func fourierFunctions() []*Function { return nil }
