// Gathers requests that arrive at the same moment into one piece of work: while a batch is under way,
// what arrives next waits and becomes the next batch. One round trip, one lock and one commit then serve many.

export type GatherOptions<Question> = {
  /** How many batches may be under way at once. */
  lanes: number;
  /** How many questions one batch may hold. */
  batchMax: number;
  /** Questions of one lane are answered one batch after the other; the same number always shares a lane. */
  laneOf: (question: Question) => number;
};

/**
 * Returns a function that answers one question through shared batches. `answerAll` gives one answer per question, in
 * their order. When a batch fails, each of its questions is asked alone, so that one bad question cannot spoil the
 * others; `isHopeless` names the failures that asking alone cannot mend (an outage), which go to everybody at once.
 */
export function gather<Question, Answer>(
  answerAll: (questions: Question[]) => Promise<Answer[]>,
  isHopeless: (error: unknown) => boolean,
  { lanes, batchMax, laneOf }: GatherOptions<Question>,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  const queues = Array.from({ length: lanes }, () => ({ waiting: [] as Waiting[], busy: false }));

  return (question) =>
    new Promise((resolve, reject) => {
      const lane = queues[laneOf(question) % lanes]!;
      lane.waiting.push({ question, resolve, reject });
      if (!lane.busy) void work(lane);
    });

  async function work(lane: (typeof queues)[number]): Promise<void> {
    lane.busy = true;
    // Whoever arrives in this same turn of the event loop rides along.
    await Promise.resolve();
    while (lane.waiting.length > 0) await settle(lane.waiting.splice(0, batchMax));
    lane.busy = false;
  }

  async function settle(batch: Waiting[]): Promise<void> {
    try {
      const answers = await answerAll(batch.map((waiting) => waiting.question));
      for (const [i, waiting] of batch.entries()) waiting.resolve(answers[i]!);
    } catch (error) {
      if (batch.length === 1 || isHopeless(error)) for (const waiting of batch) waiting.reject(error);
      else for (const waiting of batch) await settle([waiting]);
    }
  }
}
