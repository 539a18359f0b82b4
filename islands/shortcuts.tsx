// Keys of an agent's pages, for laptops: / to the search, n to a new sale. They can be turned off, for people whose
// devices type letters by speech.
import { useEffect, useLayoutEffect, useState } from "react";

const OFF = "keys-off";

export function Shortcuts() {
  // Null until the browser has been asked: nothing is shown before.
  const [isOn, setOn] = useState<boolean | null>(null);
  useEffect(() => setOn(!readOff()), []);
  // The keys work from the moment on in which the page names them.
  useLayoutEffect(() => {
    if (!isOn) return;
    document.addEventListener("keydown", follow);
    return () => document.removeEventListener("keydown", follow);
  }, [isOn]);
  if (isOn === null) return null;
  const toggle = () => {
    keepOff(Boolean(isOn));
    setOn(!isOn);
  };
  return (
    <p className="keys small soft">
      {isOn && (
        <>
          Keys: <kbd>/</kbd> search, <kbd>n</kbd> new sale{" "}
        </>
      )}
      <button className="tiny quiet" type="button" onClick={toggle}>
        {isOn ? "Turn off" : "Turn keys on"}
      </button>
    </p>
  );
}

/** Some browsers forbid storage: there the choice lasts as long as the page. */
function readOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}

function keepOff(isOff: boolean): void {
  try {
    if (isOff) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
  } catch {}
}

const searchField = () => document.querySelector<HTMLInputElement>("input[type=search]");

function follow(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
  if (event.key === "n" && !hasTyped()) location.assign("/buy");
  else if (event.key === "/") {
    const field = searchField();
    field?.focus();
    field?.select();
    // The browser itself focuses the field that an address names, long before a script could.
    if (!field) location.assign("/orders#search");
  } else return;
  event.preventDefault();
}

/** Whether a form holds something that is not sent yet: one letter must not throw it away. */
function hasTyped(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>("form[method=post] :is(input, textarea)");
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, [contenteditable], [inert]") !== null;
}
