// The processor time of a piece of work, for tests of speed: other programs on the machine do not add to it.

/** The milliseconds of processor time that this process takes for `work`, in all its threads. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
