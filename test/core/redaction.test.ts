import { describe, expect, test } from "vitest";
import { BadRequestError, type RequestOptions, type SvcOptions } from "../../src/index.js";
import { clientOf, rejectionOf, send } from "../support/client.js";
import { scriptedFetch } from "../support/scripted-fetch.js";

/** What an error shows of a text in the answer's body. */
async function shown(text: string, options: SvcOptions = {}, request: RequestOptions = {}): Promise<string> {
  const fetch = scriptedFetch(new Response(text, { status: 400 }));
  const error = await rejectionOf(BadRequestError, send(clientOf(fetch, options), "safe", request));
  return String(error.body);
}

describe("what a service echoes of a secret is hidden", () => {
  test("wherever it stands, as often as it stands there", async () => {
    expect(await shown("is ak_1 ak_1? No, xak_1x.", { apiKey: "ak_1" })).toBe("is *** ***? No, x***x.");
  });

  test("whole, where one secret begins another", async () => {
    const keys = { apiKey: "key", userApiKey: "key-and-more" };
    expect(await shown("key key-and-more key-and", keys)).toBe("*** *** ***-and");
  });

  test.each([
    ["ak\\u005f1", "letters as JSON may escape them"],
    ["ak\\u005F1", "hexadecimal digits in capitals"],
    ["\\u0061\\u006b\\u005f\\u0031", "every letter escaped"],
    ["\\\\u0061k_1", "an escape in a text of a text"],
    ["ak\\_1", "a needless backslash"],
  ])("%s: %s", async (text) => {
    expect(await shown(`<${text}>`, { apiKey: "ak_1" })).toBe("<***>");
  });

  test("with a character that a regular expression takes for more", async () => {
    expect(await shown("a.k+1 axk+1 a.kk1", { apiKey: "a.k+1" })).toBe("*** axk+1 a.kk1");
  });

  test("and nothing else is", async () => {
    const text = "ak_2 AK_1 ak_ 1";
    expect(await shown(text, { apiKey: "ak_1" })).toBe(text);
  });
});

describe("a header of the user's own is a secret", () => {
  const names = [
    "x-auth",
    "x-cookies",
    "my-token",
    "x-secret-1",
    "some-key",
    "X-Password",
    "x-signature",
    "Credential",
  ];

  test.each(names)("where its name says so: %s, of the client and of one call", async (name) => {
    const headers = { [name]: "hunter2" };
    expect(await shown("is hunter2", { headers })).toBe("is ***");
    expect(await shown("is hunter2 or ak_test", {}, { headers })).toBe("is *** or ***");
  });

  test("and not where it does not", async () => {
    expect(await shown("is hunter2", { headers: { "x-team": "hunter2" } })).toBe("is hunter2");
    expect(await shown("is hunter2", {}, { headers: { "x-team": "hunter2" } })).toBe("is hunter2");
  });

  test("of six characters and more: a shorter one would blank ordinary words", async () => {
    expect(await shown("is 123456", { headers: { "x-token": "123456" } })).toBe("is ***");
    expect(await shown("is 12345", { headers: { "x-token": "12345" } })).toBe("is 12345");
  });

  test.each([
    ["Bearer abcdef", "is abcdef, Bearer", "is ***, Bearer"],
    ["  Bearer abcdef  ", "is abcdef", "is ***"],
    ["Bearer abc def", "is abc def", "is ***"],
    ["b2 abcdef", "is abcdef", "is abcdef"],
    ["b2 abcdef", "is b2 abcdef", "is ***"],
    ["2b abcdef", "is abcdef", "is abcdef"],
    ["se\tcret", "is se\tcret", "is ***"],
    ["back\\slash", "is back\\slash, back\\\\slash, back\\\\\\\\slash", "is ***, ***, ***"],
    ["back\\\\slash", "is back\\\\slash, back\\\\\\\\slash", "is ***, ***"],
    ["back\\slash", "is backslash", "is backslash"],
    ["  abcdef ", "is abcdef", "is ***"],
  ])("%j, with what stands before it apart: %j", async (value, text, left) => {
    expect(await shown(text, { headers: { authorization: value } })).toBe(left);
  });
});
