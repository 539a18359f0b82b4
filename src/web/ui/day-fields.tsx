// Fields for the first and the last day of a range.

type Props = {
  first: string;
  last: string;
  /** Both may be left empty, for all days. */
  areOptional?: boolean;
};

export function DayFields({ first, last, areOptional = false }: Props) {
  return (
    <>
      <div>
        <label htmlFor="from">From</label>
        <input id="from" name="from" type="date" defaultValue={first} required={!areOptional} />
      </div>
      <div>
        <label htmlFor="to">To</label>
        <input id="to" name="to" type="date" defaultValue={last} required={!areOptional} />
      </div>
    </>
  );
}
