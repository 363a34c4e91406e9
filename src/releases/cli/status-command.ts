import { formatDuration, parseDuration } from '#base/duration.ts';
import { later, millis, type Instant, type Millis } from '#base/time.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
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
import { printAside, printLine } from '#command/print.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { createInformer } from '#loop/informer.ts';
import { releaseSummaryOf } from '#releases/decide/view/release-summary.ts';
import { releaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { releaseLine } from './change-lines.ts';
import { findWorkload, type FoundWorkload } from './find-workload.ts';
import { untilAborted } from './follow-release.ts';
import { releaseAgent, type ReleaseFlags } from './release-flags.ts';
import { statusExit } from './status-exit.ts';

export type StatusFlags = ReleaseFlags & { readonly watch?: boolean; readonly timeout?: string };

type Format = OutputFormat | 'text';

/** `boathook release status NAME`: the state of a release in one line, and as an exit code. */
export function statusCommand(workload: string, flags: StatusFlags): Promise<number> {
  const format: Format = outputFormat(flags, ['json', 'yaml', 'name']);
  const timeout = timeoutOf(flags);
  const isWatching = flags.watch === true || timeout !== undefined;
  return inCluster(flags, releaseAgent, async (cluster) => {
    const deadline = timeout === undefined ? undefined : later(systemClock.now(), timeout);
    const found = await findWorkload(cluster, workload);
    const code = statusExit(releaseVerdict(found.workload), { isWatching, now: systemClock.now() });
    if (!isWatching) {
      printOutput(format, outputOf(found, found.workload));
      return code ?? 124;
    }
    if (code !== undefined) {
      // As a stream too: the form does not depend on how fast the release is.
      printerOf(format, found)(found.workload);
      return code;
    }
    const ended = await followState(cluster, found, { format, deadline });
    if (ended !== 124) return ended;
    printAside(`boathook: ${found.title} is not complete after ${formatDuration(timeout ?? millis(0))}`);
    return 124;
  });
}

function timeoutOf({ timeout }: StatusFlags): Millis | undefined {
  if (timeout === undefined) return undefined;
  const span = parseDuration(timeout);
  if (span !== undefined) return span;
  throw new ExitError(2, `--timeout ${timeout} is not a duration: write it as 90s, 10m or 1h30m`);
}

function outputOf({ kind }: FoundWorkload, workload: KubeObject): CommandOutput {
  const summary = releaseSummaryOf(workload);
  return {
    value: () => ({ ...summary, verdict: releaseVerdict(workload).type }),
    names: () => [objectName(kind.kind, kind.resource.group, summary.name)],
    lines: () => [releaseLine(summary)],
  };
}

type Following = { readonly format: Format; readonly deadline: Instant | undefined };

/** Prints each change until the release has ended or needs a person. */
async function followState(
  cluster: InCluster,
  found: FoundWorkload,
  { format, deadline }: Following,
): Promise<number> {
  const stop = new AbortController();
  const signal = AbortSignal.any([cluster.whole, stop.signal]);
  const ended = Promise.withResolvers<number>();
  const show = printerOf(format, found);
  const namespace = namespaceOf(found.workload);
  const name = nameOf(found.workload);
  const informer = createInformer({
    client: cluster.client,
    clock: systemClock,
    random: systemRandom,
    resource: found.kind.resource,
    namespace,
    fieldSelector: `metadata.name=${name}`,
  });
  const gone = new ExitError(1, `${found.title} was deleted`);
  let cancel: () => void = () => undefined;
  const look = (workload: KubeObject): void => {
    show(workload);
    const verdict = releaseVerdict(workload);
    const code = statusExit(verdict, { isWatching: true, now: systemClock.now() });
    cancel();
    if (code !== undefined) ended.resolve(code);
    else if (verdict.type === 'blocked-for-now')
      cancel = systemClock.after(millis(verdict.failsAt - systemClock.now()), () => ended.resolve(1));
  };
  informer.subscribe(({ type, object }) => (type === 'deleted' ? ended.reject(gone) : look(object)));
  look(found.workload);
  const checkListed = async (): Promise<void> => {
    await informer.synced;
    if (informer.get(namespace, name) === undefined) ended.reject(gone);
  };
  void checkListed();
  if (deadline !== undefined)
    systemClock.after(millis(deadline - systemClock.now()), () => ended.resolve(124));
  void informer.run(signal);
  try {
    return await untilAborted(ended.promise, cluster.whole);
  } finally {
    cancel();
    stop.abort();
  }
}

/** Prints a state when it differs from the last one. */
function printerOf(format: Format, found: FoundWorkload): (workload: KubeObject) => void {
  let last = '';
  return (workload) => {
    const output = outputOf(found, workload);
    const [line = ''] = output.lines(false);
    if (line === last) return;
    for (const each of streamedLines(format, { ...output, isFirst: last === '' })) printLine(each);
    last = line;
  };
}
