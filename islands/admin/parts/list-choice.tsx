// A list box with coloured options in place of a select, which keeps and sends the choice.
import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from "@headlessui/react";
import { useState } from "react";

type Props = { id: string; label: string; field: HTMLSelectElement };

export function ListChoice({ id, label, field }: Props) {
  const [value, setValue] = useState(field.value);
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
