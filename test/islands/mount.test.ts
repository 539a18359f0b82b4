// Test of what mounts islands in the browser.
import { expect, test } from "bun:test";
import { useEffect } from "preact/hooks";
import "./dom.tsx";

const { mount } = await import("../../islands/browser/mount.ts");

test("an island that is ready listens already, before the browser paints", async () => {
  let isListening = false;
  mount(() => {
    useEffect(() => {
      isListening = true;
    }, []);
    return null;
  })(document.createElement("is-land"), {});
  await Promise.resolve();
  expect(isListening).toBe(true);
});
