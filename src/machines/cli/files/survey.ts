import { createHash } from 'node:crypto';
import { seconds } from '#base/time.ts';
import { inParallel } from '#machines/engine/in-parallel.ts';
import { targetOf } from '#machines/engine/target-of.ts';
import type { ProgressEvent } from '#machines/decide/events.ts';
import { readFindings, type MachineFindings } from '#machines/decide/identity.ts';
import { surveyProgram } from '#machines/decide/kubeadm/identity-script.ts';
import type { DeclaredCluster, ClusterNode } from '#machines/decide/model.ts';
import { systemClock } from '#edge/clock.ts';
import type { SshMachine } from '#edge/ssh/machine.ts';
import type { Machines } from '#edge/ssh/machines.ts';
import { openArtifacts } from './folders.ts';
import { openOperationMachines } from './operation-machines.ts';
import type { RunOptions } from './options.ts';
import { openSecrets } from './secrets.ts';

/** By node. Unreachable nodes are absent: the operation itself reports them. */
export type SurveyFindings = ReadonlyMap<string, MachineFindings>;

type Place = {
  readonly clusterFolder: string;
  readonly options: RunOptions;
  readonly tell: (event: ProgressEvent) => void;
};

/** How long a machine may take to answer. */
const patience = seconds(30);

/** Asks the machines which cluster they belong to. Nothing is changed on them. */
export async function surveyMachines(
  cluster: DeclaredCluster,
  nodes: readonly ClusterNode[],
  { clusterFolder, options, tell }: Place,
): Promise<SurveyFindings> {
  const found = new Map<string, MachineFindings>();
  const id = 'survey';
  const machines = openOperationMachines({ id, cluster: cluster.id, clusterFolder, options }, tell);
  const secret = openSecrets(clusterFolder, id);
  try {
    await inParallel(nodes, 20, async (node) => {
      const findings = await ask(machines, node, cluster.configDir, secret);
      if (findings !== undefined) found.set(node.name, findings);
    });
    return found;
  } finally {
    machines.close();
  }
}

async function ask(
  machines: Machines,
  node: ClusterNode,
  configDir: string,
  secret: ReturnType<typeof openSecrets>,
): Promise<MachineFindings | undefined> {
  const never = new AbortController().signal;
  const reached = await machines.reach(await targetOf(node, secret), node.name, never);
  if (reached.type !== 'reached') return undefined;
  const { machine } = reached;
  try {
    return await answerOf(machine, configDir, never);
  } finally {
    machine.close();
  }
}

async function answerOf(
  machine: SshMachine,
  configDir: string,
  signal: AbortSignal,
): Promise<MachineFindings | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = systemClock.after(patience, () => resolve(undefined));
  const looked = await Promise.race([machine.look(surveyProgram, [configDir], signal), late]);
  cancel();
  return looked?.type === 'fetched' ? readFindings(new TextDecoder().decode(looked.content)) : undefined;
}

/** The CA that an earlier operation has fetched. */
export async function knownAuthorities(clusterFolder: string): Promise<readonly string[]> {
  const content = await openArtifacts(clusterFolder).read('ca.crt');
  return content === undefined ? [] : [`sha256:${createHash('sha256').update(content).digest('hex')}`];
}
