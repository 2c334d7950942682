const { composio } = require("./client.cjs");
const clients = require("./client.cjs");

exports.names = () => composio.toolkits.categories();
exports.enum = () => clients.spare.tools.enum();
