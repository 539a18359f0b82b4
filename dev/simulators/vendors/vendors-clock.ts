// The clock of the vendors' simulator: it stands still, runs at a given speed, or jumps, and runs due tasks in order.
// Tasks are data, so that they can be kept across a restart.
import type { Act, Step } from "./vendors-types.ts";

/** The clock with its planned tasks. */
export class Clock {
  /** In the order in which they are due. */
  steps: Step[] = [];
  #base: number;
  #anchor = performance.now();
  #speed = 0;
  #timer: Timer | null = null;
  #working: Promise<void> = Promise.resolve();

  constructor(
    start: number,
    readonly run: (act: Act) => Promise<void>,
  ) {
    this.#base = start;
  }

  /** Milliseconds since 1970, by the vendors' clock. */
  now(): number {
    return Math.floor(this.#base + (performance.now() - this.#anchor) * this.#speed);
  }

  setSpeed(speed: number): void {
    this.#setTo(this.now());
    this.#speed = speed;
    this.#arm();
  }

  setTo(time: number): void {
    this.#setTo(time);
    this.#arm();
  }

  plan(seconds: number, act: Act): void {
    const at = this.now() + seconds * 1000;
    // Tasks that are due at the same moment run in the order in which they were planned.
    let [from, to] = [0, this.steps.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.steps[middle]!.at > at) to = middle;
      else from = middle + 1;
    }
    this.steps.splice(from, 0, { at, act });
    this.#arm();
  }

  /** Lets time pass at once; resolves when every task that fell due is done, each at its own moment. */
  advance(seconds: number): Promise<void> {
    const work = this.#working.then(async () => {
      const end = this.now() + seconds * 1000;
      await this.#workUntil(end);
      this.#setTo(Math.max(end, this.now()));
      this.#arm();
    });
    this.#working = work.catch(() => {});
    return work;
  }

  /** Makes the tasks that `isMeant` picks fall due earlier; those that are due then run in the background. */
  hasten(seconds: number, isMeant: (act: Act) => boolean): void {
    for (const step of this.steps) if (isMeant(step.act)) step.at -= seconds * 1000;
    // Sorting keeps the order of tasks that are due at the same moment.
    this.steps.sort((a, b) => a.at - b.at);
    this.#arm();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.steps = [];
    this.#speed = 0;
  }

  async #workUntil(end: number): Promise<void> {
    for (let next = this.steps[0]; next && next.at <= end; next = this.steps[0]) {
      this.steps.shift();
      this.#setTo(Math.max(next.at, this.now()));
      await this.run(next.act);
    }
  }

  #setTo(time: number): void {
    this.#base = time;
    this.#anchor = performance.now();
  }

  #arm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const next = this.steps[0];
    if (!next || this.#speed === 0) return;
    const ms = Math.max(0, (next.at - this.now()) / this.#speed);
    // A delay beyond a timer's range is split.
    this.#timer = setTimeout(() => void this.advance(0), Math.min(ms, 2 ** 30));
    this.#timer.unref();
  }
}
