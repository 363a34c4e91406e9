import type { JsonObject } from '#base/json.ts';
import { textAt } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { explainedOutage, mustBe, openCluster, type ClusterFlags } from '#command/open-cluster.ts';
import { packageVersion } from '#command/package-version.ts';
import { printJson, printLine } from '#command/print.ts';
import { tableOf } from '#command/table.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { kinds } from './kinds.ts';
import { remedyOf, servedKinds, type ServedKind } from './served-kinds.ts';

export type VersionFlags = ClusterFlags & { readonly client?: boolean; readonly output?: string };

/** What the cluster said about itself. */
type ClusterReport =
  | {
      readonly type: 'reached';
      readonly server: string;
      readonly version: string;
      readonly kinds: readonly ServedKind[];
    }
  | { readonly type: 'unreachable'; readonly why: string };

/** How long a cluster may take to answer, in milliseconds. */
const patience = 5000;

/** `boathook version`: succeeds without a cluster too. */
export async function version(flags: VersionFlags): Promise<number> {
  const { output } = flags;
  if (output !== undefined && output !== 'json' && output !== 'yaml')
    throw new ExitError(2, `-o ${output} is not known: use json or yaml`);
  const cluster = flags.client === true ? undefined : await readCluster(flags);
  if (output === 'json') printJson(reportOf(cluster));
  else if (output === 'yaml') process.stdout.write(printYaml(reportOf(cluster)));
  else for (const line of linesOf(cluster)) printLine(line);
  return 0;
}

async function readCluster(flags: ClusterFlags): Promise<ClusterReport> {
  const signal = AbortSignal.timeout(patience);
  try {
    const cluster = openCluster(flags, 'boathook-version');
    const { client, server } = cluster;
    try {
      const found = mustBe(await client.raw('/version', signal), 'the version of the cluster');
      const served = await servedKinds(client, kinds, signal);
      return { type: 'reached', server, version: textAt(found, 'gitVersion') ?? '', kinds: served };
    } catch (error) {
      if (signal.aborted) return noAnswer(server);
      throw explainedOutage(error, server);
    } finally {
      await cluster.close();
    }
  } catch (error) {
    if (error instanceof ExitError) return { type: 'unreachable', why: error.message };
    throw error;
  }
}

const noAnswer = (server: string): ClusterReport => ({
  type: 'unreachable',
  why: `the cluster at ${server} gave no answer in ${patience / 1000} s`,
});

const clientOf = (): { readonly boathook: string; readonly node: string } => ({
  boathook: packageVersion(),
  node: process.version.slice(1),
});

function reportOf(cluster: ClusterReport | undefined): JsonObject {
  const report = { client: clientOf() };
  if (cluster === undefined) return report;
  if (cluster.type === 'unreachable') return { ...report, cluster: { unreachable: cluster.why } };
  const { server, version: kubernetes, kinds: served } = cluster;
  const remedy = remedyOf(served);
  return {
    ...report,
    cluster: {
      server,
      kubernetes,
      kinds: served.map((each) => ({ ...each })),
      ...(remedy === undefined ? {} : { remedy }),
    },
  };
}

function linesOf(cluster: ClusterReport | undefined): readonly string[] {
  const { boathook, node } = clientOf();
  const own = [`boathook   ${boathook}`, `node       ${node}`];
  if (cluster === undefined) return own;
  if (cluster.type === 'unreachable') return [...own, `cluster    not reachable: ${cluster.why}`];
  const remedy = remedyOf(cluster.kinds);
  return [
    ...own,
    `cluster    ${cluster.version} at ${cluster.server}`,
    '',
    ...tableOf(
      ['KIND', 'VERSION', 'STATE'],
      cluster.kinds.map(({ name, served, state }) => [name, served.join(', ') || '-', state]),
    ),
    ...(remedy === undefined ? [] : ['', remedy]),
  ];
}
