// Page of the language that the account's phone gets by USSD and SMS.
import { z } from "zod";
import * as profileLanguage from "../../../core/identity/language.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../../../shared/domain.ts";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";

const PATH = "/profile/language";
const Chosen = z.object({ language: z.enum(LANGUAGES) });

export const languagePages: Page[] = [{ path: PATH, role: "user", show: showLanguage, submit: choose }];

async function showLanguage({ db, by }: Context, refused?: Refused): Promise<View> {
  const { language, languages } = await profileLanguage.stateOf(db, by.userId);
  return {
    title: "Language",
    body: (
      <OwnPage title="Language" intro="Of USSD and SMS. These pages and e-mails are English.">
        <section className="card">
          {languages.length > 1 ? (
            <Form to={PATH} refused={refused} className="fields">
              <RefusalNote />
              <fieldset>
                <legend className="label">On my phone I read</legend>
                {languages.map((one) => (
                  <label key={one} className="check">
                    <input type="radio" name="language" value={one} defaultChecked={one === language} />{" "}
                    {LANGUAGE_NAMES[one]}
                  </label>
                ))}
              </fieldset>
              <button type="submit" data-sending="Saving…">
                Save
              </button>
              <Once />
            </Form>
          ) : (
            <p>There is only English at the moment.</p>
          )}
        </section>
      </OwnPage>
    ),
  };
}

async function choose({ db, by, form }: Context): Promise<Leave> {
  const { language } = readFields(Chosen, form);
  await profileLanguage.choose(db, { by, language });
  return redirect("/profile", `Your phone gets ${LANGUAGE_NAMES[language]} from now on.`);
}
