import { isObject } from "./json.js";

/** Whether a value has a type. */
export type TypeGuard<Value> = (value: unknown) => value is Value;

/** A guard for each field of a type. The compiler keeps it complete. */
type FieldGuards<Value> = { readonly [Name in keyof Value]-?: TypeGuard<Value[Name]> };

/** Accepts objects with these fields. */
// Bundlers drop the guards that a program doesn't use. @__NO_SIDE_EFFECTS__
export function objectOf<Value extends object>(fields: FieldGuards<Value>): TypeGuard<Value> {
  const guards = Object.entries<(value: unknown) => boolean>(fields);
  return (value): value is Value => isObject(value) && guards.every(([name, isFit]) => isFit(value[name]));
}

/** Accepts arrays of such items. */
// @__NO_SIDE_EFFECTS__
export function listOf<Item>(isItem: TypeGuard<Item>): TypeGuard<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every(isItem);
}

/** Accepts objects whose names the program chooses. */
// @__NO_SIDE_EFFECTS__
export function dictionaryOf<Member>(isMember: TypeGuard<Member>): TypeGuard<Readonly<Record<string, Member>>> {
  return (value): value is Readonly<Record<string, Member>> => isObject(value) && Object.values(value).every(isMember);
}

/** Accepts `null`, too. */
// @__NO_SIDE_EFFECTS__
export function orNull<Value>(isValue: TypeGuard<Value>): TypeGuard<Value | null> {
  return (value): value is Value | null => value === null || isValue(value);
}

/** Accepts `undefined`, too. */
// @__NO_SIDE_EFFECTS__
export function optional<Value>(isValue: TypeGuard<Value>): TypeGuard<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || isValue(value);
}

export const isBoolean: TypeGuard<boolean> = (value): value is boolean => typeof value === "boolean";
export const isNumber: TypeGuard<number> = (value): value is number => typeof value === "number";
export const isInteger: TypeGuard<number> = (value): value is number => Number.isSafeInteger(value);
