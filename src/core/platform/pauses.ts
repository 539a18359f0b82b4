// Interruptible sleeps: all can be cut short at once, and none leaves memory behind. (Racing each against one promise
// that settles only at shutdown would keep a reaction of every sleep until then.)

export type Pauses = {
  /** Resolves after this many milliseconds, or at once after `end`. */
  sleep: (ms: number) => Promise<void>;
  /** Ends every sleep, later ones too. */
  end: () => void;
};

export function createPauses(): Pauses {
  const waking = new Set<() => void>();
  let isOver = false;
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        if (isOver) return resolve();
        const wake = () => {
          clearTimeout(timer);
          waking.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waking.add(wake);
      }),
    end: () => {
      isOver = true;
      for (const wake of [...waking]) wake();
    },
  };
}
