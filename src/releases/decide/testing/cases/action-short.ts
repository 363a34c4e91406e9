import { listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { ReleaseAction } from '#releases/model/action.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

type Shorts = {
  readonly [Type in ReleaseAction['type']]: (
    action: Extract<ReleaseAction, { readonly type: Type }>,
  ) => string;
};

const shorts: Shorts = {
  'create-pods': ({ count, revision }) => `create ${count} of ${nameOf(revision)}`,
  'create-pod': ({ pod }) => `create ${nameOf(pod)}`,
  'create-claim': ({ claim }) => `claim ${nameOf(claim)}`,
  'delete-pod': ({ pod, event }) => `delete ${idOf(pod)} (${event})`,
  'patch-pod': ({ pod, patch, event }) =>
    `patch ${idOf(pod)}: ${patchShort(patch)}${event === undefined ? '' : ` (${event})`}`,
  'set-gate': ({ pod, isOpen, reason }) => `gate ${idOf(pod)} ${isOpen ? 'open' : 'shut'} (${reason})`,
  'begin-in-place': ({ pod, patch }) => `in place ${idOf(pod)}: ${patchShort(patch)}`,
  'break-glass': ({ pod, person, why }) => `break glass ${idOf(pod)}: ${person}, ${why}`,
  'break-workload-glass': ({ person, why }) => `glass of the workload: ${person}, ${why}`,
  'create-run': ({ run }) => `ask ${nameOf(run)}`,
  'terminate-run': ({ run }) => `terminate ${nameOf(run)}`,
  'delete-run': ({ run }) => `drop ${nameOf(run)}`,
};

/** What is done, in one line. */
export const actionShort = (action: ReleaseAction): string =>
  (shorts[action.type] as (action: ReleaseAction) => string)(action);

const idOf = (pod: KubeObject): string => nameOf(pod).slice('gd-'.length);

/** `revision=new image=image:new state=new -inplace-update-grace`: what is set, and what is taken away. */
function patchShort(patch: JsonObject): string {
  const labels = Object.entries(objectAt(patch, 'metadata', 'labels') ?? {});
  const annotations = Object.entries(objectAt(patch, 'metadata', 'annotations') ?? {});
  const images = listAt(patch, 'spec', 'containers').map((each) => `image=${textAt(each, 'image') ?? ''}`);
  const added = texts(listAt(patch, 'metadata', 'finalizers')).map((name) => `+${shortKey(name)}`);
  const dropped = texts(listAt(patch, 'metadata', '$deleteFromPrimitiveList/finalizers')).map(
    (name) => `-${shortKey(name)}`,
  );
  return [...labels.map(entryShort), ...images, ...annotations.map(entryShort), ...added, ...dropped].join(
    ' ',
  );
}

const texts = (list: readonly Json[]): readonly string[] =>
  list.filter((each): each is string => typeof each === 'string');

function entryShort([key, value]: readonly [string, Json]): string {
  const name = shortKey(key);
  if (typeof value !== 'string') return `-${name}`;
  return `${name}=${name.endsWith('state') || name.endsWith('grace') ? stateShort(value) : value}`;
}

/** What an annotation of an update says, without times. */
function stateShort(text: string): string {
  const state = parseJson(text) as JsonObject;
  const due = state['postHook'] === 'due' ? '+hook' : '';
  const seconds = numberAt(state, 'graceSeconds');
  const grace = seconds === undefined ? '' : `@${seconds}`;
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
