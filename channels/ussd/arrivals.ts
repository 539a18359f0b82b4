// The requests of each session that are in this process: answered one after the other, in memory rather than on the
// session's row. It tells exactly what had arrived before an answer left, which clocks of other machines cannot.

/** A request in the queue of its session. */
export type Arrival = {
  /** How long it has waited, in milliseconds. */
  waitedMs: () => number;
  /** Whether the answer of this version of the session left only after the request had arrived. */
  isBefore: (version: number) => boolean;
  /** Notes that the answer of this version leaves now. */
  leaves: (version: number) => void;
};

type Queue = { last: Promise<unknown>; left: { version: number; atMs: number } | null };

/** Returns a function that runs the work for a request after that of the session's earlier ones. It must not throw. */
export function createArrivals<T>(): (
  sessionId: string,
  arrivedAtMs: number,
  work: (arrival: Arrival) => Promise<T>,
) => Promise<T> {
  const queues = new Map<string, Queue>();
  return (sessionId, arrivedAtMs, work) => {
    const queue = queues.get(sessionId) ?? { last: Promise.resolve(), left: null };
    queues.set(sessionId, queue);
    const done = queue.last.then(() => work(arrivalIn(queue, arrivedAtMs)));
    queue.last = done;
    void done.then(() => queue.last === done && queues.delete(sessionId));
    return done;
  };
}

function arrivalIn(queue: Queue, arrivedAtMs: number): Arrival {
  return {
    waitedMs: () => performance.now() - arrivedAtMs,
    isBefore: (version) => queue.left?.version === version && arrivedAtMs < queue.left.atMs,
    leaves: (version) => {
      queue.left = { version, atMs: performance.now() };
    },
  };
}
