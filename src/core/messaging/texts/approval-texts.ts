// The texts of e-mail about acts that two people decide together.
import { accraMoment } from "../../../shared/accra.ts";
import type { ApprovalState } from "../../../shared/domain.ts";
import { letter, type Mail } from "./texts.ts";

export type { Mail } from "./texts.ts";

type Requested = { requestedBy: string; summary: string; reason: string | null; expiresAt: Date };

/** To those who may decide. */
export function requested(username: string, { requestedBy, summary, reason, expiresAt }: Requested): Mail {
  return {
    kind: "approval_asked",
    subject: `${requestedBy} asks for your agreement`,
    mail: letter(
      username,
      `${requestedBy} asks to ${summary}.${reason ? `\nThe reason: ${reason}` : ""}`,
      `Agree or refuse under Approvals until ${accraMoment(expiresAt)}. Nothing is done before somebody agrees.`,
    ),
  };
}

type Outcome = { state: ApprovalState; by: string | null; note: string | null };

/** To whoever asked. */
export function decided(username: string, summary: string, { state, by, note }: Outcome): Mail {
  const outcomes: Record<ApprovalState, string> = {
    open: "It waits for somebody's agreement.",
    agreed: `${by} agreed, and it is done.`,
    refused: `${by} refused: ${note}`,
    withdrawn: "You have withdrawn it.",
    expired: "Nobody decided it in time, so nothing was done.",
    outdated: `It was not done, because things have changed since${note ? `: ${note}` : "."}`,
  };
  const titles: Record<ApprovalState, string> = {
    ...{ open: "waits", agreed: "is done", refused: "was refused", withdrawn: "was withdrawn" },
    ...{ expired: "has expired", outdated: "was not done" },
  };
  return {
    kind: "approval_decided",
    subject: `Your request ${titles[state]}`,
    mail: letter(username, `You asked to ${summary}.`, outcomes[state]),
  };
}

/** To every owner, about what somebody did as the only one who could decide. */
export function doneAlone(
  username: string,
  doneBy: string,
  { summary, createdAt }: { summary: string; createdAt: Date },
): Mail {
  return {
    kind: "done_alone",
    subject: "Done without a second person",
    mail: letter(
      username,
      `On ${accraMoment(createdAt)} ${doneBy} did this alone, because nobody else could agree to it:\n\n    ${summary}`,
      "If this was not meant, log in and change your password at once. A second owner would have to agree.",
    ),
  };
}

/** To the other owners, about costs that somebody has lowered, and below which nobody sells alone. */
export function costsLowered(
  username: string,
  doneBy: string,
  { summary, createdAt }: { summary: string; createdAt: Date },
): Mail {
  return {
    kind: "costs_lowered",
    subject: `${doneBy} has lowered costs`,
    mail: letter(
      username,
      `On ${accraMoment(createdAt)} ${doneBy} did this alone:\n\n    ${summary}`,
      "One person may sell down to the cost that is known, from a week later on whoever entered it, too. " +
        "If it is wrong, enter the right cost on the bundle's page.",
    ),
  };
}
