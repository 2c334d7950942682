/** Meta tools whose calls show what they do. Others run code or commands that can call anything. */
const READABLE: readonly string[] = [
  "SVC_SEARCH_TOOLS",
  "SVC_GET_TOOL_SCHEMAS",
  "SVC_MULTI_EXECUTE_TOOL",
  "SVC_MANAGE_CONNECTIONS",
  "SVC_WAIT_FOR_CONNECTIONS",
];

/** Whether what a tool does can't be seen in its arguments. A meta tool that isn't known may be one. */
export function canRunAnything(name: string): boolean {
  return name.startsWith("SVC_") && !isReadableMetaTool(name);
}

/** Whether a tool is a meta tool whose calls show what they do. They have no version and no account. */
export function isReadableMetaTool(name: string): boolean {
  return READABLE.includes(name);
}
