import { describe, expect, test } from "vitest";
import { BadRequestError, type RequestOptions, type SvcOptions } from "../../../src/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

/** What an error shows of a string in the response's body. */
async function shown(text: string, options: SvcOptions = {}, request: RequestOptions = {}): Promise<string> {
  const fetch = scriptedFetch(new Response(text, { status: 400 }));
  const error = await rejectionOf(BadRequestError, send(clientOf(fetch, options), "safe", request));
  return String(error.body);
}

describe("a secret that a service echoes is hidden", () => {
  test("wherever and however often it occurs", async () => {
    expect(await shown("is ak_1 ak_1? No, xak_1x.", { apiKey: "ak_1" })).toBe("is *** ***? No, x***x.");
  });

  test("completely, even if one secret is the start of another", async () => {
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

  test("if it contains characters that are special in regular expressions", async () => {
    expect(await shown("a.k+1 axk+1 a.kk1", { apiKey: "a.k+1" })).toBe("*** axk+1 a.kk1");
  });

  test.each([
    ["AK_1", "in capitals"],
    ["%61k%5f1", "percent-encoded"],
    ["%2561k%255F1", "percent-encoded twice"],
    ["&#97;k&#95;&#x31;", "with HTML entities"],
    ["&#0097k&#x005F;1", "with padded entities"],
    ["\\x61k\\x5f1", "with hexadecimal escapes"],
    ["\\\\x61k\\\\x5f1", "with such escapes in a text of a text"],
  ])("%s: %s", async (text) => {
    expect(await shown(`<${text}>`, { apiKey: "ak_1" })).toBe("<***>");
  });

  test.each(["a&b", "a<b", "a>b", 'a"b', "a'b"])("with a named HTML entity: %s", async (apiKey) => {
    const name = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" }[apiKey.charAt(1)];
    expect(await shown(`is a&${name};b`, { apiKey })).toBe("is ***");
    expect(await shown(`is a&amp;${name};b`, { apiKey })).toBe("is ***");
  });

  test.each(["", "u", "us", "use", "user:"])("in the base64 of a string that contains it after %j", async (before) => {
    for (const after of ["", "!", "!!"]) {
      const encoded = Buffer.from(`${before}ak_secret?>~1234${after}`).toString("base64");
      const text = await shown(`is ${encoded}`, { apiKey: "ak_secret?>~1234" });
      expect(text).toContain("***");
      // What is left depends on the neighbors too: at most four characters on each side.
      expect(text.replace("***", "").length).toBeLessThan(5 + Math.ceil((before.length / 3) * 4) + 4 + 4);
      const urlSafe = Buffer.from(`${before}ak_secret?>~1234${after}`).toString("base64url");
      expect(await shown(`is ${urlSafe}`, { apiKey: "ak_secret?>~1234" })).toContain("***");
    }
  });

  test.each([600, 5_000, 15_000])("if it has %i characters, in every form", async (length) => {
    const secret = Array.from({ length }, (_, index) => ((index * 7_919) % 65_521).toString(36))
      .join("")
      .slice(0, length);
    const forms = [secret, encodeURIComponent(secret), Buffer.from(`user:${secret}`).toString("base64")];
    for (const form of forms) {
      for (const options of [{ sessionCookie: secret }, { headers: { authorization: `Bearer ${secret}` } }]) {
        const text = await shown(`<${form}>`, options);
        expect(text).toContain("***");
        const parts = Array.from({ length: form.length / 4 - 3 }, (_, index) => form.slice(4 * index, 4 * index + 12));
        expect(parts.filter((part) => text.includes(part))).toEqual([]);
      }
    }
  });

  test("if it is cut into pieces between backslashes", async () => {
    const noise = (length: number) =>
      Array.from({ length }, (_, index) => ((index * 7_919) % 65_521).toString(36))
        .join("")
        .slice(0, length);
    const secret = `${noise(127)}\\\\${noise(427).slice(127)}`;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) {
      expect(await shown(`<${form}>`, { headers: { "x-token": secret } })).toMatch(/^<(\*\*\*)+>$/);
    }
  });

  test("after an echo that ends early, even if it has many escaped quotes", async () => {
    const secret = `start-of-it${'\\"'.repeat(60)} end`;
    const echo = JSON.stringify(secret).slice(1, -1);
    const cut = echo.slice(0, -4);
    expect(await shown(`<${cut}> <${echo}>`, { headers: { "x-token": secret } })).toBe(`<${cut}> <***>`);
  });

  test("and nothing else is hidden", async () => {
    const text = "ak_2 bk_1 ak_ 1";
    expect(await shown(text, { apiKey: "ak_1" })).toBe(text);
  });
});

describe("a custom header is treated as a secret", () => {
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

  test.each(names)("if its name says so: %s, of the client and of one call", async (name) => {
    const headers = { [name]: "hunter2" };
    expect(await shown("is hunter2", { headers })).toBe("is ***");
    expect(await shown("is hunter2 or ak_test", {}, { headers })).toBe("is *** or ***");
  });

  test("but not if its name doesn't", async () => {
    expect(await shown("is hunter2", { headers: { "x-team": "hunter2" } })).toBe("is hunter2");
    expect(await shown("is hunter2", {}, { headers: { "x-team": "hunter2" } })).toBe("is hunter2");
  });

  test("with the headers for a model's provider that it contains as JSON", async () => {
    const headers = {
      "x-llm-gateway-headers": JSON.stringify({ Authorization: "Bearer sk-hunter2", "x-team": "blue-team" }),
    };
    expect(await shown("is sk-hunter2 of blue-team", {}, { headers })).toBe("is *** of blue-team");
  });

  test("only from six characters on, because a shorter one would hide ordinary words", async () => {
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
  ])("if it is %j, with its scheme kept: %j", async (value, text, left) => {
    expect(await shown(text, { headers: { authorization: value } })).toBe(left);
  });
});
