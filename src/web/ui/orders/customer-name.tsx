// A customer's name beside their number, as agents keep it in their address book.
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";

/** The name with the number in small letters behind it, or the number alone. */
export function CustomerName({ msisdn, name }: { msisdn: string; name: string | undefined }) {
  if (!name) return <span className="money">{spacedMsisdn(msisdn)}</span>;
  return (
    <>
      <bdi>{name}</bdi> <span className="money small soft">{spacedMsisdn(msisdn)}</span>
    </>
  );
}
