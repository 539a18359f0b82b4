// A combobox that finds users by name, e-mail address or id; the plain field keeps and sends the id.
import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from "@headlessui/react";
import { useEffect, useState } from "react";

type Person = { id: number; username: string; email?: string | null };

const REQUESTED = 50;
const SHOWN = 8;
const PAUSE_MS = 200;

export function UserChoice({ id, field }: { id: string; field: HTMLInputElement }) {
  const [chosen, setChosen] = useState<Person | null>(
    field.value ? { id: Number(field.value), username: field.dataset.name || field.value } : null,
  );
  const [query, setQuery] = useState<string | null>(null);
  const { found, isWaiting, hasFailed } = useSearch(query);
  const choose = (person: Person | null) => {
    field.value = person ? String(person.id) : "";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    setChosen(person);
  };
  return (
    <Combobox value={chosen} by="id" onChange={choose} onClose={() => setQuery(null)} immediate>
      <ComboboxInput
        id={id}
        autoComplete="off"
        placeholder={field.placeholder}
        displayValue={(person: Person | null) => person?.username ?? ""}
        onFocus={() => setQuery((before) => before ?? "")}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ComboboxOptions anchor={{ to: "bottom start", gap: 4 }} className="pop" modal={false}>
        {found.map((person) => (
          <ComboboxOption key={person.id} value={person} className="pop-item">
            <bdi>{person.username}</bdi>
            <span className="small soft">
              <bdi>{person.email ?? "no email"}</bdi> · ID {person.id}
            </span>
          </ComboboxOption>
        ))}
      </ComboboxOptions>
      <p className="hint" role="status">
        {query !== null && statusText(found.length, isWaiting, hasFailed)}
      </p>
    </Combobox>
  );
}

function statusText(count: number, isWaiting: boolean, hasFailed: boolean): string {
  if (hasFailed) return "The search failed. Clear the field or try again.";
  return count === 0 && !isWaiting ? "Nobody found" : "";
}

type Result = { query: string | null; found: Person[]; hasFailed: boolean };

/**
 * The users that match the query; null sends none. Until the answer arrives, these are the matching ones of the
 * previous answer, so that pressing Enter early never chooses somebody else.
 */
function useSearch(query: string | null): Omit<Result, "query"> & { isWaiting: boolean } {
  const [result, setResult] = useState<Result>({ query: null, found: [], hasFailed: false });
  useEffect(() => {
    if (query === null) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const found = await search(query, abort.signal);
        setResult({ query, found, hasFailed: false });
      } catch {
        if (!abort.signal.aborted) setResult({ query, found: [], hasFailed: true });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  if (result.query === query || query === null) return { ...result, isWaiting: false };
  const typed = query.trim().toLowerCase();
  const fits = ({ id, username, email }: Person) => `${id} ${username} ${email ?? ""}`.toLowerCase().includes(typed);
  return { found: result.found.filter(fits), isWaiting: true, hasFailed: false };
}

/** Names that begin with the query come first, because part of an e-mail domain matches almost everybody. */
async function search(query: string, signal: AbortSignal): Promise<Person[]> {
  const typed = query.trim().toLowerCase();
  const parameters = new URLSearchParams({ limit: String(REQUESTED), ...(typed && { search: typed }) });
  const answer = await fetch(`/api/v1/admin/users?${parameters}`, { signal });
  if (!answer.ok) throw new Error(`the search answered ${answer.status}`);
  const found: Person[] = await answer.json();
  const rank = ({ username }: Person) => {
    const at = username.toLowerCase().indexOf(typed);
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN);
}
