namespace forge::high {

int second() { return 1; }

}  // namespace forge::high
