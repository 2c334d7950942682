/** One trigger event in the three formats, and the other events. The values are invented. */
export const TRIGGER_V3 = {
  id: "msg_3b1f7c64-52a9-4d0e-8f7b-1f0c2f9a6e21",
  timestamp: "2026-03-02T08:15:42.310Z",
  type: "svc.trigger.message",
  metadata: {
    log_id: "log_Qm7aXv2LrT9k",
    trigger_slug: "HELPDESK_TICKET_CREATED",
    trigger_id: "ti_8KdRw2PqLx0Z",
    connected_account_id: "ca_5TgBn9YhUj2M",
    auth_config_id: "ac_1QaZ2WsX3EdC",
    user_id: "user-4711" as string | null,
  },
  data: { ticket_id: 90210, subject: "Printer on fire", priority: "high", requester: { name: "Ada" } },
};

export const TRIGGER_V2 = {
  type: "helpdesk_ticket_created",
  timestamp: "2026-03-02T08:15:42.310Z",
  log_id: "log_Qm7aXv2LrT9k",
  data: {
    ...TRIGGER_V3.data,
    connection_id: "0b6f1f0e-6a53-4c0b-9c1e-7f6d2a4e9b10",
    connection_nano_id: "ca_5TgBn9YhUj2M",
    trigger_nano_id: "ti_8KdRw2PqLx0Z",
    trigger_id: "d2a7c9b4-1f38-4e21-8a66-5c0e3b7f9d42",
    user_id: "user-4711" as string | null,
  },
};

export const TRIGGER_V1 = {
  trigger_name: "HELPDESK_TICKET_CREATED",
  trigger_id: "d2a7c9b4-1f38-4e21-8a66-5c0e3b7f9d42",
  connection_id: "0b6f1f0e-6a53-4c0b-9c1e-7f6d2a4e9b10",
  payload: TRIGGER_V3.data,
  log_id: "log_Qm7aXv2LrT9k",
};

export const EXPIRED = {
  id: "evt_9d7e2c18-4f0a-4b63-a1c5-2e8b6d90f374",
  timestamp: "2026-03-02T09:00:00.000Z",
  type: "svc.connected_account.expired",
  metadata: { project_id: "pr_7HgF5dSa3QwE", org_id: "ok_2LkJ8hGf6DsA" },
  data: {
    id: "ca_5TgBn9YhUj2M",
    toolkit: { slug: "helpdesk" },
    auth_config: { id: "ac_1QaZ2WsX3EdC", auth_scheme: "OAUTH2", is_svc_managed: true, is_disabled: false },
    word_id: "helpdesk_blue-otter",
    alias: null,
    user_id: "user-4711",
    status: "EXPIRED",
    status_reason: "Permanent auth error during token refresh",
    state: { authScheme: "OAUTH2", val: { status: "EXPIRED" } },
  },
};

export const ACTIVATED = {
  ...EXPIRED,
  type: "svc.connected_account.activated",
  data: { ...EXPIRED.data, status: "ACTIVE", status_reason: null },
};

export const DISABLED = {
  id: "msg_f51d0b7a-9c3e-42d8-b6a4-0e7c1d2f8a95",
  timestamp: "2026-03-02T09:00:01.250Z",
  type: "svc.trigger.disabled",
  metadata: { project_id: "pr_7HgF5dSa3QwE" },
  data: {
    id: "ti_8KdRw2PqLx0Z",
    connected_account_id: "ca_5TgBn9YhUj2M",
    trigger_name: "HELPDESK_TICKET_CREATED",
    user_id: "user-4711",
    trigger_config: { queue: "billing" },
    disabled_at: "2026-03-02T09:00:00.900Z",
    disabled_reason: "connection_expired",
  },
};
