// The batcher: requests of the same moment are one batch, and a bad request does not fail the others.
import { expect, test } from "bun:test";
import { batcher } from "../../../src/core/platform/batcher.ts";
import { times } from "../../support/asking.ts";

const never = () => false;

test("requests of the same moment are one batch, and each gets its own answer", async () => {
  const batches: number[][] = [];
  const ask = batcher<number, number>(
    async (questions) => {
      batches.push(questions);
      return questions.map((question) => question * 2);
    },
    never,
    { batchMax: 200, partitionOf: () => 0 },
  );
  expect(await Promise.all(times(50, ask))).toEqual(times(50, (i) => i * 2));
  expect(batches).toEqual([times(50, (i) => i)]);
});

test("requests that arrive during a batch wait for the next one, which is limited in size", async () => {
  const gate = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const ask = batcher<number, number>(
    async (questions) => {
      sizes.push(questions.length);
      await gate.promise;
      return questions;
    },
    never,
    { batchMax: 10, partitionOf: () => 0 },
  );
  const first = ask(0);
  await Promise.resolve();
  await Promise.resolve();
  const rest = times(25, (i) => ask(i + 1));
  gate.resolve();
  expect(await Promise.all([first].concat(rest))).toEqual(times(26, (i) => i));
  expect(sizes).toEqual([1, 10, 10, 5]);
});

test("a partition's requests are never in two batches at once, and partitions do not wait for each other", async () => {
  const running = new Map<number, number>();
  let mostAtOnce = 0;
  const ask = batcher<number, number>(
    async (questions) => {
      const partition = questions[0]! % 2;
      running.set(partition, (running.get(partition) ?? 0) + 1);
      expect(running.get(partition)).toBe(1);
      mostAtOnce = Math.max(mostAtOnce, [...running.values()].filter((n) => n > 0).length);
      await new Promise((resolve) => setImmediate(resolve));
      running.set(partition, running.get(partition)! - 1);
      return questions;
    },
    never,
    { batchMax: 3, partitionOf: (question) => question % 2 },
  );
  await Promise.all(times(40, ask));
  expect(mostAtOnce).toBe(2);
});

test("when a batch fails, each of its requests is retried alone, and only the bad one is refused", async () => {
  const ask = batcher<number, number>(
    async (questions) => {
      if (questions.includes(3)) throw new Error("three is bad");
      return questions;
    },
    never,
    { batchMax: 200, partitionOf: () => 0 },
  );
  const answers = await Promise.allSettled(times(6, ask));
  expect(answers.map((answer) => answer.status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await ask(7)).toBe(7);
});

test("an outage fails the whole batch at once, without retrying each request", async () => {
  let calls = 0;
  const ask = batcher<number, number>(
    async () => {
      calls += 1;
      throw new Error("down");
    },
    () => true,
    { batchMax: 200, partitionOf: () => 0 },
  );
  const answers = await Promise.allSettled(times(20, ask));
  expect(answers.every((answer) => answer.status === "rejected")).toBe(true);
  expect(calls).toBe(1);
});
