// Forms that pass a desk batch on: to a colleague, to oneself, or back to the desk.
import * as desk from "../../../../core/fulfilment/desk/desk.ts";
import type { Colleague } from "../../../../core/fulfilment/desk/desk-passing.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import { hasRight } from "../../../../shared/rights.ts";
import type { Refused } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import type { BatchAction } from "./batch.tsx";

type Props = {
  batch: desk.Batch;
  by: ByUser;
  colleagues: Colleague[];
  path: string;
  refused: Refused | undefined;
};

/** Folded, because mostly nobody needs it. A batch of somebody else moves only while it is untouched. */
export function PassingForms({ batch, by, colleagues, path, refused }: Props) {
  const own = refusedFor<BatchAction>(["passOn", "release"], refused);
  const isYours = batch.takenByUserId === by.userId;
  const isUntouched = desk.isUntouched(batch);
  const others = colleagues.filter(({ id }) => id !== batch.takenByUserId && id !== by.userId);
  const mayMove = isYours || isUntouched || hasRight(by, "delivery.manage");
  const { takenByUserId: fromUserId } = batch;
  return (
    <details className="card" open={own !== undefined}>
      <summary>{isYours ? "Not yours to send after all?" : `${batch.takenBy}'s batch: take it over`}</summary>
      <RefusalNote refused={own} />
      <p className="soft">
        {isUntouched
          ? "Its file was not downloaded and no result is entered."
          : "Some of it may have been sent: find out before anybody sends it again."}
        {!mayMove && ` Ask ${batch.takenBy} to pass it on.`}
      </p>
      {mayMove && (
        <div className="actions">
          {!isYours && (
            <Form<BatchAction> to={path} does="passOn" sends={{ fromUserId, toUserId: by.userId }}>
              <button className="quiet" type="submit">
                Take it over
              </button>
            </Form>
          )}
          {others.length > 0 && (
            <Form<BatchAction> to={path} does="passOn" refused={refused} sends={{ fromUserId }} className="row">
              <Field label="Pass it on to" name="toUserId">
                {others.map(({ id, username }) => (
                  <option key={id} value={id}>
                    {username}
                  </option>
                ))}
              </Field>
              <button className="quiet" type="submit">
                Pass on
              </button>
            </Form>
          )}
          <Form<BatchAction> to={path} does="release">
            <button className="quiet" type="submit">
              Release the rest
            </button>
            <p className="hint">The remaining orders return to the desk. Overdue ones are then refunded.</p>
          </Form>
        </div>
      )}
    </details>
  );
}
