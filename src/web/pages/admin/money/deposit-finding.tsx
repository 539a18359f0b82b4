// The statement's finding about a deposit, as a sentence.
import type { HeldBack } from "../../../../core/payments/deposits/deposit-findings.ts";
import type { DepositRow } from "../../../../core/payments/deposits/deposits.ts";
import { spacedSender } from "../../../../core/payments/deposits/senders.ts";
import type { StatementLine } from "../../../../core/payments/deposits/statements.ts";
import { NETWORKS } from "../../../../shared/domain.ts";
import { Moment, Money, UserLink } from "../../../ui/parts.tsx";
import { When } from "../../../ui/when.tsx";

const CHIPS: Record<DepositRow["finding"]["kind"], [tone: string, label: string]> = {
  found: ["good", "In the statement"],
  other_amount: ["warn", "Different amount"],
  twice: ["warn", "Claimed twice"],
  reversed: ["bad", "Taken back"],
  other_sender: ["warn", "Sent by another agent"],
  two_lines: ["warn", "On two networks"],
  not_found: ["", "Not in the statement"],
};

/** Why an import did not credit what it found: in a row, and in full. */
const HELD: Partial<Record<HeldBack, [short: string, full: string]>> = {
  own_account: ["The importer’s own.", "it is the importer’s own."],
  inactive: ["Account not active.", "the account is not active."],
  young_account: ["Account too young.", "the account is too young."],
  deposit_limit: ["Above the limit.", "above the limit for one deposit."],
  import_limit: ["Import’s limit reached.", "the import had reached its limit."],
  alone_limit: ["Needs a second person.", "the importer, or the account, had reached what one person may approve."],
  other_sender: ["Perhaps another phone.", "nothing shows that it was sent from the agent’s own phone."],
  day_limit: ["Limit of the day reached.", "the importer had reached the limit of the day."],
  importer: ["The importer may not decide.", "whoever imported it may no longer decide."],
};

const OTHERS: Record<DepositRow["state"], string> = {
  approved: "which was credited",
  open: "which waits",
  refused: "which was refused",
};

export function FindingText({ deposit }: { deposit: DepositRow }) {
  const { finding, heldBack, notifiedAt } = deposit;
  const [tone, label] = CHIPS[finding.kind];
  const held = finding.kind === "found" && heldBack && HELD[heldBack];
  return (
    <>
      <span className={`chip ${tone}`}>{label}</span> {finding.line && <LineText line={finding.line} />}
      {finding.others.map(({ id, state }) => (
        <span key={id}>
          {" "}
          Also deposit #{id}, {OTHERS[state]}.
        </span>
      ))}
      {finding.sender && finding.sender.userId !== deposit.userId && (
        <span>
          {" "}
          It came from the phone of <UserLink {...finding.sender} />.
        </span>
      )}
      {held && (
        <span className="soft" title={`Not credited automatically: ${held[1]}`}>
          {" "}
          {held[0]}
        </span>
      )}
      {finding.kind === "not_found" && notifiedAt && (
        <span className="soft">
          {" "}
          The agent got an SMS about it <Moment at={notifiedAt} />.
        </span>
      )}
    </>
  );
}

/** A line of the statement: its amount, sender and time. */
export function LineText({ line }: { line: StatementLine }) {
  const { amountPesewas, senderName, senderMsisdn, at, network } = line;
  return (
    <span>
      <a href={`/admin/claims/lines?search=${line.transactionId}`}>
        <Money pesewas={amountPesewas} />
      </a>
      {senderName && (
        <>
          {" "}
          from <bdi>{senderName}</bdi>
        </>
      )}
      {senderMsisdn && <> {spacedSender(senderMsisdn)}</>}
      {at ? (
        <>
          , <When at={at} />
        </>
      ) : (
        <>, {NETWORKS[network]}</>
      )}
      .
    </span>
  );
}
