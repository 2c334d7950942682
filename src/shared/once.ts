/** Creates a value when it's first asked for, and then returns the same. */
// @__NO_SIDE_EFFECTS__
export function once<Value>(create: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
