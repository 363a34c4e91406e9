import { listAt, numberAt, textAt, type Json } from '#base/json.ts';
import { nameOf, kindOf, resourceVersionOf, type KubeObject } from '#kube/object.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Resource } from '#edge/kube/resource.ts';
import { ExitError } from '#cli/exit.ts';

/** What is said of an object's conditions: only what has changed since the last time. */
function conditionLines(seen: Map<string, string>, object: KubeObject): readonly string[] {
  return listAt(object, 'status', 'conditions').flatMap((condition) => {
    const type = textAt(condition, 'type') ?? '';
    const text = conditionText(condition);
    if (seen.get(type) === text || (seen.get(type) === undefined && text.includes(': Unknown'))) return [];
    seen.set(type, text);
    return [`${kindOf(object)} ${nameOf(object)} ${text}`];
  });
}

export function conditionText(condition: Json): string {
  const [type, status, reason, message] = ['type', 'status', 'reason', 'message'].map(
    (key) => textAt(condition, key) ?? '',
  );
  const why = [reason, message].filter((each) => each !== '' && status !== 'True').join(': ');
  return `${type ?? ''}: ${status ?? ''}${why === '' ? '' : ` (${why})`}`;
}

const isReady = (object: KubeObject): boolean =>
  numberAt(object, 'status', 'observedGeneration') === numberAt(object, 'metadata', 'generation') &&
  listAt(object, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );

/** Says what happens to an object until nothing is left to do. */
export async function followToEnd(
  client: Pick<KubeClient, 'get' | 'watch'>,
  resource: Resource,
  name: string,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  const seen = new Map<string, string>();
  for (;;) {
    const found = await client.get(resource, { name }, signal);
    if (found.type !== 'ok') throw new ExitError(1, `${name}: ${found.message}`);
    for (const line of conditionLines(seen, found.object)) say(line);
    if (isReady(found.object)) return;
    const options = {
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: resourceVersionOf(found.object),
    };
    for await (const event of client.watch(resource, options, signal)) {
      if (!('object' in event)) break;
      if (event.type === 'DELETED') throw new ExitError(1, `${name} was deleted`);
      for (const line of conditionLines(seen, event.object)) say(line);
      if (isReady(event.object)) return;
    }
  }
}
