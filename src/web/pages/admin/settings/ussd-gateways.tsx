// The gateways on the page about USSD: what is wrong in this hour, how sessions ended, what could not be read, and who
// ran short of money.
import { type GatewayTrouble, troubleSentence } from "../../../../core/messaging/texts/gateway-texts.ts";
import type { Ending, GatewayFigures, RanShort } from "../../../../core/ussd/gateway-figures.ts";
import { nameOf } from "../../../../core/ussd/gateways.ts";
import { show } from "../../../../shared/money.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { Empty, Moment, UserLink } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

/** A warning for each gateway whose requests fail in this hour; nothing when all is well. */
export function Troubles({ troubles }: { troubles: GatewayTrouble[] }) {
  return troubles.map((trouble) => (
    <p key={`${trouble.channel} ${trouble.name} ${trouble.kind}`} className="note warn" role="status">
      {troubleSentence(trouble)}
    </p>
  ));
}

/** Agents who wanted to buy and had too little money, so that the shop can call them. */
export function RanShortCard({ agents }: { agents: RanShort[] }) {
  return (
    <section className="card" id="short">
      <h2>Ran short of money</h2>
      <p className="soft">In the last three days, by USSD. Those who still have too little come first.</p>
      {agents.length === 0 ? (
        <Empty>Nobody. Everyone who wanted to buy had enough money.</Empty>
      ) : (
        <ul className="rows" data-rows="">
          {agents.map((agent) => (
            <ShortAgent key={agent.userId} agent={agent} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ShortAgent({ agent }: { agent: RanShort }) {
  const { userId, username, msisdn, at, times, neededPesewas, missingPesewas, hasEnough, hasBought } = agent;
  const [state, chip] = hasBought
    ? ["Has bought since", "good"]
    : hasEnough
      ? ["Has enough now", "info"]
      : ["Still short", "warn"];
  return (
    <li>
      <UserLink userId={userId} username={username} /> <a href={`tel:+${msisdn}`}>{spacedMsisdn(msisdn)}</a>{" "}
      <span className={`chip ${chip}`}>{state}</span>
      <div className="small soft">
        {show(missingPesewas)} missing for a purchase of {show(neededPesewas)}, <Moment at={at} />
        {times > 1 && `, ${times} times`}
      </div>
    </li>
  );
}

/** How sessions ended, by gateway. */
export function EndingsCard({ gateways }: { gateways: GatewayFigures[] }) {
  const rows = (Object.keys(ENDING_LABELS) as Ending[]).map((ending) => ({ ending }));
  const columns: Column<{ ending: Ending }>[] = [
    { head: "Ended", cell: ({ ending }) => ENDING_LABELS[ending] },
    ...gateways.map(({ gateway, endings }): Column<{ ending: Ending }> => {
      const total = Object.values(endings).reduce((sum, count) => sum + count, 0);
      return {
        head: nameOf(gateway),
        isNumber: true,
        // In a card, several have a line each.
        ...(gateways.length > 1 && { className: "full" }),
        cell: ({ ending }) => (
          <>
            {gateways.length > 1 && <span className="in-cards soft">{nameOf(gateway)} </span>}
            {endings[ending].toLocaleString("en")} <span className="soft">{share(endings[ending], total)}</span>
          </>
        ),
      };
    }),
  ];
  return (
    <section className="card">
      <h2>How sessions ended</h2>
      {gateways.length === 0 ? (
        <Empty>No session has been counted on these days.</Empty>
      ) : (
        <Table rows={rows} columns={columns} />
      )}
    </section>
  );
}

const ENDING_LABELS: Record<Ending, string> = {
  bought: "Bought",
  short: "Ran short of money",
  left: "Left while the shop waited for an answer",
  timed_out: "Timed out at the network's limit",
  refused: "Refused: unknown, without a PIN, locked or banned",
  error: "Error, here or at the gateway",
  finished: "Finished without buying",
};

/** The requests of each gateway that were answered with "please dial again". */
export function GatewaysCard({ gateways }: { gateways: GatewayFigures[] }) {
  return (
    <section className="card">
      <h2>By gateway</h2>
      <p className="soft">
        Requests that could not be read come from a wrong setting at the gateway, or a change of its format; the log has
        the field that is wrong. Errors are ours.
      </p>
      {gateways.length === 0 ? (
        <Empty>No gateway has called on these days.</Empty>
      ) : (
        <Table rows={gateways} columns={GATEWAYS} />
      )}
    </section>
  );
}

const GATEWAYS: Column<GatewayFigures>[] = [
  { head: "Gateway", cell: ({ gateway }) => nameOf(gateway) },
  count("Requests", ({ requests, unreadable, failures }) => requests + unreadable + failures),
  count("Not readable", ({ unreadable }) => unreadable),
  count("Errors", ({ failures }) => failures),
  {
    head: "Failed",
    isNumber: true,
    className: "small",
    cell: ({ requests, unreadable, failures }) => (
      <>
        {share(unreadable + failures, requests + unreadable + failures)}
        <span className="in-cards soft"> failed</span>
      </>
    ),
  },
];

function count(head: string, countOf: (row: GatewayFigures) => number): Column<GatewayFigures> {
  return {
    head,
    isNumber: true,
    className: "small",
    cell: (row) => (
      <>
        {countOf(row).toLocaleString("en")}
        <span className="in-cards soft">{` ${head.toLowerCase()}`}</span>
      </>
    ),
  };
}

/** A share with a decimal where it is small: 3 unreadable requests of 1,000 are worth knowing. */
function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return `${percent.toLocaleString("en", { maximumFractionDigits: percent < 1 ? 1 : 0 })}%`;
}
