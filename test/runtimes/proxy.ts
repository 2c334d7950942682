// Prints what a client of a service on this machine says of the environment.
import { Svc } from "svc-sdk";

try {
  new Svc({ baseUrl: "http://127.0.0.1:4747", apiKey: "ak_secret", env: {} });
  console.log("made");
} catch (error) {
  console.log(String(error));
}
