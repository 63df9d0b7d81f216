/**
 * Milliseconds of processor time this process has used: stands in for the clock in tests of cost, which a busy machine must not
 * fail.
 */
export const cpuTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}
