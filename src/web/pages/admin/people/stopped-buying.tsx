// List of agents who stopped buying, with their last day and their phone.
import * as stoppedBuying from "../../../../core/reports/stopped-buying.ts";
import { accraDay } from "../../../../shared/accra.ts";
import { limits } from "../../../../shared/domain.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import type { Context, Page, View } from "../../../page.tsx";
import { whatsAppChatPath } from "../../../paths.ts";
import { text } from "../../../ui/columns.tsx";
import { UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

export const stoppedBuyingPages: Page[] = [
  {
    path: "/admin/stopped-buying",
    right: "agents.see",
    tab: { section: "Agents", label: "Stopped buying" },
    show: showStopped,
  },
];

async function showStopped({ db }: Context): Promise<View> {
  const rows = await stoppedBuying.list(db, limits.pageSize);
  return {
    body: (
      <>
        <p className="soft">
          They bought on at least one day a week for four weeks, and on none of the last {stoppedBuying.QUIET_DAYS}{" "}
          days. A call often brings one back.
        </p>
        <section className="card">
          <Table rows={rows} columns={COLUMNS} empty="Nobody who bought regularly has stopped." />
        </section>
      </>
    ),
  };
}

const COLUMNS: Column<stoppedBuying.StoppedBuying>[] = [
  {
    head: "Agent",
    cell: ({ userId, username }) => <UserLink {...{ userId, username }} />,
  },
  {
    head: "Phone",
    cell: ({ msisdn }) =>
      msisdn ? (
        <>
          <a href={`tel:+${msisdn}`}>{spacedMsisdn(msisdn)}</a>{" "}
          <a className="small" href={whatsAppChatPath(msisdn)}>
            WhatsApp
          </a>
        </>
      ) : (
        "None"
      ),
  },
  { head: "Last bought", cell: ({ lastDay }) => accraDay(new Date(`${lastDay}T00:00Z`)) },
  text("Orders in the four weeks", "orders", { isNumber: true }),
];
