// Tests of reading requests: size limits, client addresses, and the origin of pages.
import { describe, expect, test } from "bun:test";
import { clientAddress, cookie, isForeign, readForm, readJson, readText, readUpload } from "../../src/http/requests.ts";
import { limits } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { processorMs } from "../support/processor.ts";

const request = (headers: Record<string, string>, body?: string | ReadableStream) =>
  new Request("http://shop.example/", { method: "POST", headers, ...(body !== undefined && { body }) });
const json = (body: string | ReadableStream, type = "application/json") => request({ "content-type": type }, body);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "read",
    (error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );

test("a request is foreign when a browser's headers name another site", () => {
  const own = "https://shop.example";
  for (const [headers, expected] of [
    // [origin, sec-fetch-site, host] and whether that is foreign.
    [[null, null, "shop.example"], false],
    [["https://shop.example", null, "inside:3000"], false],
    [["https://evil.example", null, "shop.example"], true],
    [["https://shop.example.evil.example", null, "shop.example"], true],
    [["https://evil-shop.example", null, "shop.example"], true],
    [["http://shop.example:8080", null, "shop.example"], true],
    [["null", null, "shop.example"], true],
    [["", null, "shop.example"], true],
    // The address of the request is ours, too, for a shop without a configured public address.
    [["http://192.168.1.5:3000", null, "192.168.1.5:3000"], false],
    [["https://evil.example", "cross-site", "shop.example"], true],
    [[null, "cross-site", "shop.example"], true],
    [[null, "same-site", "shop.example"], true],
    [["https://other.shop.example", "same-site", "shop.example"], true],
    [[null, "same-origin", "shop.example"], false],
    [["https://shop.example", "same-origin", "shop.example"], false],
    // A bookmark, or a typed address.
    [[null, "none", "shop.example"], false],
  ] as const) {
    const [origin, site, host] = headers;
    const sent = request({
      host,
      ...(origin !== null && { origin }),
      ...(site !== null && { "sec-fetch-site": site }),
    });
    expect([headers, isForeign(sent, own)]).toEqual([headers, expected]);
  }
});

describe("the client's address", () => {
  const from = (forwarded: string | null, socket: string, proxies: string[]) =>
    clientAddress(request(forwarded === null ? {} : { "x-forwarded-for": forwarded }), socket, proxies);

  test("is the socket's, whatever X-Forwarded-For contains", () => {
    expect(from(null, "203.0.113.9", [])).toBe("203.0.113.9");
    expect(from("1.2.3.4", "203.0.113.9", [])).toBe("203.0.113.9");
    expect(from("1.2.3.4, 10.0.0.1", "203.0.113.9", ["10.0.0.1"])).toBe("203.0.113.9");
  });

  test("is the one that a listed proxy added, not one that a client wrote before it", () => {
    expect(from("203.0.113.9", "10.0.0.1", ["10.0.0.1"])).toBe("203.0.113.9");
    expect(from("1.1.1.1, 203.0.113.9", "10.0.0.1", ["10.0.0.1"])).toBe("203.0.113.9");
    expect(from("10.0.0.2, 1.1.1.1, 203.0.113.9, 10.0.0.2", "10.0.0.1", ["10.0.0.1", "10.0.0.2"])).toBe("203.0.113.9");
  });

  test("is the proxy's own where it names no other", () => {
    expect(from(null, "10.0.0.1", ["10.0.0.1"])).toBe("10.0.0.1");
    expect(from(" , ", "10.0.0.1", ["10.0.0.1"])).toBe("10.0.0.1");
    expect(from("10.0.0.1", "10.0.0.1", ["10.0.0.1"])).toBe("10.0.0.1");
  });
});

