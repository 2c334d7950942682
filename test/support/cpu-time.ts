/** The processor time of this process, in milliseconds: unlike time, it doesn't grow because the machine is busy. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
