// A list box with coloured options in place of a select, which keeps and sends the choice.
import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from "@headlessui/react";
import { useEffect, useState } from "react";
import { takeLabel } from "./places.ts";

export function ListChoice({ field }: { field: HTMLSelectElement }) {
  const id = `${field.id}-choice`;
  const [label, setLabel] = useState("");
  const [value, setValue] = useState(field.value);
  useEffect(() => setLabel(takeLabel(field, id)), [field, id]);
  const options = [...field.options];
  const chosen = options.find((option) => option.value === value) ?? options[0]!;
  const choose = (next: string) => {
    field.value = next;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    setValue(next);
  };
  return (
    <Listbox value={value} onChange={choose}>
      <ListboxButton id={id} className="pop-button" aria-label={`${label}: ${chosen.text}`}>
        <Marked option={chosen} />
      </ListboxButton>
      <ListboxOptions anchor={{ to: "bottom start", gap: 4 }} className="pop" modal={false}>
        {options.map((option) => (
          <ListboxOption key={option.value} value={option.value} className="pop-item">
            <Marked option={option} />
          </ListboxOption>
        ))}
      </ListboxOptions>
    </Listbox>
  );
}

/** An option, shown with the class that its data-mark names. */
function Marked({ option }: { option: HTMLOptionElement }) {
  const { mark } = option.dataset;
  if (mark?.startsWith("chip")) return <span className={mark}>{option.text}</span>;
  return (
    <>
      {mark && <span className={mark} />} {option.text}
    </>
  );
}
