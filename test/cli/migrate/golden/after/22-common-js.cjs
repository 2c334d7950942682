"use strict";
const { Svc, NotFoundError } = require("svc-sdk");

const composio = new Svc({ apiKey: process.env.COMPOSIO_API_KEY, timeoutMs: 1000 });

module.exports.read = async function read(slug) {
  try {
    return await composio.toolkits.get(slug);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
};
