import { countText } from '#base/text.ts';
import { formatDuration } from '#base/duration.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { textAt, type JsonObject } from '#base/json.ts';
import { seconds } from '#base/time.ts';
import { ExitError } from '#command/exit.ts';
import { readLocatedObjects, type LocatedObject } from '#command/located-objects.ts';
import { printJson, printLine, wantsJson, type OutputFlags } from '#command/print.ts';
import { shownFile } from '#command/read-text.ts';
import { lintedKinds, lintWorkload } from '#releases/decide/lint/lint-workload.ts';
import type { ReleaseFinding } from '#releases/decide/lint/release-finding.ts';

export type ReleaseLintFlags = OutputFlags & { readonly filename: readonly string[] };

type LocatedFinding = ReleaseFinding & { readonly line: number };
type Linted = {
  readonly kind: string;
  readonly name: string;
  readonly file: string;
  /** The line of its first field. */
  readonly line: number;
  readonly stepsTakeSeconds?: number;
  readonly findings: readonly LocatedFinding[];
};

/** `boathook release lint`: 0 when no workload has an error, 1 when one has. */
export async function lintCommand(flags: ReleaseLintFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const linted = lintFiles(flags.filename);
  const all = linted.flatMap(({ findings }) => findings);
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const counts = { errors, warnings: all.length - errors };
  if (isJson) printJson({ ...counts, workloads: linted.map(asJson) });
  else for (const line of linesOf(linted, counts)) printLine(line);
  return errors === 0 ? 0 : 1;
}

function lintFiles(filenames: readonly string[]): readonly Linted[] {
  const objects = readLocatedObjects(filenames);
  const documents = objects.map(({ value }) => value);
  const workloads = objects.filter(({ value }) => lintedKinds.includes(textAt(value, 'kind') ?? ''));
  if (workloads.length === 0) throw nothingFound(filenames, objects);
  return workloads.map((object) => linted(object, documents));
}

function linted(
  { file, value, lineOf }: LocatedObject,
  documents: readonly LocatedObject['value'][],
): Linted {
  const { findings, stepsTake } = lintWorkload(value, documents);
  const located = findings.map((finding) => ({ ...finding, line: lineOf(finding.path) }));
  return {
    kind: textAt(value, 'kind') ?? '',
    name: textAt(value, 'metadata', 'name') ?? '(without a name)',
    file,
    line: lineOf(''),
    ...(stepsTake === undefined ? {} : { stepsTakeSeconds: stepsTake / 1000 }),
    findings: located.toSorted((left, right) => left.line - right.line),
  };
}

function nothingFound(filenames: readonly string[], objects: readonly LocatedObject[]): ExitError {
  const kinds = [...new Set(objects.map(({ value }) => textAt(value, 'kind') ?? 'something without a kind'))];
  const has = kinds.length === 0 ? 'nothing' : kinds.join(', ');
  const where = filenames.map(shownFile).join(', ');
  return new ExitError(2, `${where}: no ${lintedKinds.join(' or ')} found, but ${has}`);
}

/** `game.yaml:12: GameDeployment shop: warning: spec.updateStrategy.paused: is false: … (leave the field out)`. */
function linesOf(
  all: readonly Linted[],
  { errors, warnings }: { readonly errors: number; readonly warnings: number },
): readonly string[] {
  const lines = all.flatMap(({ kind, name, file, findings }) =>
    findings.map(({ severity, line, path, message, remedy }) => {
      const hint = remedy === undefined ? '' : ` (${remedy})`;
      return harmlessText(`${file}:${line}: ${kind} ${name}: ${severity}: ${path}: ${message}${hint}`);
    }),
  );
  const durations = all.flatMap(({ kind, name, stepsTakeSeconds = 0 }) =>
    stepsTakeSeconds === 0
      ? []
      : [
          harmlessText(
            `${kind} ${name}: its steps take at least ${formatDuration(seconds(stepsTakeSeconds))}`,
          ),
        ],
  );
  const counted = `${countText(all.length, 'workload')}: ${countText(errors, 'error')}, ${countText(warnings, 'warning')}`;
  return [...lines, ...durations, counted];
}

const asJson = ({ findings, ...each }: Linted): JsonObject => ({
  ...each,
  findings: findings.map((finding) => ({ ...finding })),
});
