// The cancel button of an order. It counts down the seconds for which cancelling is possible, and then disappears.
import { useEffect, useState } from "react";
import { ACTION } from "../src/shared/forms.ts";

export function CancelButton({ seconds: initially }: { seconds: number }) {
  const [seconds, setSeconds] = useState(initially);
  useEffect(() => {
    const untilMs = Date.now() + initially * 1000;
    const timer = setInterval(() => setSeconds(Math.ceil((untilMs - Date.now()) / 1000)), 1000);
    return () => clearInterval(timer);
  }, [initially]);
  if (seconds <= 0) return null;
  return (
    <button className="quiet" name={ACTION} value="cancel" type="submit">
      Cancel ({seconds} s)
    </button>
  );
}
