import { diffHunks, lineDiff, type DiffLine } from '#base/line-diff.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { ExitError } from '#command/exit.ts';
import { inCluster } from '#command/in-cluster.ts';
import { outputFormat, printOutput, type OutputFormat } from '#command/output.ts';
import { printAside } from '#command/print.ts';
import { printedLine, wantsColours, type StyledLine, type Tone } from '#command/styled-line.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { templateOf } from '#kube/workload/revisions.ts';
import { sparseTemplate } from '#kube/workload/sparse-template.ts';
import { templateChanges } from '#releases/decide/view/template-changes.ts';
import type { ViewSnapshot } from '#releases/decide/view/release-view.ts';
import { findWorkload } from './find-workload.ts';
import { readView } from './read-view.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';

export type DiffFlags = ReleaseFlags & { readonly color?: boolean };

type Wanted = { readonly from: string | undefined; readonly to: string | undefined };

/** `boathook release diff NAME [FROM] [TO]`: the difference of the templates of two revisions. */
export function diffCommand(workload: string, wanted: Wanted, flags: DiffFlags): Promise<number> {
  const format: OutputFormat | 'text' = outputFormat(flags, ['json', 'yaml']);
  const hasColours = wantsColours(flags);
  return inCluster(flags, releaseAgent, async (cluster) => {
    const { workload: found, title } = await findWorkload(cluster, workload);
    const snapshot = await readView(cluster, found);
    const from = wanted.from === undefined ? stableOf(snapshot) : chosen(snapshot, wanted.from, title);
    const to = wanted.to === undefined ? snapshot.updateRevision : chosen(snapshot, wanted.to, title);
    const changes = templateChanges(sparseTemplate(templateOf(from)), sparseTemplate(templateOf(to)));
    const sides = { from: sideOf(from), to: sideOf(to) };
    if (changes.length === 0 && format === 'text')
      printAside(`The templates of ${labelOf(from)} and ${labelOf(to)} are equal.`);
    printOutput(format, {
      value: () => ({ ...sides, changes }),
      lines: () => diffLines(from, to).map((line) => printedLine(line, hasColours)),
    });
    return 0;
  });
}

/** The stable revision, else the last one that all pods had. */
export function stableOf({ workload, revisions, updateRevision }: ViewSnapshot): KubeObject {
  const named = (...path: readonly string[]): KubeObject | undefined =>
    revisions.find((each) => nameOf(each) === textAt(workload, 'status', ...path));
  return named('canary', 'revision') ?? named('currentRevision') ?? updateRevision;
}

/** A revision by its number or its name. */
function chosen({ revisions }: ViewSnapshot, text: string, title: string): KubeObject {
  const found = revisions.find((each) => nameOf(each) === text || String(numberOf(each)) === text);
  if (found !== undefined) return found;
  const known = revisions.map(numberOf).toSorted((left, right) => left - right);
  throw new ExitError(
    1,
    `${title} has no revision ${text}: it has ${known.join(', ')} (boathook release history ${title})`,
  );
}

const numberOf = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0;
const sideOf = (revision: KubeObject): JsonObject => ({
  revision: numberOf(revision),
  name: nameOf(revision),
});
const labelOf = (revision: KubeObject): string => `revision ${numberOf(revision)} (${nameOf(revision)})`;

const marks = { same: ' ', removed: '-', added: '+' } as const;
const tones: Readonly<Record<DiffLine['type'], Tone | undefined>> = {
  same: undefined,
  removed: 'bad',
  added: 'good',
};

/** As `diff -u` prints it. */
function diffLines(from: KubeObject, to: KubeObject): readonly StyledLine[] {
  const hunks = diffHunks(lineDiff(yamlLines(from), yamlLines(to)));
  if (hunks.length === 0) return [];
  return [
    [{ text: `--- ${labelOf(from)}`, tone: 'strong' }],
    [{ text: `+++ ${labelOf(to)}`, tone: 'strong' }],
    ...hunks.flatMap(({ header, lines }) => [
      [{ text: header, tone: 'busy' } as const],
      ...lines.map(({ type, text }) => [{ text: `${marks[type]}${text}`, tone: tones[type] }]),
    ]),
  ];
}

const yamlLines = (revision: KubeObject): readonly string[] =>
  printYaml(sparseTemplate(templateOf(revision)))
    .trimEnd()
    .split('\n')
    .map(harmlessText);
