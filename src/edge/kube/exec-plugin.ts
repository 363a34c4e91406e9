import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isObject, textAt, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { parseTime, type Instant } from '#base/time.ts';
import { Secret } from '#edge/secret.ts';
import type { ClientCertificate, ExecPlugin } from './access.ts';
import { reasonOf, Unavailable } from './unavailable.ts';

export type ExecCredential = {
  readonly token: Secret | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly expires: Instant | undefined;
};

export type ExecSurroundings = {
  /** Whether the plugin may use the terminal. */
  readonly terminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Runs the plugin once. Throws `Unavailable` when it gives no credentials; what it printed is never repeated. */
export async function runExecPlugin(
  plugin: ExecPlugin,
  surroundings: ExecSurroundings,
  signal: AbortSignal,
): Promise<ExecCredential> {
  const fail = (why: string, cause?: unknown): never => {
    const hint = plugin.installHint === undefined ? '' : ` ${plugin.installHint}`;
    throw new Unavailable(`The credential plugin ${plugin.command} ${why}.${hint}`, cause);
  };
  if (plugin.interactiveMode === 'Always' && !surroundings.terminal)
    fail('needs a terminal, and there is none');
  const ended = await run(plugin, surroundings, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return fail(`cannot be run: ${reasonOf(error)}`, error);
  });
  if (ended.code !== 0) fail(`ended with ${ended.code === null ? 'a signal' : `exit status ${ended.code}`}`);
  const printed = parse(ended.output) ?? fail('printed something that is not JSON');
  if (textAt(printed, 'kind') !== 'ExecCredential' || textAt(printed, 'apiVersion') !== plugin.apiVersion) {
    fail(`did not print an ExecCredential of ${plugin.apiVersion}`);
  }
  const credential = credentialOf(printed);
  if (credential.token === undefined && credential.certificate === undefined) fail('printed no credentials');
  return credential;
}

type Ended = { readonly code: number | null; readonly output: string };

async function run(
  plugin: ExecPlugin,
  { terminal, env }: ExecSurroundings,
  signal: AbortSignal,
): Promise<Ended> {
  const interactive = terminal && plugin.interactiveMode !== 'Never';
  const child = spawn(plugin.command, plugin.args, {
    // Its complaints are for the person who started us.
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    env: {
      ...env,
      ...Object.fromEntries(plugin.env.map(({ name, value }) => [name, value])),
      KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(plugin, interactive)),
    },
    signal,
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [output, code] = await Promise.all([text(child.stdout), exited]);
  return { code, output };
}

function execInfo({ apiVersion, cluster }: ExecPlugin, interactive: boolean): JsonObject {
  const spec: MutableJsonObject = { interactive };
  if (cluster !== undefined) spec['cluster'] = cluster;
  return { kind: 'ExecCredential', apiVersion, spec };
}

function parse(output: string): JsonObject | undefined {
  try {
    const json = parseJson(output);
    return isObject(json) ? json : undefined;
  } catch {
    // The parser's message would quote the output.
    return undefined;
  }
}

function credentialOf(printed: JsonObject): ExecCredential {
  const status = (key: string): string | undefined => textAt(printed, 'status', key) || undefined;
  const token = status('token');
  const certificate = status('clientCertificateData');
  const key = status('clientKeyData');
  return {
    token: token === undefined ? undefined : new Secret(token),
    certificate:
      certificate === undefined || key === undefined ? undefined : { certificate, key: new Secret(key) },
    expires: parseTime(status('expirationTimestamp') ?? ''),
  };
}
