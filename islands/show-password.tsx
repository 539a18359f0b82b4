// Shows what was typed into a password field, and hides it again. Without a script there is no such button.
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
    // Sent hidden, so that the browser keeps it as a password and not among the words it suggests.
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
