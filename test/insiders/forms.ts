// The forms of a page, read as fast as a browser would see them.
export type Field = {
  name: string;
  /** "hidden", "text", "number", "checkbox", "radio", "select", "textarea" … */
  type: string;
  value: string;
  /** Of a list to choose from. */
  options: string[];
};

export type Form = { action: string; fields: Field[]; buttons: { name: string; value: string }[] };

/** The forms that a page sends with POST. */
export function formsIn(html: string): Form[] {
  const forms: Form[] = [];
  let form: Form | null = null;
  let list: Field | null = null;
  const rewriter = new HTMLRewriter()
    .on("form", {
      element(element) {
        form = { action: decoded(element.getAttribute("action") ?? ""), fields: [], buttons: [] };
        if (element.getAttribute("method") === "post") forms.push(form);
        element.onEndTag(() => {
          form = null;
        });
      },
    })
    .on("input, textarea, select", {
      element(element) {
        const name = element.getAttribute("name");
        list = null;
        if (!name || !form || element.hasAttribute("disabled")) return;
        const type = element.tagName === "input" ? (element.getAttribute("type") ?? "text") : element.tagName;
        const field = { name, type, value: decoded(element.getAttribute("value") ?? ""), options: [] };
        form.fields.push(field);
        if (type === "select") list = field;
      },
    })
    .on("option", {
      element(element) {
        const value = element.getAttribute("value");
        if (value !== null) list?.options.push(decoded(value));
      },
    })
    .on("button", {
      element(element) {
        const name = element.getAttribute("name");
        if (name) form?.buttons.push({ name, value: decoded(element.getAttribute("value") ?? "") });
      },
    });
  rewriter.transform(html);
  return forms;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'", "#39": "'" };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => ENTITIES[name]!);
}
