const { composio } = require("./client.cjs");
const clients = require("./client.cjs");

exports.names = () => composio.toolkits.retrieveCategories();
exports.enum = () => clients.spare.tools.retrieveEnum();
