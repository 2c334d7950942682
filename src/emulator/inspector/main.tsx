import { render } from "preact";
import { App } from "./app.jsx";
import { follow } from "./stream.js";

render(<App />, document.body);
follow();
