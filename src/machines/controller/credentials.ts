import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { SpecProblem } from '#machines/decide/problem.ts';
import { fromBase64 } from '#base/base64.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { KubeObject } from '#kube/object.ts';
import { secretRefusal } from '#loop/secret-refusal.ts';
import { secrets } from '#machines/kinds/resources.ts';

const type = 'boathook.dev/machine-credentials';
const keys = ['username', 'password', 'privateKey', 'passPhrase'] as const;

export type FilledObject = { readonly object: KubeObject; readonly problems: readonly SpecProblem[] };

/** Completes the entries of a Cluster or Machine with the credentials in their Secrets, in memory only. */
export async function fillCredentials(
  client: Pick<KubeClient, 'get'>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<FilledObject> {
  const spec = objectAt(object, 'spec') ?? {};
  const problems: SpecProblem[] = [];
  const fill = async (entry: Json, pointer: string): Promise<JsonObject> => {
    const found = await credentialsOf(client, entry, signal);
    if (typeof found !== 'string') return { ...(entry as JsonObject), ...found };
    problems.push({ origin: { file: '', pointer: `${pointer}/credentialsFrom` }, message: found });
    return entry as JsonObject;
  };
  const own = textAt(object, 'kind') === 'Machine' ? await fill(spec, '/spec') : spec;
  const listed = listAt(own, 'machines');
  const entries: JsonObject[] = [];
  for (const [at, entry] of listed.entries()) entries.push(await fill(entry, `/spec/machines/${at}`));
  const whole = listed.length === 0 ? own : { ...own, machines: entries };
  return { object: { ...object, spec: whole }, problems };
}

/** The credentials in an entry's Secret, or why the Secret cannot be used. */
async function credentialsOf(
  client: Pick<KubeClient, 'get'>,
  entry: Json,
  signal: AbortSignal,
): Promise<JsonObject | string> {
  const from = objectAt(entry, 'credentialsFrom');
  if (from === undefined) return {};
  const key = { namespace: textAt(from, 'namespace') ?? 'default', name: textAt(from, 'name') ?? '' };
  const said = `the Secret ${key.namespace}/${key.name}`;
  const outcome = await client.get(secrets, key, signal);
  if (outcome.type !== 'ok') return `${said} cannot be read: ${secretRefusal(outcome, key.namespace)}`;
  // A user who may write Clusters could otherwise send any Secret to a machine of their own.
  if (textAt(outcome.object, 'type') !== type)
    return `${said} must be of type ${type} to be sent to machines`;
  const data = objectAt(outcome.object, 'data') ?? {};
  const found: Record<string, Json> = {};
  for (const name of keys) {
    const value = textAt(data, name);
    if (value !== undefined) found[name] = name === 'username' ? fromBase64(value) : value;
  }
  return found;
}
