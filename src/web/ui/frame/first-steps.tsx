// The first steps of a new agent, each with its state, and what can be done without it.
import type { ReactNode } from "react";
import { buyPath } from "../../paths.ts";
import { Form } from "../form.tsx";
import { Icon } from "./icons.tsx";

/** What an account has done already. */
export type Steps = { hasPhone: boolean; hasMoney: boolean; hasSold: boolean; hasPin: boolean };

/** Nobody is new any more after this many orders, whatever has been left out. */
const ORDERS_MAX = 20;

/** Whether the list has served its purpose. */
export function areStepsOver({ hasPhone, hasMoney, hasSold, hasPin }: Steps, orderCount: number): boolean {
  return orderCount >= ORDERS_MAX || (hasPhone && hasMoney && hasSold && hasPin);
}

export function FirstSteps({ hasPhone, hasMoney, hasSold, hasPin }: Steps) {
  const doneCount = [hasPhone, hasMoney, hasSold, hasPin].filter(Boolean).length;
  return (
    <section className="card guide" aria-labelledby="steps">
      <div className="head">
        <h2 id="steps">First steps</h2>
        <span className="soft small">{doneCount} of 4 done</span>
      </div>
      <ol>
        <Step isDone={hasPhone} path="/profile/phone" title="Confirm your phone">
          Get back in if you forget your password.
        </Step>
        <Step isDone={hasMoney} path="/wallet/top-up" title="Top up your wallet">
          Or pay for each order by mobile money.
        </Step>
        <Step isDone={hasSold} path={buyPath()} title="Sell your first bundle">
          A number, a size, and Pay. Your wallet is refunded if it cannot be delivered.
        </Step>
        <Step isDone={hasPin} path="/profile/pin" title="Set a PIN for USSD">
          Sell without internet. It needs a confirmed phone.
        </Step>
      </ol>
      <Form to="/dashboard/first-steps">
        <button className="quiet tiny" type="submit">
          Hide these steps
        </button>
      </Form>
    </section>
  );
}

type StepProps = { isDone: boolean; path: string; title: string; children: ReactNode };

function Step({ isDone, path, title, children }: StepProps) {
  if (isDone)
    return (
      <li className="done">
        <Icon name="done" />
        <span>
          <span className="sr">Done: </span>
          {title}
        </span>
      </li>
    );
  return (
    <li>
      <span className="open" aria-hidden="true" />
      <a href={path}>
        <strong>{title}</strong>
        <span className="soft small">{children}</span>
      </a>
    </li>
  );
}
