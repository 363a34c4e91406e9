import { listAt, textAt } from '#base/json.ts';
import { formatAge } from '#base/age.ts';
import { millis, parseTime } from '#base/time.ts';
import { statusOf, templateOf } from '#hooks/read.ts';
import { hookRuns, hookTemplates } from '#hooks/kinds/resources.ts';
import { isPodWord } from '#hooks/decide/args.ts';
import { runFromTemplate } from '#hooks/decide/make-run.ts';
import { systemClock } from '#edge/clock.ts';
import { systemRandom } from '#edge/random.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { randomLetters } from '#kube/safe-letters.ts';
import { ExitError } from '#command/exit.ts';
import { mustServe } from '#command/missing-kinds.ts';
import { mustBe } from '#command/open-cluster.ts';
import { argsOf, checkNames } from './arg-flags.ts';
import { follow } from './follow-run.ts';
import { inCluster, type NamespacedFlags, type InCluster } from '#command/in-cluster.ts';
import { printJson, printLine, wantsJson, type OutputFlags } from '#command/print.ts';
import { readRun } from './read-run.ts';
import { lineOfMetric, linesOfCall, linesOfRun } from './show-run.ts';
import { tableOf } from '#command/table.ts';
import { timeoutCode, timeoutIn, withinTimeout } from '#command/timeout-flag.ts';
import { codeOf } from './verdict-code.ts';

export type HookClusterFlags = NamespacedFlags & OutputFlags & { readonly allNamespaces?: boolean };
export type RunFlags = HookClusterFlags & {
  readonly arg?: readonly string[];
  readonly name?: string;
  readonly wait: boolean;
  readonly timeout?: string;
};

/** `boathook hook run TEMPLATE`: creates a HookRun. With `--wait` the exit code is that of the verdict. */
export async function runCommand(template: string, flags: RunFlags): Promise<number> {
  const isJson = wantsJson(flags);
  const limit = timeoutIn(flags.timeout);
  if (limit !== undefined && !flags.wait) throw new ExitError(2, '--timeout needs --wait');
  return inCluster(flags, 'boathook-hook', async (cluster) => {
    const made = await makeRun(cluster, template, flags);
    const name = nameOf(made);
    if (!isJson) printLine(`HookRun ${cluster.namespace}/${name} created`);
    if (!flags.wait) {
      if (isJson) printJson(made);
      return 0;
    }
    const print = isJson ? (): void => undefined : printLine;
    const followed = await withinTimeout(limit, cluster.whole, (whole) =>
      follow({ ...cluster, whole }, made, (metric, measurement) => {
        for (const line of linesOfCall(metric, measurement)) print(line);
      }),
    );
    if (followed.type === 'late')
      throw new ExitError(
        timeoutCode,
        `HookRun ${cluster.namespace}/${name} has no verdict after ${flags.timeout}. It continues: boathook hook get ${name} -n ${cluster.namespace} shows it, boathook hook stop ends it`,
      );
    const ended = followed.value;
    const { phase, message, metricResults = [] } = statusOf(ended);
    for (const result of metricResults) print(lineOfMetric(result));
    print(`${phase}${message === undefined ? '' : `: ${message}`}`);
    if (isJson) printJson(ended);
    return codeOf(phase);
  });
}

/** `boathook hook get NAME`: prints the measurements of a run. */
export async function getCommand(name: string, flags: HookClusterFlags): Promise<number> {
  const isJson = wantsJson(flags);
  return inCluster(flags, 'boathook-hook', async (cluster) => {
    const run = await readRun(cluster, name);
    if (isJson) printJson(run);
    else for (const line of linesOfRun(`${cluster.namespace}/${name}`, statusOf(run))) printLine(line);
    return 0;
  });
}

/** `boathook hook list`: prints all runs, the oldest first. */
export async function listCommand(flags: HookClusterFlags): Promise<number> {
  const isJson = wantsJson(flags);
  return inCluster(flags, 'boathook-hook', async ({ client, namespace, signal }) => {
    const where = flags.allNamespaces === true ? {} : { namespace };
    const found = await client.list(hookRuns, where, signal());
    if (found.type === 'not-found') await mustServe(client, [hookRuns], signal());
    if (found.type !== 'ok') throw new ExitError(1, `the runs cannot be listed: ${found.message}`);
    const runs = found.items.toSorted((a, b) => (madeAt(a) < madeAt(b) ? -1 : 1));
    if (isJson) printJson({ items: runs });
    else if (runs.length === 0)
      printLine(flags.allNamespaces === true ? 'no runs' : `no runs in namespace ${namespace}`);
    else
      for (const line of tableOf(
        columns(flags),
        runs.map((run) => rowOf(run, flags)),
      ))
        printLine(line);
    return 0;
  });
}

async function makeRun(cluster: InCluster, template: string, flags: RunFlags): Promise<KubeObject> {
  const { client, namespace, signal } = cluster;
  const objectName = `HookTemplate ${namespace}/${template}`;
  const asked = await client.get(hookTemplates, { namespace, name: template }, signal());
  if (asked.type === 'not-found') await mustServe(client, [hookTemplates, hookRuns], signal());
  const found = mustBe(asked, objectName);
  const given = argsOf(flags.arg);
  const { spec } = templateOf(found);
  checkNames(given, spec.args ?? [], isPodWord);
  const name = flags.name ?? `${template.slice(0, 57)}-${randomLetters(systemRandom, 5)}`;
  const labels = { 'boathook.dev/hook-point': 'Manual' };
  const made = runFromTemplate({ template: { spec }, name, namespace, labels, given, injected: [] });
  if (made.type === 'refused')
    throw new ExitError(2, `${objectName}: ${made.message} (here: --arg NAME=VALUE)`);
  return mustBe(await client.create(hookRuns, made.object, signal()), `HookRun ${namespace}/${name}`);
}

const madeAt = (run: KubeObject): string => textAt(run, 'metadata', 'creationTimestamp') ?? '';

const columns = ({ allNamespaces }: HookClusterFlags): readonly string[] => [
  ...(allNamespaces === true ? ['NAMESPACE'] : []),
  'NAME',
  'PHASE',
  'METRICS',
  'AGE',
  'MESSAGE',
];

function rowOf(run: KubeObject, { allNamespaces }: HookClusterFlags): readonly string[] {
  const { phase = 'Pending', summary, message = '' } = statusOf(run);
  const made = parseTime(madeAt(run));
  return [
    ...(allNamespaces === true ? [namespaceOf(run)] : []),
    nameOf(run),
    phase,
    summary ?? `${listAt(run, 'spec', 'metrics').length} not started`,
    made === undefined ? '' : formatAge(millis(systemClock.now() - made)),
    message,
  ];
}
