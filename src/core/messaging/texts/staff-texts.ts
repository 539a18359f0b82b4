// The texts of test messages, which an owner sends to themselves.
import { letter, type Mail } from "./texts.ts";

const KIND = "test";

export function testMail(username: string): Mail {
  return {
    kind: KIND,
    subject: "A test from your DataFie shop",
    mail: letter(username, "Your shop can send e-mail: this one arrived."),
  };
}

export function testSms(): { kind: string; body: string } {
  return { kind: KIND, body: "DataFie: your shop can send SMS. This one arrived." };
}
