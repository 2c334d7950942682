using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs"), (name = "bundle.mjs", esModule = embed "bundle.mjs")],
      compatibilityDate = "2026-01-01", compatibilityFlags = ["nodejs_compat"],
    )),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
