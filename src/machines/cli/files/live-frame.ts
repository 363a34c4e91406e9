import { formatDuration } from '#base/duration.ts';
import { fitted, padded, textWidth } from '#base/text-width.ts';
import { millis, type Instant } from '#base/time.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { nodesOf, stepsOf, taskKey, localNode, type MachinePlan } from '#machines/decide/plan.ts';
import type { OperationState, TaskState } from '#machines/decide/progress.ts';
import { copyText, nextTryText, nodeText } from './event-text.ts';
import { printable } from './printable.ts';

/** The state of a node in the live display. */
export type NodeLine = {
  readonly node: string;
  readonly step: string;
  readonly state: TaskState;
  readonly since: Instant;
  readonly lastLine: string;
};

export type Picture = {
  readonly lines: ReadonlyMap<string, NodeLine>;
  readonly done: ReadonlySet<string>;
  readonly total: number;
  readonly operation: OperationState;
  readonly wakeAt?: Instant;
};

/** The picture before anything has happened: every node waits. */
export function firstPicture(plan: MachinePlan, now: Instant): Picture {
  const steps = stepsOf(plan);
  const isLocal = steps.some(({ targets }) => targets.some(({ node }) => node === localNode));
  const nodes = [...(isLocal ? [localNode] : []), ...nodesOf(plan)];
  const line = (node: string): NodeLine => ({ node, step: '', state: 'Waiting', since: now, lastLine: '' });
  return {
    lines: new Map(nodes.map((node) => [node, line(node)])),
    done: new Set(),
    total: steps.reduce((sum, { targets }) => sum + targets.length, 0),
    operation: 'Planned',
  };
}

/** The picture after an event. */
export function nextPicture(picture: Picture, event: ProgressEvent): Picture {
  switch (event.type) {
    case 'notice':
      return picture;
    case 'copy':
      return withLastLine(picture, event.node, copyText(event));
    case 'operation': {
      const { wakeAt: _past, ...rest } = picture;
      return {
        ...rest,
        operation: event.state,
        ...(event.wakeAt !== undefined && { wakeAt: event.wakeAt }),
      };
    }
    case 'output':
      return withLastLine(picture, event.node, event.line);
    case 'task': {
      const { node, title: step, state, at: since, step: id, outcome } = event;
      const message =
        outcome !== undefined && 'message' in outcome ? (outcome.message.split('\n')[0] ?? '') : '';
      const next = withLine(picture, { node, step, state, since, lastLine: message });
      return state === 'Succeeded' ? { ...next, done: new Set(next.done).add(taskKey(id, node)) } : next;
    }
  }
}

function withLastLine(picture: Picture, node: string, lastLine: string): Picture {
  const line = picture.lines.get(node);
  return line === undefined ? picture : withLine(picture, { ...line, lastLine });
}

const withLine = (picture: Picture, line: NodeLine): Picture => ({
  ...picture,
  lines: new Map(picture.lines).set(line.node, line),
});

const busy: ReadonlySet<TaskState> = new Set(['Staging', 'Launched']);
const troubled: ReadonlySet<TaskState> = new Set(['Failed', 'TimedOut', 'Unreachable', 'Unknown']);

/** The picture as lines: one per node, as many as fit, and a bar for the whole. */
export function frameOf(
  picture: Picture,
  now: Instant,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly string[] {
  const all = [...picture.lines.values()];
  const room = Math.max(1, rows - 3);
  const rank = ({ state }: NodeLine): number => (troubled.has(state) ? 0 : busy.has(state) ? 1 : 2);
  const shown = all.length <= room ? all : all.toSorted((a, b) => rank(a) - rank(b)).slice(0, room - 1);
  const width = Math.max(...shown.map(({ node }) => textWidth(nodeText(node))), 4);
  const lines = shown.map((line) => nodeLine(line, now, width));
  if (shown.length < all.length) lines.push(`… and ${all.length - shown.length} more nodes`);
  return [...lines, bar(picture, now, columns)].map((line) => fitted(printable(line), columns));
}

function nodeLine({ node, step, state, since, lastLine }: NodeLine, now: Instant, width: number): string {
  const elapsed = busy.has(state) ? formatDuration(millis(Math.floor((now - since) / 1000) * 1000)) : '';
  return `${padded(nodeText(node), width)}  ${state.padEnd(11)} ${elapsed.padStart(6)}  ${step}${lastLine === '' ? '' : `  │ ${lastLine}`}`;
}

function bar({ done, total, operation, wakeAt }: Picture, now: Instant, columns: number): string {
  const next = wakeAt === undefined ? '' : `, ${nextTryText(wakeAt, now)}`;
  const text = `${done.size}/${total} ${operation}${next}`;
  const width = Math.max(4, Math.min(40, columns - textWidth(text) - 3));
  const full = total === 0 ? width : Math.round((done.size / total) * width);
  return `[${'█'.repeat(full)}${'░'.repeat(width - full)}] ${text}`;
}
