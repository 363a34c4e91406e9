import { formatDuration } from '#base/duration.ts';
import type { Json } from '#base/json.ts';
import { tableLines } from '#base/text-table.ts';
import { engineVariables } from './environment.ts';
import type { Policy } from './model.ts';
import { taskKey, type JobStep, type MachinePlan, type StepProgram, type PlanStep } from './plan.ts';

/** Digests of an earlier run of the same cluster, to mark what is new. */
export type Earlier = {
  /** Digests by place: a destination on the nodes, or a step's id. */
  readonly digests: ReadonlyMap<string, string>;
  /** Tasks that have succeeded, by `taskKey`. */
  readonly done: ReadonlySet<string>;
};

export const nothingEarlier: Earlier = { digests: new Map(), done: new Set() };

type Row = {
  readonly step: string;
  readonly what: string;
  readonly node: string;
  readonly digest: string;
  readonly argv: readonly string[];
  readonly env: readonly string[];
  readonly timeout: string;
  readonly policy: string;
  readonly note: string;
  /** Sent along with a script. */
  readonly files?: readonly { readonly name: string; readonly digest: string; readonly size: number }[];
};

const headings = ['STEP', 'WHAT', 'NODE', 'DIGEST', 'TIMEOUT', 'POLICY', 'ARGUMENTS', 'NOTE', 'ENVIRONMENT'];

/**
 * The plan as a table: one line per step and node. Of the environment only the names are shown. With `columns`, the
 * width of a terminal, lines are cut to it.
 */
export function planTable(plan: MachinePlan, earlier: Earlier = nothingEarlier, columns?: number): string {
  const rows = rowsOf(plan, earlier).map((row) => [
    row.step,
    row.what,
    row.node,
    row.digest,
    row.timeout,
    row.policy,
    row.argv.map(quoted).join(' ') || '-',
    row.note || '-',
    row.env.length === 0 ? '-' : row.env.join(','),
  ]);
  const notes = plan.notes.map(({ type, message }) => `${type}: ${message}`);
  return `${[...tableLines([headings, ...rows], columns), ...notes].join('\n')}\n`;
}

/** The plan in short: a line per step, with its nodes, cut to `columns`. */
export function planOutline(plan: MachinePlan, columns?: number): string {
  const steps = plan.stages.flatMap((stage) => stage.steps);
  const rows = steps.map(({ id, targets }) => [id, fewNames(targets)]);
  const room = columns === undefined ? undefined : columns - indent.length;
  const lines = tableLines(rows, room).map((line) => indent + line);
  return `${[`Plan: ${plan.operation} of ${plan.cluster}`, ...lines].join('\n')}\n`;
}

const indent = '  ';

const fewNames = (targets: PlanStep['targets']): string => {
  const names = targets.map(({ node }) => node);
  return names.length <= 6
    ? names.join(', ')
    : `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`;
};

/** The whole plan as a value: no values of variables, no contents of generated files. */
export function planJson(plan: MachinePlan, earlier: Earlier = nothingEarlier, rollback?: MachinePlan): Json {
  const shown = (each: MachinePlan, before: Earlier): Json[] =>
    rowsOf(each, before).map(({ note, files = [], ...row }) => ({
      ...row,
      ...(note !== '' && { note }),
      ...(files.length > 0 && { files }),
    }));
  return {
    cluster: plan.cluster,
    operation: plan.operation,
    parallel: plan.parallel,
    onUnreachable: plan.onUnreachable,
    steps: shown(plan, earlier),
    ...(rollback !== undefined && {
      rollback: { operation: rollback.operation, steps: shown(rollback, nothingEarlier) },
    }),
    notes: plan.notes.map(({ type, message, origin }) => ({
      type,
      message,
      ...(origin !== undefined && { origin }),
    })),
  };
}

/** Digests to store, so that the next plan can mark what has changed. */
export function digestsOf(plan: MachinePlan): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { steps } of plan.stages)
    for (const step of steps) {
      if (step.kind === 'files') for (const { dst, digest } of step.files) found.set(dst, digest);
      else if (step.kind === 'hook' || step.kind === 'install') found.set(step.id, step.digest);
    }
  return found;
}

const rowsOf = (plan: MachinePlan, earlier: Earlier): readonly Row[] =>
  plan.stages.flatMap(({ steps }) =>
    steps.flatMap((step) => step.targets.flatMap(({ node }) => stepRows(step, node, earlier))),
  );

function stepRows(step: PlanStep, node: string, { digests, done }: Earlier): readonly Row[] {
  const { timeout } = step.policy;
  const again = done.has(taskKey(step.id, node)) ? 'has run before' : '';
  const note = (place: string, digest: string): string =>
    [again, changed(digests.get(place), digest)].filter((text) => text !== '').join('; ');
  const base = {
    step: step.id,
    node,
    argv: [],
    env: [],
    timeout: timeout === undefined ? 'none' : formatDuration(timeout),
    policy: policyText(step.policy),
  };
  switch (step.kind) {
    case 'files':
      return step.files.map(({ dst, digest }) => ({
        ...base,
        what: dst,
        digest: short(digest),
        note: note(dst, digest),
      }));
    case 'remove':
      return step.paths.map((path) => ({ ...base, what: path, digest: '-', note: again }));
    case 'fetch':
      return [{ ...base, what: step.path, digest: '-', note: again }];
    case 'hook':
    case 'install':
      return [
        {
          ...base,
          what: programText(step.program),
          digest: short(step.digest),
          argv: step.argv,
          env: [...step.envNames, ...engineVariables],
          files: materialRows(step),
          note: withFiles(
            step,
            note(step.program.type === 'delivered' ? step.program.path : step.id, step.digest),
          ),
        },
      ];
  }
}

const materialRows = ({ materials = [] }: JobStep): NonNullable<Row['files']> =>
  materials.map(({ name, digest, size }) => ({ name, digest: short(digest), size }));

const mostNamed = 4;

/** The first files by name: `-o json` has them all. */
function withFiles({ materials = [], program }: JobStep, note: string): string {
  const others = materials.filter(({ name }) => program.type !== 'material' || name !== program.name);
  if (others.length === 0) return note;
  const named = others.slice(0, mostNamed).map(({ name }) => name);
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  return [note, `with ${named.join(', ')}${more}`].filter((text) => text !== '').join('; ');
}

const changed = (before: string | undefined, now: string): string =>
  before === undefined || before === now ? '' : `was ${short(before)}`;

const short = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12) || '-';

const programText = (program: StepProgram): string => (program.type === 'text' ? program.name : program.path);

function policyText({ onFailure, retry, onUnknown, parallel }: Policy): string {
  const pauses =
    onFailure === 'retry'
      ? ` ${formatDuration(retry.initial)}…${formatDuration(retry.cap)}${retry.max === undefined ? '' : ` at most ${retry.max}`}`
      : '';
  const at = parallel === undefined ? '' : `, ${parallel} at a time`;
  return `${onFailure}${pauses}, unknown: ${onUnknown}${at}`;
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
