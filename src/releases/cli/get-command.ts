import { formatTime } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { ExitError } from '#command/exit.ts';
import { inCluster, type InCluster } from '#command/in-cluster.ts';
import {
  objectName,
  outputFormat,
  printOutput,
  streamedLines,
  type CommandOutput,
  type OutputFormat,
} from '#command/output.ts';
import { printLine } from '#command/print.ts';
import { printedLine, styled, wantsColours, type StyledLine } from '#command/styled-line.ts';
import { terminalWidth } from '#command/terminal-width.ts';
import { releaseViewOf, type ReleaseView } from '#releases/decide/view/release-view.ts';
import { changeLines } from './change-lines.ts';
import { findWorkload, type FoundWorkload } from './find-workload.ts';
import { followRelease, type FollowedRelease } from './follow-release.ts';
import { readView } from './read-view.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';
import { frameLines, releaseLines } from './release-lines.ts';
import { canRedraw, openTerminalView } from './terminal-view.ts';
import { untilGone } from './until-gone.ts';

export type GetFlags = ReleaseFlags & { readonly watch?: boolean; readonly color?: boolean };

type Format = OutputFormat | 'text';

/** `boathook release get NAME`: the steps, revisions, pods and hook runs of a release as a tree. */
export function getCommand(workload: string, flags: GetFlags): Promise<number> {
  const format: Format = outputFormat(flags, ['json', 'yaml', 'name', 'wide']);
  const hasColours = wantsColours(flags);
  return inCluster(flags, releaseAgent, async (cluster) => {
    const found = await findWorkload(cluster, workload);
    const snapshot = await readView(cluster, found.workload);
    if (flags.watch !== true) {
      printOutput(format, outputOf(releaseViewOf(snapshot), found, hasColours));
      return 0;
    }
    if (canRedraw() && (format === 'text' || format === 'wide'))
      return redrawn(cluster, found, { isWide: format === 'wide', hasColours });
    return printed(cluster, found, format);
  });
}

const outputOf = (view: ReleaseView, { kind }: FoundWorkload, hasColours: boolean): CommandOutput => ({
  value: () => view,
  names: () => [objectName(kind.kind, kind.resource.group, view.name)],
  lines: (isWide) =>
    releaseLines(view, { columns: terminalWidth() ?? Infinity, now: systemClock.now(), isWide }).map((line) =>
      printedLine(line, hasColours),
    ),
});

type Look = { readonly isWide: boolean; readonly hasColours: boolean };

/** Redraws the tree in the terminal until the release is deleted or the command is interrupted. */
async function redrawn(cluster: InCluster, found: FoundWorkload, look: Look): Promise<number> {
  return untilGone(cluster.whole, async (changed) => {
    let onChange = changed;
    const followed = await followRelease(cluster, found, () => onChange());
    const first = followed.snapshot();
    if (first === undefined) return { isGone: () => true, close: () => undefined, gone: goneText(found) };
    let last = first;
    const view = openTerminalView(({ columns, rows }) => {
      last = followed.snapshot() ?? last;
      const layout = { columns, now: systemClock.now(), isWide: look.isWide };
      const trouble = troubleLines(followed);
      const lines = frameLines(releaseViewOf(last), layout, rows - trouble.length);
      return [...lines, ...trouble].map((line) => printedLine(line, look.hasColours));
    });
    onChange = () => {
      view.changed();
      changed();
    };
    return {
      isGone: () => followed.snapshot() === undefined,
      close: () => view.close(),
      gone: goneText(found),
    };
  });
}

const goneText = ({ title }: FoundWorkload): ExitError => new ExitError(1, `${title} was deleted`);

const troubleLines = ({ trouble }: FollowedRelease): readonly StyledLine[] => {
  const why = trouble();
  return why === undefined ? [] : [[styled(`Not up to date, reconnecting: ${why}`, 'bad')]];
};

/** Prints a line, or a document, for each change. */
async function printed(cluster: InCluster, found: FoundWorkload, format: Format): Promise<number> {
  return untilGone(cluster.whole, async (changed) => {
    let before: ReleaseView | undefined;
    let onChange = changed;
    const followed = await followRelease(cluster, found, () => onChange());
    const print = (): void => {
      const snapshot = followed.snapshot();
      if (snapshot === undefined) return;
      const view = releaseViewOf(snapshot);
      const changes = changeLines(before, view);
      if (changes.length === 0) return;
      const time = formatTime(systemClock.now());
      const output = { ...outputOf(view, found, false), isFirst: before === undefined };
      const lines = (): readonly string[] => changes.map((line) => `${time}  ${line}`);
      for (const line of streamedLines(format, { ...output, lines })) printLine(line);
      before = view;
    };
    onChange = () => {
      print();
      changed();
    };
    print();
    return { isGone: () => followed.snapshot() === undefined, close: () => undefined, gone: goneText(found) };
  });
}
