"use strict";
const { Composio, NotFoundError } = require("@composio/client");

const composio = new Composio({ apiKey: process.env.COMPOSIO_API_KEY, timeout: 1000 });

module.exports.read = async function read(slug) {
  try {
    return await composio.toolkits.retrieve(slug);
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
};
