import { describe, expect, test } from "vitest";
import { parseConnectCallback, ValidationError } from "../../../src/index.js";

describe("parseConnectCallback", () => {
  const at = (query: string) => parseConnectCallback(`https://app.example/done${query}`);

  test("a success with an id is recognized", () => {
    expect(at("?theme=dark&status=success&connected_account_id=ca_1")).toEqual({
      kind: "success",
      connectedAccountId: "ca_1",
    });
  });

  test("a failure is recognized with or without an id", () => {
    expect(at("?status=failed&connected_account_id=ca_1")).toEqual({ kind: "failed", connectedAccountId: "ca_1" });
    expect(at("?status=failed")).toEqual({ kind: "failed", connectedAccountId: undefined });
  });

  test.each(["?connected_account_id=ca_1", "?status=&connected_account_id=ca_1"])(
    "an id alone (%s) isn't a success",
    (query) => {
      expect(at(query)).toMatchObject({
        kind: "incomplete",
        connectedAccountId: "ca_1",
        problem: "status is missing.",
      });
    },
  );

  test("a success without an id is incomplete", () => {
    expect(at("?status=success&connected_account_id=")).toMatchObject({
      kind: "incomplete",
      status: "success",
      problem: "connected_account_id is missing.",
    });
  });

  test("an unknown status is returned as it is", () => {
    expect(at("?status=SUCCESS&connected_account_id=ca_1")).toEqual({
      kind: "unknown",
      status: "SUCCESS",
      connectedAccountId: "ca_1",
    });
  });

  test.each([
    "?status=failed&status=success&connected_account_id=ca_1",
    "?status=success&connected_account_id=ca_1&connected_account_id=ca_2",
  ])("contradictory values (%s) aren't a success", (query) => {
    expect(at(query).kind).toBe("incomplete");
  });

  test("the same value twice isn't contradictory", () => {
    expect(at("?status=success&status=success&connected_account_id=ca_1").kind).toBe("success");
  });

  test("a URL and Node's path with query have the same result", () => {
    const query = "?status=success&connected_account_id=ca_%2F1";
    const result = { kind: "success", connectedAccountId: "ca_/1" };
    expect(parseConnectCallback(new URL(`https://app.example/${query}`))).toEqual(result);
    expect(parseConnectCallback(`/done${query}`)).toEqual(result);
  });

  test("an invalid URL rejects without being quoted", () => {
    const parse = () => parseConnectCallback("https://[secret");
    expect(parse).toThrow(ValidationError);
    expect(parse).not.toThrow(/secret/);
  });
});
