// The program's lists: the texts of messages and of USSD, settings, rights, budgets and errors, a line each.
import { map } from "../../channels/ussd/screens/map.ts";
import { allRoutes } from "../../src/api/index.ts";
import { shippedLine, TEXT_KEYS } from "../../src/core/messaging/languages/translate.ts";
import { BUDGETS, type Budget } from "../../src/core/platform/budgets/budget-table.ts";
import { SETTINGS } from "../../src/core/platform/settings/declared-settings.ts";
import { LANGUAGES } from "../../src/shared/domain.ts";
import { errors } from "../../src/shared/errors/codes.ts";
import { RIGHTS, rolesWith } from "../../src/shared/rights.ts";
import { pages } from "../../src/web/pages/index.tsx";
import { filesIn, piecesOf, read } from "../unit/source.ts";
import { type Folder, oneLine } from "./folder.ts";

/** Records all lists. */
export async function recordLists(folder: Folder): Promise<void> {
  folder.write("ussd.txt", [map()]);
  folder.write("messages.txt", [...catalogLines(), ...(await mailLines())]);
  folder.write("settings.txt", [
    ...Object.entries(SETTINGS).map(([name, setting]) => `setting ${name} ${oneLine(setting)}`),
    ...Object.entries(RIGHTS).map(([right, { label }]) => `right ${right} “${label}” ${rolesWith(right as never)}`),
    ...Object.entries<Budget>(BUDGETS)
      .map(([name, budget]) => `budget ${name} ${oneLine({ ...budget, leftMessage: budget.leftMessage?.(3) })}`)
      .sort(),
    ...Object.entries(errors)
      .map(([code, error]) => `error ${code} ${oneLine(error)}`)
      .sort(),
    ...allRoutes.map(({ method, path, right, role }) => `route ${method} ${path} ${right ?? role}`).sort(),
    ...pages.map(({ path, right, role }) => `page ${path} ${right ?? role}`).sort(),
  ]);
}

function catalogLines(): string[] {
  return LANGUAGES.flatMap((language) =>
    [...TEXT_KEYS].sort().flatMap((key) => {
      const text = shippedLine(language, key);
      return text === undefined ? [] : [`${language} ${key} = ${JSON.stringify(text)}`];
    }),
  );
}

/** E-mails have no catalog: their texts are in functions, whose sentences are read from the source. */
async function mailLines(): Promise<string[]> {
  const lines: string[] = [];
  for (const path of filesIn("src").filter((one) => /\/messaging\/[\w-]*texts\.ts$/.test(one))) {
    const source = await read(path);
    const starts = [...source.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)];
    for (const [at, { 1: name, index }] of starts.entries()) {
      const sentences = piecesOf(source.slice(index, starts[at + 1]?.index))
        .filter(({ kind, text }) => kind === "string" && /[a-z] /i.test(text))
        .map(({ text }) => text.replace(/^["']|["']$/g, "").trim());
      if (sentences.length > 0) lines.push(`mail ${name} = ${JSON.stringify(sentences.join(" "))}`);
    }
  }
  return lines.sort();
}
