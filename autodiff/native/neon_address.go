// Loads and stores of arm64. An instruction reaches 32 KB from the address in a general
// register. What lies further away, at odd places or in streams has an address of its own in
// one of some registers, for as long as there is room.

package native

// A greg64 is a general register of arm64. Go reserves x18, and x27 and those after it.
type greg64 word

// addressRegisters are those for addresses; x16 is for what is needed in between.
var addressRegisters = [...]greg64{7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24, 25, 26}

// A base is the content of an address register: the address of the arena, a stream or the output, plus an
// offset.
type base struct {
	kind placeKind // inReg where the register is free
	off  int32
}

// bases records what the address registers hold. Those below pinned keep it for all iterations of a
// loop; next is the register that is used next.
type bases struct {
	at     [len(addressRegisters)]base
	pinned int
	next   int
}

// forget frees the registers from the one on.
func (b *bases) forget(from int) {
	b.pinned, b.next = from, from
	clear(b.at[from:])
}

func (e *neon) top() { e.bases.forget(e.bases.pinned) }

// enter fills registers with the addresses of streams, leaving some for the arena.
func (e *neon) enter(a *allocator) {
	if e.high = a.anyWide; e.high {
		e.addConst(5, 3, 16)
	}
	if e.one = a.byOne != nil; e.one {
		const quarter = 0xd342fc66 // lsr x6, x3, #2
		e.write(quarter)
	}
	const forArena = 4
	note := func(slot int32) {
		if slot != NoSlot && slot < a.first() && e.bases.next < len(addressRegisters)-forArena {
			p := a.slotPlace(slot)
			e.base(base{p.kind, p.off})
		}
	}
	for i := range a.values {
		note(a.values[i].memory)
	}
	e.bases.pinned = e.bases.next
}

func (e *neon) load(dst xreg, wide bool, from place) {
	const load = 1 << 22
	e.memory(load, dst, wide, from)
}

func (e *neon) store(to place, wide bool, src xreg) { e.memory(0, src, wide, to) }

// memory writes a load or store.
func (e *neon) memory(load word, r xreg, wide bool, p place) {
	if p.kind != inArena {
		index := greg64(3)
		switch {
		case p.high:
			index = 5
		case p.one:
			index = 6
		}
		w := word(0xfc206800)
		if wide {
			w = 0x3ca06800
		}
		e.write(w | load | word(index)<<16 | word(e.base(base{p.kind, p.off}))<<5 | word(r))
		return
	}
	w, unit := word(0xfd000000), int32(8)
	if wide {
		w, unit = 0x3d800000, 16
	}
	const reach = 1 << 15
	from := p.off&^(reach-1) + p.off%unit // so that the rest is a multiple of the unit
	e.write(w | load | word((p.off-from)/unit)<<10 | word(e.base(base{inArena, from}))<<5 | word(r))
}

// base returns a register with an address.
func (e *neon) base(at base) greg64 {
	const arena, output greg64 = 0, 2
	switch at {
	case base{inArena, 0}:
		return arena
	case base{inOutput, 0}:
		return output
	}
	b := &e.bases
	for i, x := range b.at {
		if x == at {
			return addressRegisters[i]
		}
	}
	r := addressRegisters[b.next]
	b.at[b.next] = at
	if b.next++; b.next == len(b.at) {
		b.next = b.pinned
	}
	switch at.kind {
	case inArena:
		e.addConst(r, arena, int(at.off))
	case inOutput:
		e.addConst(r, output, int(at.off))
	case inStream:
		e.loadAddress(r, at.off)
	}
	return r
}

// loadAddress reads one of the inputs' addresses.
func (e *neon) loadAddress(r greg64, off int32) {
	const (
		load    word  = 0xf9400000
		longest int32 = 1 << 15
	)
	from := greg64(1)
	if high := off &^ (longest - 1); high != 0 {
		from = 16
		e.addConst(from, 1, int(high))
		off -= high
	}
	e.write(load | word(off/8)<<10 | word(from)<<5 | word(r))
}

// addConst adds a constant between -1<<24 and 1<<32 to a general register, but not 0.
func (e *neon) addConst(dst, src greg64, k int) {
	const shifted word = 1 << 22
	add := neonAddConst
	if k < 0 {
		add, k = neonSubConst, -k
	}
	low, high := k&(1<<12-1), k>>12
	if high >= 1<<12 {
		e.addLong(dst, src, k)
		return
	}
	if high > 0 {
		e.write(add | shifted | word(high)<<10 | word(src)<<5 | word(dst))
		src = dst
	}
	if low > 0 {
		e.write(add | word(low)<<10 | word(src)<<5 | word(dst))
	}
}

// addLong adds a positive constant of any length below 1<<32.
func (e *neon) addLong(dst, src greg64, k int) {
	const (
		set  word = 0xd2800000 // the lower 16 bits, and zeros
		keep word = 0xf2a00000 // the next 16 bits, keeping the others
		add  word = 0x8b000000
		tmp       = 16
	)
	e.write(set | word(k&(1<<16-1))<<5 | tmp)
	e.write(keep | word(k>>16)<<5 | tmp)
	e.write(add | tmp<<16 | word(src)<<5 | word(dst))
}
