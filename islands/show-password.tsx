// The button that shows and hides a password. It exists only with scripts.
import { useEffect, useRef, useState } from "react";
import { fieldOf, listen } from "./parts/form.ts";

type Props = { name: string; label: string };

export function ShowPassword({ name, label }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [field, setField] = useState<HTMLInputElement | null>(null);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const form = place.current?.closest("form") ?? null;
    setField(fieldOf(form, name) as HTMLInputElement | null);
    // Hidden again before sending, so that the browser saves it as a password and not as a form suggestion.
    return listen([[form, "submit", () => setShown(false)]]);
  }, [name]);
  useEffect(() => {
    if (field) field.type = isShown ? "text" : "password";
  }, [field, isShown]);
  return (
    <span ref={place}>
      {field && (
        <button
          className="quiet reveal"
          type="button"
          aria-pressed={isShown}
          aria-controls={field.id}
          aria-label={`Show ${label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
        </button>
      )}
    </span>
  );
}
