const [a, b] = process.argv.slice(2).map(Number)

if ([a, b].some(Number.isNaN)) {
  console.error("Two numbers are expected.")
  process.exit(1)
}
console.log(a + b)