describe("a body", () => {
  const endless = (chunkBytes: number, state = { pulled: 0 }) => ({
    state,
    stream: new ReadableStream<Uint8Array>({
      pull: (controller) => {
        state.pulled += chunkBytes;
        controller.enqueue(new Uint8Array(chunkBytes).fill(97));
      },
    }),
  });

  test("is read up to the limit and refused beyond it", async () => {
    expect(await readText(json("x".repeat(100)), 100)).toBe("x".repeat(100));
    expect(await codeOf(readText(json("x".repeat(101)), 100))).toBe("request.too_large");
    // Bytes are counted, not characters.
    expect(await codeOf(readText(json("₵".repeat(34)), 100))).toBe("request.too_large");
  });

  test("that declares too large a length is refused before it is read", async () => {
    const { stream, state } = endless(10);
    const sent = request({ "content-length": "101", "content-type": "application/json" }, stream);
    expect(await codeOf(readText(sent, 100))).toBe("request.too_large");
    expect(state.pulled).toBeLessThanOrEqual(10);
  });

  test("without an end is refused as soon as it exceeds the limit", async () => {
    const { stream, state } = endless(1000);
    expect(await codeOf(readText(json(stream), 10_000))).toBe("request.too_large");
    expect(state.pulled).toBeLessThan(100_000);
  });

  test("in chunks is joined, also where a character is split", async () => {
    const bytes = new TextEncoder().encode('{"a":"GH₵"}');
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await readJson(json(stream), 100)).toEqual({ a: "GH₵" });
  });

  test("is JSON only with that content type", async () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"]) {
      expect(await readJson(json("[1]", type), 100)).toEqual([1]);
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "text/plain; application/json",
      "",
    ]) {
      expect(await codeOf(readJson(json("[1]", type), 100))).toBe("request.content_type");
    }
    const untyped = new Request("http://localhost/", { method: "POST", body: new Uint8Array([91, 49, 93]) });
    expect(untyped.headers.get("content-type")).toBeNull();
    expect(await codeOf(readJson(untyped, 100))).toBe("request.content_type");
  });

  test("that is not JSON, or nested too deep, is malformed", async () => {
    for (const text of ["", "{", "nope", "{'a':1}", '{"a":1,}', "\u0000", "undefined"]) {
      expect(await codeOf(readJson(json(text), 1000))).toBe("request.malformed");
    }
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(await codeOf(readJson(json(nested(limits.jsonDepth)), 1000))).toBe("read");
    expect(await codeOf(readJson(json(nested(limits.jsonDepth + 1)), 1000))).toBe("request.malformed");
    expect(await codeOf(readJson(json('{"a":'.repeat(200_000)), 2_000_000))).toBe("request.malformed");
    expect(await codeOf(readJson(json("[".repeat(200_000)), 2_000_000))).toBe("request.malformed");
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    expect(await codeOf(readJson(json(objects(limits.jsonDepth)), 1000))).toBe("read");
    expect(await codeOf(readJson(json(objects(limits.jsonDepth + 1)), 1000))).toBe("request.malformed");
    expect(await codeOf(readJson(json(`[${"{},".repeat(300)}1]`), 10_000))).toBe("read");
    // Characters, and a backslash that is itself escaped, do not hide brackets after them.
    const deep = nested(limits.jsonDepth + 1);
    expect(await codeOf(readJson(json(`["abc", "\\\\", ${deep}]`), 1000))).toBe("request.malformed");
    expect(await codeOf(readJson(json(`["ab", "c", ${deep}]`), 1000))).toBe("request.malformed");
    // Brackets inside a string are no nesting, nor are those after an escaped quote.
    const brackets = JSON.stringify({ note: `${"[".repeat(500)}\\"${"{".repeat(500)}` });
    expect(await codeOf(readJson(json(brackets), 10_000))).toBe("read");
    expect(await codeOf(readJson(json(`[${"[],".repeat(300)}1]`), 10_000))).toBe("read");
  });

  test("of a form is read as its fields, and nothing else is read as a form", async () => {
    const form = (text: string, type = "application/x-www-form-urlencoded") => readForm(json(text, type), 100);
    expect([...(await form("a=1&b=x+y%26z&a=2"))]).toEqual([
      ["a", "1"],
      ["b", "x y&z"],
      ["a", "2"],
    ]);
    expect(await codeOf(form("a=1", "application/json"))).toBe("request.content_type");
    for (const type of ["multipart/form-data", "text/plain; application/x-www-form-urlencoded"])
      expect(await codeOf(form("a=1", type))).toBe("request.content_type");
  });
});

