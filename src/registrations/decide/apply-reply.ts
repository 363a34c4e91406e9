import type { HookReply } from '#registrations/kinds/reply.ts';
import { isArray, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { applyPatches, guarded, withoutStatus, type Patched, type PatchOptions } from './apply-patches.ts';
import { childMeta } from './children.ts';
import type { Children } from './cycle.ts';
import type { Registration } from '#registrations/model/registration.ts';
import { containerName } from './render-instance.ts';

export type ReplyTarget = {
  readonly registration: Registration;
  readonly instance: KubeObject;
  readonly children: Children;
};

/** Applies a reply to the children: variables, then whole children, then patches; all or nothing. */
export function applyReply({ registration, instance, children }: ReplyTarget, reply: HookReply): Patched {
  const options: PatchOptions = {
    serviceAccount: serviceAccountOf(registration, instance),
    protectedFields: registration.hook?.protectedFields ?? [],
  };
  const { accepted } = hookVariables(registration, reply);
  const withEnv = withVariables(children, accepted);
  const replaced = withChildren(withEnv, reply);
  if (typeof replaced === 'string') return { type: 'refused', message: replaced };
  const patched = applyPatches(replaced, reply.patches, options);
  return patched.type === 'refused' ? patched : guarded(children, patched.children, options);
}

/** The variables that the registration accepts from its hook, and the names of those that it ignores. */
export function hookVariables(
  { envsFromHook }: Registration,
  { envVars }: HookReply,
): { readonly accepted: readonly JsonObject[]; readonly ignored: readonly string[] } {
  const isTaken = (each: JsonObject): boolean =>
    envsFromHook.includes('*') || envsFromHook.includes(textAt(each, 'name') ?? '');
  return {
    accepted: envVars.filter(isTaken),
    ignored: envVars.filter((each) => !isTaken(each)).map((each) => textAt(each, 'name') ?? ''),
  };
}

const serviceAccountOf = ({ name }: Registration, instance: KubeObject): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: childMeta(name, instance),
});

/** Variables of the hook override those of the instance and added ones; the list is sorted again. */
function withVariables(children: Children, variables: readonly JsonObject[]): Children {
  if (variables.length === 0) return children;
  const key = children.deployment === undefined ? 'ksvc' : 'deployment';
  const main = children[key];
  const template = objectAt(main, 'spec', 'template');
  const podSpec = objectAt(template, 'spec');
  if (main === undefined || template === undefined || podSpec === undefined) return children;
  const containers = listAt(podSpec, 'containers').map((each) =>
    isObject(each) && each['name'] === containerName ? withEnv(each, variables) : each,
  );
  const spec = { ...objectAt(main, 'spec'), template: { ...template, spec: { ...podSpec, containers } } };
  return { ...children, [key]: { ...main, spec } };
}

function withEnv(container: JsonObject, variables: readonly JsonObject[]): JsonObject {
  const before = container['env'];
  const byName = new Map<string, Json>();
  for (const each of [...(isArray(before) ? before : []), ...variables])
    byName.set(textAt(each, 'name') ?? '', each);
  const env = [...byName].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
  return { ...container, env };
}

/** Replaces rendered children by those of the reply; the others stay. */
function withChildren(children: Children, reply: HookReply): Children | string {
  let replaced = children;
  for (const [key, child] of Object.entries(reply.children)) {
    const name = key as keyof HookReply['children'];
    if (children[name] === undefined) return `the reply has a child ${key}, but none is rendered`;
    replaced = { ...replaced, [name]: withoutStatus(child) };
  }
  return replaced;
}
