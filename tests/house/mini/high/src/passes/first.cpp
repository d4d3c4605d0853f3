namespace forge::high {

int first() { return 1; }

}  // namespace forge::high
