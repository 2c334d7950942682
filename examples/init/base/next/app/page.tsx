// The app's page, with its two actions. Start it with: npm run dev
import { redirect } from "next/navigation";
import { connectUrl, isConnected } from "../accounts.ts";
import { appUrl, getSvc } from "../svc.ts";
import { label, runTask } from "../task.ts";

export const dynamic = "force-dynamic"; // The user's account can change at any time.

export default async function Page({ searchParams }: { searchParams: Promise<{ message?: string }> }) {
  const { message } = await searchParams;
  return (
    <main>
      <h1>My app</h1>
      {message && <p>{message}</p>}
      {(await isConnected(getSvc())) ? (
        <form action={send}>
          <p>GitHub is connected.</p>
          <label>
            {label} <input name="text" required />
          </label>{" "}
          <button type="submit">Send</button>
        </form>
      ) : (
        <form action={connect}>
          <button type="submit">Connect GitHub</button>
        </form>
      )}
    </main>
  );
}

async function connect(): Promise<void> {
  "use server";
  redirect(await connectUrl(getSvc(), appUrl));
}

async function send(form: FormData): Promise<void> {
  "use server";
  const message = await runTask(getSvc(), String(form.get("text")));
  if (message === undefined) redirect(await connectUrl(getSvc(), appUrl));
  // URLs must be short, and can't contain half of a character.
  redirect(`/?message=${encodeURIComponent(message.slice(0, 1_000).toWellFormed())}`);
}
