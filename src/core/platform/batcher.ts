// Gathers requests that arrive at the same moment into one piece of work: while a batch is under way,
// what arrives next waits and becomes the next batch. One round trip, one lock and one commit then serve many.

export type BatcherOptions<Question> = {
  /** How many questions one batch may hold. */
  batchMax: number;
  /** The lane of a question: those of one lane are answered one batch after the other, and lanes do not wait for each other. */
  laneOf: (question: Question) => number;
};

/**
 * Returns a function that answers one question through shared batches. `answerAll` gives one answer per question, in
 * their order. When a batch fails, each of its questions is asked alone, so that one bad question cannot spoil the
 * others; `isHopeless` names the failures that asking alone cannot mend (an outage), which go to everybody at once.
 */
export function batcher<Question, Answer>(
  answerAll: (questions: Question[]) => Promise<Answer[]>,
  isHopeless: (error: unknown) => boolean,
  { batchMax, laneOf }: BatcherOptions<Question>,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  /** What waits in the lanes in which a batch is under way. */
  const lanes = new Map<number, Waiting[]>();

  return (question) =>
    new Promise((resolve, reject) => {
      const name = laneOf(question);
      const waiting = lanes.get(name);
      if (waiting) waiting.push({ question, resolve, reject });
      else void work(name, [{ question, resolve, reject }]);
    });

  async function work(name: number, waiting: Waiting[]): Promise<void> {
    lanes.set(name, waiting);
    // Whoever arrives in this same turn of the event loop rides along.
    await Promise.resolve();
    while (waiting.length > 0) await settle(waiting.splice(0, batchMax));
    lanes.delete(name);
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
