import { once } from 'node:events';
import { join } from 'node:path';
import { startChild, type Child } from '../apiserver/child-process.ts';
import { root } from '../cli/cli-cluster.ts';

/** `boathook dashboard` in a process of its own, so that its processor time and memory are its own. */
export type DashboardProcess = {
  readonly pid: number;
  readonly url: string;
  /** The cookie of a session. */
  readonly cookie: { readonly name: string; readonly value: string };
  stop(): Promise<void>;
};

export async function startDashboard(
  kubeconfig: string,
  profile: string | undefined,
): Promise<DashboardProcess> {
  const child = await startChild(
    join(root, 'boathook'),
    ['dashboard', '--port', '0', '--log-level', 'error', '--kubeconfig', kubeconfig],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...(profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
      },
    },
  );
  const [url = '', link = ''] = (await printedLink(child)).split('/#token=');
  // The page is bundled by the first request for it, which is not measured.
  await (await fetch(url)).text();
  const reply = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  const [name = '', value = ''] = (reply.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? [];
  if (!reply.ok) throw new Error(`the link of the dashboard did not sign in: ${await reply.text()}`);
  return { pid: child.pid, url, cookie: { name, value }, stop: () => child.stop() };
}

async function printedLink({ process: child }: Child): Promise<string> {
  if (child.stdout === null) throw new Error('the output of boathook dashboard is not read');
  for (let said = ''; ;) {
    const found = /http:\/\/\S+#token=\w+/.exec(said)?.[0];
    if (found !== undefined) return found;
    const [piece] = (await once(child.stdout, 'data')) as [Buffer];
    said += piece.toString();
  }
}
