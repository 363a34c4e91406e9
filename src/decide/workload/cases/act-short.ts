import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { Act } from '#decide/workload/act.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** What is done, in one line. */
export function actShort(act: Act): string {
  switch (act.type) {
    case 'create-pods':
      return `create ${act.count} of ${nameOf(act.revision)}`;
    case 'create-pod':
      return `create ${nameOf(act.pod)}`;
    case 'create-claim':
      return `claim ${nameOf(act.claim)}`;
    case 'delete-pod':
      return `delete ${idOf(act.pod)} (${act.event})`;
    case 'patch-pod':
      return `patch ${idOf(act.pod)}: ${patchShort(act.patch)}${act.event === undefined ? '' : ` (${act.event})`}`;
    case 'set-gate':
      return `gate ${idOf(act.pod)} ${act.isOpen ? 'open' : 'shut'} (${act.reason})`;
    case 'begin-in-place':
      return `in place ${idOf(act.pod)}: ${patchShort(act.patch)}`;
    case 'break-glass':
      return `break glass ${idOf(act.pod)}: ${act.person}, ${act.why}`;
    case 'create-run':
      return `ask ${nameOf(act.run)}`;
    case 'terminate-run':
      return `terminate ${nameOf(act.run)}`;
    case 'delete-run':
      return `drop ${nameOf(act.run)}`;
  }
}

const idOf = (pod: KubeObject): string => nameOf(pod).slice('gd-'.length);

/** `revision=new image=image:new state=new -inplace-update-grace`: what is set, and what is taken away. */
function patchShort(patch: JsonObject): string {
  const labels = Object.entries(objectAt(patch, 'metadata', 'labels') ?? {});
  const annotations = Object.entries(objectAt(patch, 'metadata', 'annotations') ?? {});
  const images = listAt(patch, 'spec', 'containers').map((each) => `image=${textAt(each, 'image') ?? ''}`);
  const added = listAt(patch, 'metadata', 'finalizers').map((name) => `+${shortKey(String(name))}`);
  const dropped = listAt(patch, 'metadata', '$deleteFromPrimitiveList/finalizers').map(
    (name) => `-${shortKey(String(name))}`,
  );
  return [...labels.map(entryShort), ...images, ...annotations.map(entryShort), ...added, ...dropped].join(
    ' ',
  );
}

function entryShort([key, value]: readonly [string, Json]): string {
  const name = shortKey(key);
  if (value === null) return `-${name}`;
  return `${name}=${name.endsWith('state') || name.endsWith('grace') ? stateShort(String(value)) : String(value)}`;
}

/** What an annotation of an update says, without times. */
function stateShort(text: string): string {
  const state = JSON.parse(text) as JsonObject;
  const due = state['postHook'] === 'due' ? '+hook' : '';
  const grace = state['graceSeconds'] === undefined ? '' : `@${String(state['graceSeconds'])}`;
  return `${textAt(state, 'revision') ?? ''}${grace}${due}`;
}

const names: Readonly<Record<string, string>> = {
  'controller-revision-hash': 'revision',
  'inplace-update-state': 'state',
  'inplace-update-grace': 'grace',
  'hotpatch-update-state': 'hot-state',
  'io.kubernetes.hotpatch.container': 'hot',
  'io.tencent.bcs.dev/game-pod-deleting': 'asked',
  'boathook.dev/leaving': 'leaving',
  'boathook.dev/pre-delete-hook': 'finalizer',
};

const shortKey = (key: string): string => names[key] ?? key;
