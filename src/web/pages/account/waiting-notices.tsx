// Page of the notices that somebody of the staff gets of what waits: by e-mail, by SMS, or none, for each kind.
import * as phones from "../../../core/identity/phones/phones.ts";
import * as notices from "../../../core/overview/notices.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import { does } from "../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { OwnPage } from "../../ui/frame/own-page.tsx";
import { type Column, Table } from "../../ui/table.tsx";

export const waitingNoticePages: Page[] = [
  {
    path: "/profile/waiting",
    right: "shop.see",
    under: "/profile",
    show: showChoices,
    submit: does(notices.choose, () => redirect("/profile/waiting", "Saved."), { channels: channelsIn }),
  },
];

async function showChoices({ db, by }: Context, refused?: Refused): Promise<View> {
  const [choices, { phone }, minutes] = await Promise.all([
    notices.choicesOf(db, by),
    phones.stateOf(db, by.userId),
    settings.get(db, "waiting_again_minutes"),
  ]);
  const title = "Notices of what waits";
  return {
    title,
    body: (
      <OwnPage title={title}>
        <Form to="/profile/waiting" refused={refused} className="card">
          <RefusalNote />
          <p className="soft">
            One message when it begins to wait, and another if it still waits after {minutes} minutes. You get one
            message in ten minutes at most.
          </p>
          <Table rows={choices} columns={columnsFor(phone !== null)} />
          {!phone && (
            <p className="small soft">
              For SMS, <a href="/profile/phone">confirm a phone</a> first. Until then they go by e-mail.
            </p>
          )}
          <button type="submit" data-sending="Saving…">
            Save Choice
          </button>
          <Once />
        </Form>
      </OwnPage>
    ),
  };
}

const columnsFor = (hasPhone: boolean): Column<notices.Choice>[] => [
  { head: "What waits", cell: ({ label }) => label.charAt(0).toUpperCase() + label.slice(1) },
  {
    head: "Notice",
    isPlainInCards: true,
    cell: ({ kind, label, channel }) => (
      <>
        <label className="sr" htmlFor={`notice-${kind}`}>
          Notice of {label}
        </label>
        <select id={`notice-${kind}`} name={kind} className="tiny" defaultValue={channel}>
          <option value="none">None</option>
          <option value="email">E-mail</option>
          <option value="sms">{hasPhone ? "SMS" : "SMS (no phone yet)"}</option>
        </select>
      </>
    ),
  },
];

/** The form's other fields are none of a kind. */
function channelsIn({ form }: Context): Record<string, notices.NoticeChannel> {
  const isChannel = (value: string) => notices.CHANNELS.some((channel) => channel === value);
  return Object.fromEntries([...form].filter(([, value]) => isChannel(value))) as Record<string, notices.NoticeChannel>;
}
