import { textAt } from '#base/json.ts';
import { instant, later, minutes } from '#base/time.ts';
import type { Outgoing } from '#edge/outgoing/outgoing.ts';
import { hookRunController } from '#hooks/controller/hook-run-controller.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { AskMetric } from '#hooks/providers/provider.ts';
import type { KubeObject } from '#kube/object.ts';
import { kindOf, nameOf } from '#kube/object.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { pods } from '#loop/owned/resources.ts';
import { instanceResource, registrations } from '#registrations/controller/resources.ts';
import { inspectCrd } from '#registrations/decide/inspect-crd.ts';
import type { RegistrationReport } from '#rehearse/registrations/registration-report.ts';
import { always, askOf } from '#cli/rehearse/hook-answers.ts';
import { openOutside } from '#cli/rehearse/outside.ts';
import { createObjects } from '#cli/rehearse/prepare-cluster.ts';
import {
  openVirtualCluster,
  type RehearsedProduct,
  type VirtualCluster,
} from '#cli/rehearse/virtual-cluster.ts';
import { applyEdits } from './apply-edits.ts';
import { childResources, instanceStates, readyPods, type RegisteredKind } from './instance-states.ts';
import { callOf, emptyReply, rehearsedReplies } from './registration-answers.ts';
import type { RegistrationPlan } from './registration-plan.ts';
import { registrationReportOf, type NotedCall } from './report-registration.ts';
import { untilQuiet } from './until-quiet.ts';

/** The time at which every rehearsal starts. */
const start = instant(Date.UTC(2026, 0, 5, 12));
const podsPerNode = 100;
/** How long the state before the edit may take to settle. */
const patience = minutes(30);

/** Rehearses an edit on virtual time: the real controllers on an API server in this process. */
export async function rehearseRegistration(
  product: RehearsedProduct,
  plan: RegistrationPlan,
  seed: number,
): Promise<RegistrationReport> {
  await using outside = openOutside(plan.isLive);
  const calls: NotedCall[] = [];
  let cluster: VirtualCluster | undefined;
  const live: Outgoing = (request, signal) =>
    cluster === undefined ? outside.send(request, signal) : cluster.time.hold(outside.send(request, signal));
  const progress = { isEdited: false };
  const replies = rehearsedReplies({
    answers: plan.hooks,
    others: plan.isLive ? live : emptyReply,
    isEdited: () => progress.isEdited,
  });
  const outgoing: Outgoing = async (request, signal) => {
    const answer = await replies(request, signal);
    calls.push({ ...callOf(request.body), at: cluster?.time.clock.now() ?? start, answer });
    return answer;
  };
  await using opened = await openVirtualCluster({
    start,
    seed,
    nodes: Math.max(1, Math.ceil((2 * plan.before.length) / podsPerNode)),
    profile: plan.profile,
    kinds: product.kinds,
    control: await product.control({
      outgoing,
      hookRuns: (deps) => hookRunController(deps, gateAsk(deps, plan)),
    }),
  });
  cluster = opened;
  // Not before its end: the cluster is closed with this function.
  return await walk(opened, plan, { seed, calls, progress });
}

type Walking = {
  readonly seed: number;
  readonly calls: NotedCall[];
  readonly progress: { isEdited: boolean };
};

async function walk(
  cluster: VirtualCluster,
  plan: RegistrationPlan,
  { seed, calls, progress }: Walking,
): Promise<RegistrationReport> {
  const { time } = cluster;
  const served = servedKinds(plan);
  const resources = [
    registrations,
    hookRuns,
    pods,
    ...childResources,
    ...served.map(({ kind }) => instanceResource(kind)),
  ];
  const notRun = await createAll(cluster, plan.before);
  await untilQuiet(cluster, resources, later(time.clock.now(), patience), () => undefined);
  const before = instanceStates(cluster, served);
  calls.length = 0;
  progress.isEdited = true;
  const edited = time.clock.now();
  notRun.push(...(await applyEdits(cluster, plan.edits)));
  const lowest = new Map<string, number>();
  const last = { after: before, registered: cluster.stored(registrations) };
  const end = await untilQuiet(cluster, resources, later(edited, plan.horizon), () => {
    last.after = instanceStates(cluster, served);
    last.registered = cluster.stored(registrations);
    for (const [title, state] of last.after) {
      const ready = readyPods(state);
      lowest.set(title, Math.min(lowest.get(title) ?? ready, ready));
    }
  });
  const [problem] = cluster.problems;
  if (problem !== undefined) throw problem;
  return registrationReportOf({ plan, seed, cluster, before, ...last, lowest, calls, edited, end, notRun });
}

/** Definitions first: the objects of their kinds need them. */
async function createAll(cluster: VirtualCluster, objects: readonly KubeObject[]): Promise<string[]> {
  const isDefinition = (object: KubeObject): boolean => kindOf(object) === 'CustomResourceDefinition';
  const notRun = [...(await createObjects(cluster, objects.filter(isDefinition)))];
  await cluster.time.settle();
  notRun.push(
    ...(await createObjects(
      cluster,
      objects.filter((each) => !isDefinition(each)),
    )),
  );
  return notRun;
}

function servedKinds({ before, edits, registrations: all }: RegistrationPlan): readonly RegisteredKind[] {
  const definitions = [...edits, ...before].filter((each) => kindOf(each) === 'CustomResourceDefinition');
  return all.flatMap(({ name, crd }) => {
    const definition = definitions.find((each) => nameOf(each) === crd);
    const inspected = definition === undefined ? undefined : inspectCrd(definition);
    return inspected?.type === 'usable' ? [{ registration: name, kind: inspected.kind }] : [];
  });
}

/** Gates pass unless `--hook` says otherwise. */
function gateAsk(deps: ControlDeps, { hooks, registrations: all }: RegistrationPlan): AskMetric {
  const asks = new Map(
    [...hooks].flatMap(([name, answer]) =>
      answer.type === 'phases' ? [] : [[name, askOf(deps, answer)] as const],
    ),
  );
  const others = always('Successful', 'assumed to pass');
  return async (call, signal) => {
    const found = await deps.client.get(hookRuns, { namespace: call.namespace, name: call.run.name }, signal);
    const owner =
      found.type === 'ok' ? textAt(found.object, 'metadata', 'labels', 'app.kubernetes.io/name') : undefined;
    const gate = all.find(({ name }) => name === owner)?.gate?.templateName ?? '';
    return (asks.get(gate) ?? others)(call, signal);
  };
}
