// A program may have a single block.
model {

}
