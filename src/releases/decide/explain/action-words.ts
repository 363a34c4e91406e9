import { textAt } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import type { ReleaseAction } from '#releases/model/action.ts';

/** What a write is called; undefined for one that is only bookkeeping. */
const verbs: Readonly<Record<ReleaseAction['type'], string | undefined>> = {
  'create-pods': 'creates',
  'create-pod': 'creates pod',
  'delete-pod': 'deletes pod',
  'begin-in-place': 'starts the update in place of pod',
  'create-run': 'creates HookRun',
  'terminate-run': 'stops HookRun',
  'break-glass': 'deletes without its hook pod',
  'patch-pod': undefined,
  'set-gate': undefined,
  'create-claim': undefined,
  'break-workload-glass': undefined,
  'delete-run': undefined,
};

/** What the controller is about to write, in one sentence for each kind of write. */
export function actionWords(actions: readonly ReleaseAction[]): readonly string[] {
  const groups = Map.groupBy(actions, ({ type }) => type);
  return [...groups].flatMap(([type, group]) => {
    const verb = verbs[type];
    return verb === undefined ? [] : [`The controller ${verb} ${objectsOf(group)}.`];
  });
}

const most = 5;

function objectsOf(group: readonly ReleaseAction[]): string {
  const all = group.map(objectOf);
  const left = all.length - most;
  return `${all.slice(0, most).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function objectOf(action: ReleaseAction): string {
  if (action.type === 'create-pods') {
    const { count, revision } = action;
    return `${count} ${count === 1 ? 'pod' : 'pods'} of revision ${nameOf(revision)}`;
  }
  if ('pod' in action) return nameOf(action.pod);
  return 'run' in action ? (textAt(action.run, 'metadata', 'name') ?? '') : '';
}
