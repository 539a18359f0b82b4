// The checkbox that ticks all rows of the page or none, and reflects rows that are ticked one by one.
import { useEffect, useRef, useState } from "react";

const boxesOf = (formId: string) => [
  ...document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][name=ids][form="${formId}"]`),
];

export function SelectAll({ formId }: { formId: string }) {
  const own = useRef<HTMLInputElement>(null);
  const [ticked, setTicked] = useState({ all: false, some: false });
  useEffect(() => {
    const update = () => {
      const boxes = boxesOf(formId);
      const count = boxes.filter((box) => box.checked).length;
      setTicked({ all: boxes.length > 0 && count === boxes.length, some: count > 0 });
    };
    update();
    document.addEventListener("change", update);
    return () => document.removeEventListener("change", update);
  }, [formId]);
  useEffect(() => {
    if (own.current) own.current.indeterminate = ticked.some && !ticked.all;
  }, [ticked]);
  const tick = (isTicked: boolean) => {
    for (const box of boxesOf(formId)) box.checked = isTicked;
    setTicked({ all: isTicked, some: isTicked });
  };
  return (
    <label className="check">
      <input
        ref={own}
        type="checkbox"
        checked={ticked.all}
        onChange={(event) => tick(event.currentTarget.checked)}
      />
      <span className="sr">Select all on this page</span>
    </label>
  );
}
