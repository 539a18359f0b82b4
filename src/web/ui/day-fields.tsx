// Fields for the first and the last day of a range.

export function DayFields({ first, last }: { first: string; last: string }) {
  return (
    <>
      <div>
        <label htmlFor="from">From</label>
        <input id="from" name="from" type="date" defaultValue={first} required />
      </div>
      <div>
        <label htmlFor="to">To</label>
        <input id="to" name="to" type="date" defaultValue={last} required />
      </div>
    </>
  );
}
