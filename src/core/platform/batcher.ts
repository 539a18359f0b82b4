// A batcher: requests that arrive while a batch is running wait and become the next batch, so that one round trip, one
// lock and one commit serve many.

export type BatcherOptions<Request> = {
  /** The most requests in one batch. */
  batchMax: number;
  /** The partition of a request: batches of one partition run in turn, partitions do not wait for each other. */
  partitionOf: (request: Request) => number;
};

/**
 * Returns a function that runs one request through shared batches. `runAll` returns one result per request, in their
 * order. When a batch fails, each of its requests runs alone, so that a bad one does not fail the others; `isHopeless`
 * recognises failures that running alone cannot fix (an outage), which reject every request at once.
 */
export function batcher<Request, Result>(
  runAll: (requests: Request[]) => Promise<Result[]>,
  isHopeless: (error: unknown) => boolean,
  { batchMax, partitionOf }: BatcherOptions<Request>,
): (request: Request) => Promise<Result> {
  type Waiting = { request: Request; resolve: (result: Result) => void; reject: (error: unknown) => void };
  /** Requests waiting behind a running batch, by partition. */
  const partitions = new Map<number, Waiting[]>();

  return (request) =>
    new Promise((resolve, reject) => {
      const partition = partitionOf(request);
      const waiting = partitions.get(partition);
      if (waiting) waiting.push({ request, resolve, reject });
      else void drain(partition, [{ request, resolve, reject }]);
    });

  async function drain(partition: number, waiting: Waiting[]): Promise<void> {
    partitions.set(partition, waiting);
    // Requests of this same turn of the event loop join the first batch.
    await Promise.resolve();
    while (waiting.length > 0) await run(waiting.splice(0, batchMax));
    partitions.delete(partition);
  }

  async function run(batch: Waiting[]): Promise<void> {
    try {
      const results = await runAll(batch.map((waiting) => waiting.request));
      for (const [i, waiting] of batch.entries()) waiting.resolve(results[i]!);
    } catch (error) {
      if (batch.length === 1 || isHopeless(error)) for (const waiting of batch) waiting.reject(error);
      else for (const waiting of batch) await run([waiting]);
    }
  }
}
