// The checkbox that ticks all rows of the page or none, and reflects rows that are ticked one by one; the form's first
// choice, which is of these rows, counts them.

export function selectAll(formId: string): HTMLElement {
  const own = Object.assign(document.createElement("input"), { type: "checkbox" });
  const boxes = () => [
    ...document.querySelectorAll<HTMLInputElement>(`input[type=checkbox][name=ids][form="${formId}"]`),
  ];
  const reflect = () => {
    const all = boxes();
    const count = all.filter((box) => box.checked).length;
    own.checked = all.length > 0 && count === all.length;
    own.indeterminate = count > 0 && !own.checked;
    const choice = document.querySelector(`#${formId} option`);
    if (choice) choice.textContent = `Selected orders (${count})`;
  };
  document.addEventListener("change", ({ target }) => {
    if (target === own) for (const box of boxes()) box.checked = own.checked;
    reflect();
  });
  reflect();
  const label = Object.assign(document.createElement("label"), { className: "check" });
  const text = Object.assign(document.createElement("span"), { className: "sr" });
  text.textContent = "Select all on this page";
  label.append(own, text);
  return label;
}
