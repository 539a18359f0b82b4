// Numbers that an agent sold to, which a field offers while one is typed, or the name of its customer.
import type { Recipient } from "../../../core/buying/recipients.ts";
import { operatorName } from "../../../shared/operators.ts";
import { localMsisdn } from "../../../shared/phones/msisdn.ts";

type Props = {
  id: string;
  recipients: Recipient[];
  /** The names of those that have one, by number. */
  names: ReadonlyMap<string, string>;
};

/** The list of a field, to which its `list` refers by this id. */
export function KnownNumbers({ id, recipients, names }: Props) {
  return (
    <datalist id={id}>
      {recipients.map(({ msisdn, operator, size }) => (
        <option key={msisdn} value={localMsisdn(msisdn)}>
          {[names.get(msisdn), size, operatorName(operator)].filter(Boolean).join(", ")}
        </option>
      ))}
    </datalist>
  );
}
