// Pauses that can be cut short all at once, and that leave nothing behind when they end by themselves: a race against one
// promise that is settled only at the end would keep a reaction of each pause until then.

export type Pauses = {
  /** Resolves after so many milliseconds, or at once when everything is to end. */
  sleep: (ms: number) => Promise<void>;
  /** Ends every pause, those that begin later too. */
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
