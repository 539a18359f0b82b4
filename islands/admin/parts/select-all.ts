// The checkbox that ticks all rows of the page or none, and reflects rows that are ticked one by one; the form's first
// choice, which is of these rows, counts them, and so do buttons that say so: "Deliver 3".

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
    const form = document.getElementById(formId);
    const scope = form?.querySelector("select");
    if (scope?.options[0]) scope.options[0].textContent = `Selected orders (${count})`;
    // How many match is counted by the preview.
    const chosen = scope?.value === "shown" ? all.length : scope?.value === "ticked" && count;
    for (const button of form?.querySelectorAll<HTMLElement>("[data-verb]") ?? [])
      button.textContent = `${button.dataset.verb} ${chosen || ""}`.trim();
  };
  const follow = ({ target }: Event) => {
    // Its list was replaced by a newer one, which has a box of its own.
    if (!own.isConnected) return document.removeEventListener("change", follow);
    if (target === own) for (const box of boxes()) box.checked = own.checked;
    reflect();
  };
  document.addEventListener("change", follow);
  reflect();
  const label = Object.assign(document.createElement("label"), { className: "check" });
  const text = Object.assign(document.createElement("span"), { className: "sr" });
  text.textContent = "Select all on this page";
  label.append(own, text);
  return label;
}