test("a cookie is found by its full name, in any position", () => {
  const of = (header: string) => cookie(request({ cookie: header }), "session");
  expect(of("session=abc")).toBe("abc");
  expect(of("a=1; session=a.b-c_d==; z=2")).toBe("a.b-c_d==");
  expect(of("xsession=abc; session2=def")).toBeNull();
  expect(of("")).toBeNull();
});

describe("a form with files", () => {
  const upload = (parts: [string, string | File][], bytesMax = 10_000, textBytesMax = 100) => {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    const sent = new Request("http://shop.example/", { method: "POST", body: form });
    return readUpload(sent, bytesMax, textBytesMax);
  };
  const file = (content: string) => new File([content], "numbers.csv");

  test("is read as fields and files; an empty file field is no file", async () => {
    const { form, files } = await upload([
      ["lines", "0541234567\r\n"],
      ["file", file("0241234567")],
      ["other", file("")],
    ]);
    expect([...form]).toEqual([["lines", "0541234567\r\n"]]);
    expect([...files.keys()]).toEqual(["file"]);
    expect(await files.get("file")!.text()).toBe("0241234567");
  });

  test("can have none, like other forms", async () => {
    const type = "application/x-www-form-urlencoded";
    const { form, files } = await readUpload(request({ "content-type": type }, "a=b"), 10, 10);
    expect([form.get("a"), files.size]).toEqual(["b", 0]);
  });

  test("has a limit in total and another one for text", async () => {
    expect(await codeOf(upload([["file", file("x".repeat(20_000))]]))).toBe("request.too_large");
    expect(await codeOf(upload([["lines", "x".repeat(200)]]))).toBe("request.too_large");
    expect(await codeOf(upload([["file", file("x".repeat(5_000))]]))).toBe("read");
  });

  test("that is incomplete, or another type, is not read", async () => {
    const half = request({ "content-type": "multipart/form-data; boundary=x" }, "--x\r\ncontent-disp");
    expect(await codeOf(readUpload(half, 1_000, 1_000))).toBe("request.malformed");
    expect(await codeOf(readUpload(json("{}"), 1_000, 1_000))).toBe("request.content_type");
  });
});

test("a form with more fields than any of ours is refused before they are parsed", async () => {
  const typed = request({ "content-type": "application/x-www-form-urlencoded" }, "a&".repeat(1_000_000));
  const form = new FormData();
  for (let i = 0; i < 2_000; i++) form.append(`field${i}`, "1");
  const sent = new Request("http://shop.example/", { method: "POST", body: form });
  const tookMs = await processorMs(async () => {
    expect(await codeOf(readForm(typed, 3_000_000))).toBe("request.too_large");
    expect(await codeOf(readUpload(sent, 3_000_000, 3_000_000))).toBe("request.too_large");
  });
  expect(tookMs).toBeLessThan(1_000);
  // The largest of our forms: ten thousand ticked orders.
  const ids = Array.from({ length: 10_000 }, (_, i) => `id=${i}`).join("&");
  const ticked = request({ "content-type": "application/x-www-form-urlencoded" }, ids);
  expect((await readForm(ticked, 3_000_000)).getAll("id").length).toBe(10_000);
});

test("JSON with more objects or strings than ten thousand orders is refused before it is parsed", async () => {
  const orders = Array.from({ length: 10_000 }, (_, i) => ({
    productId: i,
    operator: "MTN",
    msisdn: `0${240_000_000 + i}`,
    quantity: 1,
    amount: 3.9,
  }));
  expect(await codeOf(readJson(json(JSON.stringify({ orders, allowDuplicate: true })), 3_000_000))).toBe("read");
  const names = Array.from({ length: 100_001 }, (_, i) => `"k${i}":1`).join(",");
  for (const body of [`[${"[],".repeat(20_000)}[]]`, `{${names}}`])
    expect(await codeOf(readJson(json(body), 3_000_000))).toBe("request.too_large");
});
