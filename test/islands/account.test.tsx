// Tests of the islands for sign-up and login.
import { expect, jest, test } from "bun:test";
import { act, fireEvent, renderInForm, screen } from "./dom.tsx";

const { ShowPassword } = await import("../../islands/show-password.tsx");
const { SubmitButton } = await import("../../islands/submit-button.tsx");

const password = <input id="field-password" aria-label="Password" name="password" type="password" />;
const typeOf = () => screen.getByLabelText("Password").getAttribute("type");

test("a password can be shown, and is sent hidden", () => {
  const form = renderInForm(password, <ShowPassword name="password" label="Password" />);
  const button = screen.getByRole("button", { name: "Show password" });
  expect([typeOf(), button.textContent]).toEqual(["password", "Show"]);
  fireEvent.click(button);
  expect([typeOf(), button.textContent, button.getAttribute("aria-pressed")]).toEqual(["text", "Hide", "true"]);
  fireEvent.submit(form);
  expect(typeOf()).toBe("password");
});

test("the button shows that the form is being sent, and sends it once", () => {
  const form = renderInForm(null, <SubmitButton label="Create Account" sending="Creating Account..." />);
  const button = screen.getByRole("button");
  expect(button.textContent).toBe("Create Account");
  expect(fireEvent.submit(form)).toBe(true);
  expect([button.textContent, button.getAttribute("aria-disabled")]).toEqual(["Creating Account...", "true"]);
  expect(fireEvent.submit(form)).toBe(false);
});

test("the button can be pressed again when the browser returns to the page", () => {
  const form = renderInForm(null, <SubmitButton label="Login" sending="Logging in..." />);
  fireEvent.submit(form);
  act(() => void window.dispatchEvent(new Event("pageshow")));
  expect(screen.getByRole("button").textContent).toBe("Login");
  expect(fireEvent.submit(form)).toBe(true);
});

test("the button can be pressed again when no answer arrived", () => {
  jest.useFakeTimers();
  const form = renderInForm(null, <SubmitButton label="Login" sending="Logging in..." />);
  fireEvent.submit(form);
  act(() => void jest.advanceTimersByTime(14_000));
  expect(fireEvent.submit(form)).toBe(false);
  act(() => void jest.advanceTimersByTime(2_000));
  expect(screen.getByRole("button").textContent).toBe("Login");
  jest.useRealTimers();
});
