// The note about closed switches, above every page: for staff all of them with a link to the switches, for agents the
// message about what they use.
import type { ClosedNow } from "../../../core/overview/switches.ts";
import { endText } from "../../../shared/pause.ts";
import { closedText, type SwitchName } from "../../../shared/switches.ts";
import { PageLink } from "./permitted.tsx";

type Props = { closed: readonly ClosedNow[] };

export function StaffClosedNote({ closed }: Props) {
  if (closed.length === 0) return null;
  return (
    <div className="note bad closed" role="status">
      <p>
        <strong>Closed now:</strong> {closed.map(titleOf).join(", ")}.{" "}
        <PageLink href="/admin/switches">Stop selling</PageLink>
      </p>
    </div>
  );
}

/** What an agent on a web page meets. */
const OF_AGENTS: readonly (SwitchName | null)[] = ["sales", "web", "top_ups"];

export function AgentClosedNote({ closed }: Props) {
  const met = closed.filter(({ name }) => name !== null && OF_AGENTS.includes(name));
  if (met.length === 0) return null;
  return (
    <div className="note warn closed" role="status">
      {met.map((one) => (
        <p key={one.name}>
          <bdi>{closedText(one)}</bdi>
        </p>
      ))}
    </div>
  );
}

/** "Sales", or "Sales until 14:30". */
function titleOf({ label, until }: ClosedNow): string {
  return until ? `${label} until ${endText(until)}` : label;
}
