// The room of the built-in toolkits, with functions that act like the providers. It imports only the definitions beside
// it. Start here: this is one toolkit, and `small-toolkits.ts` has several.

import {
  list,
  listIn,
  objectSchema,
  ProviderError,
  secretField,
  type ToolkitDefinition,
  type ToolRunContext,
  text,
  whole,
} from "../definitions.js";

const triggerChannel = text("Id of a channel; every channel if omitted.");

const payload = objectSchema({
  channel: text("Id of the channel."),
  user: text("Who wrote it."),
  text: text("The message."),
  ts: text("Id of the message: its time."),
});

interface Channel {
  id: string;
  name: string;
  is_archived: boolean;
  messages: { ts: string; text: string; thread_ts?: string }[];
}

const channel = text("Id or name of a channel: C0001, or general.");

/** Channels and messages. `general` accepts messages, `old-news` is archived, other channels return an error. */
export const slack: ToolkitDefinition = {
  slug: "slack",
  name: "Slack",
  description: "Team messaging: channels and messages.",
  categories: [{ id: "communication", name: "Communication" }],
  auth: [
    { scheme: "OAUTH2", isManaged: true, scopes: ["chat:write", "channels:read", "channels:history"] },
    { scheme: "BEARER_TOKEN", accountFields: [secretField("token", "Bot token", "Starts with xoxb-.")] },
  ],
  versions: {
    "20250612_00": "Messages can reply to a thread.",
    "20251001_00": "Messages must not be blank.",
    "20251001_01": "Fixes the archived-channel error.",
  },
  triggers: [
    {
      slug: "SLACK_NEW_MESSAGE",
      name: "New message",
      description: "A message was posted to a channel.",
      type: "webhook",
      config: objectSchema({ "channel?": triggerChannel }),
      payload,
    },
    {
      slug: "SLACK_APP_MENTION",
      name: "App mention",
      description: "Somebody mentioned your Slack app.",
      instructions: "Create a webhook endpoint for your Slack app first, and enter its URL there.",
      type: "webhook",
      config: objectSchema({ "channel?": triggerChannel }),
      payload,
      requiresWebhookEndpointSetup: true,
    },
  ],
  webhookFields: {
    signing_secret: {
      displayName: "Signing secret",
      description: "From your Slack app's basic information.",
      isRequired: true,
      isSecret: true,
    },
    team_id: { displayName: "Team", description: "Id of the workspace.", isRequired: false, isSecret: false },
  },
  baseUrl: "https://slack.example.com/api",
  data: {
    channels: [
      { id: "C0001", name: "general", is_archived: false, messages: [] },
      { id: "C0002", name: "old-news", is_archived: true, messages: [] },
    ] satisfies Channel[],
  },
  tools: [
    {
      slug: "SLACK_SEND_MESSAGE",
      name: "Send message",
      description: "Posts a message to a channel.",
      input: objectSchema({ channel, text: text("The message.") }),
      output: objectSchema({ ts: text("Id of the message: its time."), channel: text("Id of the channel.") }),
      scopes: ["chat:write"],
      scopeRequirements: { all_of: ["chat:write"] },
      tags: ["important"],
      changes: {
        "20250612_00": {
          input: objectSchema({ channel, text: text("The message."), "thread_ts?": text("The message to reply to.") }),
        },
      },
      run: (call) => {
        const target = findChannel(call);
        const message = String(call.arguments["text"]);
        if (target.is_archived) throw new ProviderError(403, "is_archived");
        if (message.trim() === "" && call.version >= "20251001_00") throw new ProviderError(400, "no_text");
        const thread = call.arguments["thread_ts"];
        const ts = `${Math.floor(Date.parse(call.now) / 1_000)}.${String(target.messages.length).padStart(6, "0")}`;
        target.messages.push({ ts, text: message, ...(typeof thread === "string" && { thread_ts: thread }) });
        return { ts, channel: target.id };
      },
    },
    {
      slug: "SLACK_LIST_CHANNELS",
      name: "List channels",
      description: "Lists the channels the user can see.",
      input: objectSchema({ "limit?": whole("At most this many.") }),
      output: objectSchema({ channels: list({ type: "object" }, "The channels.") }),
      scopes: ["channels:read"],
      scopeRequirements: { all_of: ["channels:read"] },
      tags: ["readOnlyHint"],
      run: ({ arguments: { limit }, data }) => ({
        channels: listIn<Channel>(data, "channels")
          .slice(0, typeof limit === "number" ? limit : 100)
          .map(({ id, name, is_archived }) => ({ id, name, is_archived })),
      }),
    },
    {
      slug: "SLACK_FETCH_CONVERSATION_HISTORY",
      name: "Fetch conversation history",
      description: "Reads the messages of a channel, newest first.",
      input: objectSchema({ channel }),
      output: objectSchema({ messages: list({ type: "object" }, "The messages.") }),
      scopes: ["channels:history"],
      scopeRequirements: { all_of: ["channels:history"] },
      tags: ["readOnlyHint"],
      since: "20250612_00",
      run: (call) => ({ messages: findChannel(call).messages.toReversed() }),
    },
  ],
};

function findChannel({ arguments: given, data }: ToolRunContext): Channel {
  const wanted = String(given["channel"]).replace(/^#/, "");
  const found = listIn<Channel>(data, "channels").find(({ id, name }) => id === wanted || name === wanted);
  if (!found) throw new ProviderError(404, "channel_not_found");
  return found;
}
