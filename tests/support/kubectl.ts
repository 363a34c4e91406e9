import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Boathook } from './boathook.ts';
import { followProgram, runProgram, type Ended, type Following } from './program.ts';

/** A kubectl that was found on this machine. */
export type Kubectl = { readonly file: string; readonly minor: number; readonly version: string };

/**
 * Every kubectl of this machine, oldest first, one for each minor version: those on the path, the ones that
 * lie beside them as `kubectl.1.NN`, and the files that BOATHOOK_KUBECTLS names.
 */
export async function findKubectls(env: NodeJS.ProcessEnv = process.env): Promise<readonly Kubectl[]> {
  const extra = (env['BOATHOOK_KUBECTLS'] ?? '').split(delimiter).filter((file) => file !== '');
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'kubectl'))
    .filter((file) => existsSync(file));
  const files = [...extra, ...onPath].map((file) => realpathSync(file));
  const beside = files.flatMap((file) =>
    readdirSync(dirname(file))
      .filter((name) => /^kubectl\.1\.\d+$/.test(name))
      .map((name) => join(dirname(file), name)),
  );
  // Those with a version in their name first: a plain one beside them may only choose among them.
  const found = await Promise.all([...new Set([...beside, ...files])].map(identify));
  const byMinor = new Map<number, Kubectl>();
  for (const each of found) if (!byMinor.has(each.minor)) byMinor.set(each.minor, each);
  return [...byMinor.values()].toSorted((one, other) => one.minor - other.minor);
}

async function identify(file: string): Promise<Kubectl> {
  const { out, error } = await runProgram(file, ['version', '--client', '--output=json']);
  try {
    const { clientVersion } = JSON.parse(out) as { clientVersion: { minor: string; gitVersion: string } };
    return { file, minor: Number.parseInt(clientVersion.minor, 10), version: clientVersion.gitVersion };
  } catch (cause) {
    throw new Error(`${file} does not tell its version: ${error}`, { cause });
  }
}

/** A kubectl bound to one server and one namespace, as a person in a terminal is. */
export type Terminal = {
  /** Runs to success and gives back what was printed; anything else is a `KubectlFailed`. */
  run(args: readonly string[], options?: RunOptions): Promise<string>;
  json<Value>(args: readonly string[]): Promise<Value>;
  /** Runs to an error that fits; any other end is a `KubectlFailed`. */
  refused(args: readonly string[], says: RegExp, options?: RunOptions): Promise<void>;
  /** Runs to whatever end. */
  attempt(args: readonly string[], options?: RunOptions): Promise<Ended>;
  follow(args: readonly string[]): Following;
  /** Runs on by itself; settles when the server has begun to send it changes. */
  watching(args: readonly string[]): Promise<Following>;
};

export type RunOptions = {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
};

export class KubectlFailed extends Error {
  constructor(args: readonly string[], { code, out, error }: Ended) {
    super(`kubectl ${args.join(' ')} ended with ${code}\n${out}${error}`);
    this.name = 'KubectlFailed';
  }
}

export function openTerminal(
  kubectl: Kubectl,
  server: Pick<Boathook, 'kubeconfig' | 'home'>,
  namespace: string,
): Terminal {
  // Each version its own home: what one remembers of the server must not help or hurt another.
  const home = join(server.home, kubectl.version);
  mkdirSync(home, { recursive: true });
  const env = { KUBECONFIG: server.kubeconfig, HOME: home };
  const full = (args: readonly string[]): readonly string[] =>
    args.includes('--namespace') ? args : [...args, '--namespace', namespace];
  const attempt: Terminal['attempt'] = (args, options = {}) =>
    runProgram(kubectl.file, full(args), { ...options, env: { ...env, ...options.env } });
  const run: Terminal['run'] = async (args, options) => {
    const ended = await attempt(args, options);
    if (ended.code !== 0) throw new KubectlFailed(args, ended);
    return ended.out;
  };
  const follow: Terminal['follow'] = (args) => followProgram(kubectl.file, full(args), { env });
  return {
    run,
    attempt,
    async refused(args, says, options) {
      const ended = await attempt(args, options);
      if (ended.code !== 1 || !says.test(ended.error)) throw new KubectlFailed(args, ended);
    },
    async json<Value>(args: readonly string[]) {
      return JSON.parse(await run([...args, '--output=json'])) as Value;
    },
    follow,
    async watching(args) {
      const following = follow([...args, '--v=6']);
      await following.errorLike(/watch=true.*200 OK/);
      return following;
    },
  };
}
