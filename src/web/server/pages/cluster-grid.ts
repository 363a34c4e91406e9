import { listAt, numberAt, textAt, type Json } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { ClusterPage, GridCell } from '#web/wire/cluster-page.ts';

type Grid = Pick<ClusterPage, 'nodes' | 'steps' | 'cells'>;

const states: Readonly<Record<string, GridCell['state']>> = {
  Waiting: 'waiting',
  Staging: 'running',
  Launched: 'running',
  Succeeded: 'done',
  Failed: 'failed',
  TimedOut: 'failed',
  Unreachable: 'failed',
  Unknown: 'failed',
  Cancelled: 'failed',
  Skipped: 'skipped',
};

/** Nodes and steps of the operations of a Cluster and its Machines, as their status shows them. */
export function clusterGrid(objects: readonly KubeObject[]): Grid {
  const nodes = new Set<string>();
  const steps = new Set<string>();
  const cells = new Map<string, GridCell>();
  for (const object of objects) {
    for (const node of nodesOf(object)) nodes.add(node);
    for (const step of listAt(object, 'status', 'operation', 'steps')) {
      const name = textAt(step, 'name') ?? '';
      steps.add(name);
      for (const [node, cell] of cellsOf(step)) {
        nodes.add(node);
        cells.set(`${node} ${name}`, cell);
      }
    }
  }
  return { nodes: [...nodes], steps: [...steps], cells: Object.fromEntries(cells) };
}

/** The machines that an operation works on, also those whose steps have not begun. */
const nodesOf = (object: KubeObject): readonly string[] => {
  const named = listAt(object, 'status', 'operation', 'nodes').filter((each) => typeof each === 'string');
  return textAt(object, 'kind') === 'Machine' && named.length === 0 ? [nameOf(object)] : named;
};

function* cellsOf(step: Json): Generator<readonly [string, GridCell]> {
  for (const node of listAt(step, 'done'))
    if (typeof node === 'string') yield [node, { state: 'done', message: '' }];
  for (const task of listAt(step, 'tasks')) {
    const word = textAt(task, 'state') ?? '';
    const since = textAt(task, 'since');
    const state = states[word] ?? 'waiting';
    const time = state === 'running' ? 'startedAt' : 'finishedAt';
    yield [
      textAt(task, 'node') ?? '',
      {
        state,
        message: messageOf(task, word),
        ...(since === undefined || state === 'waiting' ? {} : { [time]: since }),
      },
    ];
  }
}

function messageOf(task: Json, word: string): string {
  const exit = numberAt(task, 'exit');
  const said = textAt(task, 'message') ?? '';
  const attempt = numberAt(task, 'attempt') ?? 1;
  const parts = [
    ...(states[word] === 'failed' && word !== 'Failed' ? [word] : []),
    ...(exit === undefined ? [] : [`exit code ${exit}`]),
    ...(said === '' ? [] : [said]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
  ];
  return parts.join('; ');
}
