// Manual deposits for admins: what waits with what the statement says about it, transfers that the network took back,
// and decided ones with who decided them.
import { CopyText } from "../../../../../islands/copy-text.tsx";
import * as depositReversals from "../../../../core/payments/deposits/deposit-reversals.ts";
import * as deposits from "../../../../core/payments/deposits/deposits.ts";
import { decimal, show } from "../../../../shared/money.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import { Island } from "../../../island.tsx";
import { type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { paged } from "../../../ui/paged.tsx";
import { Empty, Moment, Money, UserLink } from "../../../ui/parts.tsx";
import { Ago } from "../../../ui/rows.tsx";
import { ReasonFold, SureFold } from "../../../ui/staff/reason-fold.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { FindingText, LineText } from "./deposit-finding.tsx";
import { ReversalTable } from "./deposit-reversals.tsx";

const PATH = "/admin/claims";
const actions = {
  approve: does(deposits.approve, () => redirect(PATH, "Approved: the money is in the agent's wallet.")),
  correct: does(deposits.correct, (_, { creditedPesewas }) =>
    redirect(PATH, `Credited ${show(creditedPesewas)}; the agent can read your reason.`),
  ),
  refuse: does(deposits.refuse, () => redirect(PATH, "Refused: the agent can read your reason.")),
  takeBack: does(
    depositReversals.decide,
    (_, { debtPesewas }) => {
      const owed = debtPesewas > 0 ? ` ${show(debtPesewas)} was spent already: the agent owes it.` : "";
      return redirect(PATH, `Taken from the wallet.${owed}`);
    },
    { decision: "book", reason: undefined },
  ),
  dismiss: does(depositReversals.decide, () => redirect(PATH, "Dismissed: the money can be spent again."), {
    decision: "dismiss",
  }),
};
export type DepositAction = keyof typeof actions;

export const adminDepositPages: Page[] = [
  {
    path: PATH,
    right: "payments.see",
    tab: { section: "Money", label: "In", part: "Deposits" },
    examples: ["", "?all=1"],
    show: showDeposits,
    actions,
  },
];

async function showDeposits({ db, url, by }: Context, refused?: Refused): Promise<View> {
  const mayDecide = hasRight(by, "payments.decide");
  const openOnly = url.searchParams.get("all") !== "1";
  const userId = readId(url.searchParams.get("user") ?? "") ?? undefined;
  const transactionId = url.searchParams.get("search") ?? undefined;
  const isOfSome = userId !== undefined || transactionId !== undefined;
  const [{ shown, links }, takenBack] = await Promise.all([
    paged(url, (span) => deposits.list(db, by, { openOnly, userId, transactionId }, span)),
    depositReversals.listOpen(db),
  ]);
  return {
    body: (
      <>
        <div className="head">
          <p className="small soft">
            Deposits that the statement confirms are credited automatically, up to your limits.
          </p>
          <div className="actions">
            {isOfSome ? (
              <a className="button quiet tiny" href={`${PATH}?all=1`}>
                {transactionId ? `Only transaction ${transactionId}` : "Only one agent’s"}: show all
              </a>
            ) : (
              <a className="button quiet tiny" href={openOnly ? `${PATH}?all=1` : PATH}>
                {openOnly ? "Show decided" : "Show open only"}
              </a>
            )}
            {mayDecide && (
              <a className="button tiny" href={`${PATH}/statement`}>
                Import the statement
              </a>
            )}
          </div>
        </div>
        <RefusalNote refused={refused} />
        {!isOfSome && <ReversalTable rows={takenBack} refused={refused} mayDecide={mayDecide} />}
        <section className="card" id="deposits">
          {shown.length === 0 ? (
            <Empty>{isOfSome ? "No such deposits." : "No deposits are waiting."}</Empty>
          ) : (
            <Table
              rows={openOnly ? shown.toSorted(byWhatCanBeDone) : shown}
              columns={mayDecide ? [...COLUMNS, decisionColumn(by.userId, refused)] : COLUMNS}
              className="lines deposits"
            />
          )}
        </section>
        {links}
      </>
    ),
  };
}

const RANKS: Partial<Record<deposits.DepositRow["finding"]["kind"], number>> = { found: 0, other_amount: 1 };

/** What the statement has stands before what somebody has to look into. */
function byWhatCanBeDone(one: deposits.DepositRow, other: deposits.DepositRow): number {
  const rank = ({ finding }: deposits.DepositRow) => RANKS[finding.kind] ?? 2;
  return rank(one) - rank(other);
}

const decisionColumn = (ownId: number, refused: Refused | undefined): Column<deposits.DepositRow> => ({
  head: "Actions",
  className: "full below last",
  cell: (deposit) => {
    if (deposit.state !== "open") return null;
    if (deposit.userId === ownId) return <span className="small soft">A colleague has to decide yours.</span>;
    return <Decision deposit={deposit} refused={refused} />;
  },
});

const COLUMNS: Column<deposits.DepositRow>[] = [
  { head: "Agent", cell: (deposit) => <UserLink {...deposit} /> },
  {
    head: "Amount",
    isPlainInCards: true,
    isNumber: true,
    className: "end",
    cell: ({ amountPesewas, creditedPesewas }) => (
      <>
        <strong className={creditedPesewas === null ? undefined : "old"}>
          <Money pesewas={amountPesewas} />
        </strong>
        {creditedPesewas !== null && (
          <>
            {" "}
            <strong>
              <Money pesewas={creditedPesewas} />
            </strong>
          </>
        )}
      </>
    ),
  },
  {
    head: "Transaction ID",
    isPlainInCards: true,
    className: "money below",
    cell: ({ transactionId, state }) => (
      <>
        <span title="Transaction ID">{transactionId}</span>{" "}
        {state === "open" && (
          <Island
            component={CopyText}
            props={{ text: transactionId, label: `transaction ID ${transactionId}`, isSign: true }}
            on="idle"
          />
        )}
      </>
    ),
  },
  {
    head: "Reported",
    isPlainInCards: true,
    className: "money small soft below",
    cell: ({ createdAt }) => <Ago at={createdAt} hasDay />,
  },
  {
    head: "Statement",
    isPlainInCards: true,
    className: "full small name below",
    cell: (deposit) => (deposit.state === "open" ? <FindingText deposit={deposit} /> : <Decided {...deposit} />),
  },
];

/** By whom, when, and against which line. */
function Decided(deposit: deposits.DepositRow) {
  const { state, isAutomatic, decidedBy, decidedAt, reason, finding, lineId } = deposit;
  const word = state === "refused" ? "Refused" : isAutomatic ? "Credited by the import" : "Approved";
  return (
    <>
      <span className={`chip ${state === "refused" ? "bad" : "good"}`}>{word}</span> {isAutomatic ? "of" : "by"}{" "}
      <bdi>{decidedBy ?? "the shop"}</bdi>, {decidedAt && <Moment at={decidedAt} />}
      {lineId !== null && finding.line && (
        <>
          {" "}
          against <LineText line={finding.line} />
        </>
      )}
      {reason && (
        <>
          {" "}
          <bdi>“{reason}”</bdi>
        </>
      )}
    </>
  );
}

/** Why it can only be refused, as its agent may read it; null where it may be credited. */
function hindranceOf({ ownerStatus, finding: { kind, others } }: deposits.DepositRow): string | null {
  if (others.some(({ state }) => state === "approved")) return "This transfer was credited already";
  if (kind === "reversed") return "The network sent this money back to its sender";
  return ownerStatus === "CLOSED" ? "The account was deleted: the money goes back to its sender" : null;
}

type DecisionProps = { deposit: deposits.DepositRow; refused: Refused | undefined };

function Decision({ deposit, refused }: DecisionProps) {
  const { id, amountPesewas, finding, username } = deposit;
  const hindrance = hindranceOf(deposit);
  const statementPesewas = finding.kind === "other_amount" ? finding.line!.amountPesewas : null;
  const fold = { to: PATH, row: "depositId", refused };
  const label = "Reason for the agent";
  return (
    <div className="actions">
      {hindrance === null && statementPesewas !== null && (
        <ReasonFold<DepositAction>
          {...{ ...fold, label }}
          opensBy="a"
          does="correct"
          sends={{ depositId: id, amount: decimal(statementPesewas) }}
          idPrefix={`correct-${id}`}
          button={`Credit ${show(statementPesewas)}`}
          value={`Brought ${show(statementPesewas)}, not ${show(amountPesewas)}`}
        />
      )}
      {hindrance === null && statementPesewas === null && (
        <SureFold<DepositAction>
          {...fold}
          opensBy="a"
          does="approve"
          sends={{ depositId: id }}
          idPrefix={`approve-${id}`}
          button={`Approve ${show(amountPesewas)}`}
          isMain={finding.kind === "found"}
          effect={
            <>
              It goes into the wallet of <bdi>{username}</bdi>
              {finding.kind === "found" ? "." : ", though the statement does not confirm it."}
            </>
          }
        />
      )}
      <ReasonFold<DepositAction>
        {...{ ...fold, label }}
        opensBy="r"
        does="refuse"
        sends={{ depositId: id }}
        idPrefix={`claim-${id}`}
        button="Refuse"
        isDanger
        placeholder="No such transfer"
        value={hindrance ?? undefined}
      />
    </div>
  );
}
