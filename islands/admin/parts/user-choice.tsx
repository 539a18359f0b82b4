// A user, looked for by name, e-mail or id as one types; the plain field keeps the id and sends it.
import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { useEffect, useState } from "react";
import { takeLabel } from "./places.ts";

type Person = { id: number; username: string; email?: string };

const ASKED = 50;
const SHOWN = 8;
const PAUSE_MS = 200;

export function UserChoice({ field }: { field: HTMLInputElement }) {
  const id = `${field.id}-choice`;
  const [chosen, setChosen] = useState<Person | null>(
    field.value ? { id: Number(field.value), username: field.dataset.name || field.value } : null,
  );
  const [words, setWords] = useState<string | null>(null);
  const { found, isWaiting, hasFailed } = useSearch(words);
  useEffect(() => void takeLabel(field, id), [field, id]);
  const choose = (person: Person | null) => {
    field.value = person ? String(person.id) : "";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    setChosen(person);
  };
  return (
    <Combobox value={chosen} by="id" onChange={choose} onClose={() => setWords(null)} immediate>
      <ComboboxInput
        id={id}
        autoComplete="off"
        placeholder="Username, email or ID"
        displayValue={(person: Person | null) => person?.username ?? ""}
        onFocus={() => setWords((before) => before ?? "")}
        onChange={(event) => setWords(event.target.value)}
      />
      <ComboboxOptions anchor={{ to: "bottom start", gap: 4 }} className="pop" modal={false}>
        {found.map((person) => (
          <ComboboxOption key={person.id} value={person} className="pop-item">
            <bdi>{person.username}</bdi>
            <span className="small soft">
              <bdi>{person.email}</bdi> · ID {person.id}
            </span>
          </ComboboxOption>
        ))}
      </ComboboxOptions>
      <p className="hint" role="status">
        {words !== null && saidOf(found.length, isWaiting, hasFailed)}
      </p>
    </Combobox>
  );
}

function saidOf(count: number, isWaiting: boolean, hasFailed: boolean): string {
  if (hasFailed) return "The search did not answer. Clear the field, or try again.";
  return count === 0 && !isWaiting ? "Nobody found" : "";
}

type Result = { words: string | null; found: Person[]; hasFailed: boolean };

/**
 * The users that fit what was typed; null words ask nothing. Until the answer comes, those of the answer before that fit
 * by name, so that whoever presses Enter at once never chooses somebody else.
 */
function useSearch(words: string | null): Omit<Result, "words"> & { isWaiting: boolean } {
  const [result, setResult] = useState<Result>({ words: null, found: [], hasFailed: false });
  useEffect(() => {
    if (words === null) return;
    const gone = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const found = await search(words, gone.signal);
        setResult({ words, found, hasFailed: false });
      } catch {
        if (!gone.signal.aborted) setResult({ words, found: [], hasFailed: true });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [words]);
  if (result.words === words || words === null) return { ...result, isWaiting: false };
  const typed = words.trim().toLowerCase();
  const fits = ({ id, username, email }: Person) =>
    `${id} ${username} ${email}`.toLowerCase().includes(typed);
  return { found: result.found.filter(fits), isWaiting: true, hasFailed: false };
}

/** Whose name begins with the words comes first: a part of an e-mail's domain fits almost everybody. */
async function search(words: string, signal: AbortSignal): Promise<Person[]> {
  const typed = words.trim().toLowerCase();
  const query = new URLSearchParams({ limit: String(ASKED), ...(typed && { search: typed }) });
  const answer = await fetch(`/api/v1/admin/users?${query}`, { signal });
  if (!answer.ok) throw new Error(`the search answered ${answer.status}`);
  const found: Person[] = await answer.json();
  const rank = ({ username }: Person) => {
    const at = username.toLowerCase().indexOf(typed);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
}
