// The app's page, with its two actions. Start it with: npm run dev
import { redirect } from "next/navigation";
import { connectUrl, isConnected, openIssue } from "../service.ts";
import { appUrl, getSvc } from "../svc.ts";

export const dynamic = "force-dynamic"; // The user's account can change at any time.

export default async function Page({ searchParams }: { searchParams: Promise<{ message?: string }> }) {
  const { message } = await searchParams;
  return (
    <main>
      <h1>My app</h1>
      {message && <p>{message}</p>}
      {(await isConnected(getSvc())) ? (
        <form action={open}>
          <p>GitHub is connected.</p>
          <button type="submit">Open an issue</button>
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

async function open(): Promise<void> {
  "use server";
  const message = await openIssue(getSvc());
  redirect(message === undefined ? await connectUrl(getSvc(), appUrl) : `/?message=${encodeURIComponent(message)}`);
}
