// A module that an island loads when it is needed.
import { useEffect, useState } from "react";

/** The module, null until it is there. Without a connection the form works as it does without a script. */
export function useLoaded<M>(isNeeded: boolean, load: () => Promise<M>): M | null {
  const [module, setModule] = useState<M | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` always loads the same module.
  useEffect(() => {
    if (isNeeded)
      load().then(
        (it) => setModule(() => it),
        () => {},
      );
  }, [isNeeded]);
  return module;
}
