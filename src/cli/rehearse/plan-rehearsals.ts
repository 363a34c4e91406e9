import { isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { apiVersionOf, kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { hookTemplateNames } from '#releases/decide/hook-template-names.ts';
import { parseWorkloadName, workloadKinds } from '#releases/cli/workload-name.ts';
import { lintedKinds, lintWorkload } from '#releases/decide/lint/lint-workload.ts';
import { budgetsOf } from './budgets-of.ts';
import { changedWorkload, withoutPaused, type WantedChange } from './changed-workload.ts';
import { missingObjects } from './missing-objects.ts';
import type { RehearsePlan } from './rehearse-plan.ts';
import { replicasOf } from './replicas-of.ts';
import { withoutServerFields } from './server-fields.ts';

export type PlanOptions = Omit<
  RehearsePlan,
  'objects' | 'workload' | 'spec' | 'images' | 'change' | 'budgets' | 'warnings' | 'assumptions'
> & {
  readonly change: WantedChange;
  /** The namespace of a cluster from which objects come, beside those of files. */
  readonly fromCluster: string | undefined;
  /** The workloads to rehearse: `gd/shop`; undefined: all. */
  readonly isWanted: (workload: KubeObject) => boolean;
};

/** What is rehearsed. */
export type RehearsePlans = {
  readonly plans: readonly RehearsePlan[];
  /** Workloads that are not rehearsed because the change is none for them: `GameDeployment shop`. */
  readonly unchanged: readonly string[];
};

/** One plan for each workload that is to be rehearsed. Ends the command on bad input. */
export function planRehearsals(documents: readonly Json[], options: PlanOptions): RehearsePlans {
  const given = lastOfEach(documents.filter(isObject));
  const objects = given.map(bareObject);
  const wanted = wantedWorkloads(objects, options);
  for (const workload of wanted) checkWorkload(workload);
  checkTemplates(wanted, objects);
  checkHooks(wanted, options.hooks.keys());
  checkPods(options);
  const planned = wanted.map((workload) => ({
    workload,
    plan: planOf(workload, {
      options,
      objects,
      documents,
      live: given[objects.indexOf(workload)] ?? {},
    }),
  }));
  const unchanged = planned
    .filter(({ plan }) => plan === undefined)
    .map(({ workload }) => `${kindOf(workload)} ${nameOf(workload)}`);
  if (unchanged.length === wanted.length)
    throw new ExitError(
      2,
      `--change changes nothing: ${unchanged.join(', ')} ${unchanged.length === 1 ? 'is' : 'are'} like that already`,
    );
  return { plans: planned.flatMap(({ plan }) => plan ?? []), unchanged };
}

function wantedWorkloads(
  objects: readonly KubeObject[],
  { isWanted, fromCluster }: PlanOptions,
): readonly KubeObject[] {
  const workloads = objects.filter(isWorkload);
  const where = fromCluster === undefined ? '' : ` in namespace ${fromCluster} of the cluster`;
  if (workloads.length === 0)
    throw new ExitError(2, `there is no ${lintedKinds.join(' or ')}${where}: add one with -f`);
  const wanted = workloads.filter(isWanted);
  if (wanted.length > 0) return wanted;
  throw new ExitError(
    2,
    `no workload has the name of --workload: there is ${workloads.map(nameOf).join(', ')}`,
  );
}

const isWorkload = (object: KubeObject): boolean => lintedKinds.includes(kindOf(object));

type Given = {
  readonly options: PlanOptions;
  readonly objects: readonly KubeObject[];
  readonly documents: readonly Json[];
  readonly live: KubeObject;
};

/** Undefined: nothing changes. */
function planOf(
  workload: KubeObject,
  { options, objects, documents, live }: Given,
): RehearsePlan | undefined {
  const { isWanted: _isWanted, change, fromCluster, ...rest } = options;
  const isFromCluster = fromCluster !== undefined;
  const changed = changedWorkload(workload, { change, live });
  if (changed === undefined) return undefined;
  const { before, spec, assumptions, ...what } = changed;
  const missing = missingObjects(workload, { objects, isFromCluster });
  const linted = isFromCluster ? withoutPaused(workload) : workload;
  const neighbours = objects.filter((object) => object !== workload);
  const protectedBy = budgetsOf({ ...before, spec }, { neighbours, before: replicasOf(before) });
  const others = objects.filter((object) => !isWorkload(object));
  return {
    ...rest,
    ...what,
    budgets: protectedBy.budgets,
    objects: [...others.map(protectedBy.placed), ...missing.standIns],
    workload: before,
    spec,
    warnings: [...missing.warnings, ...warningsOf(linted, documents)],
    assumptions: [...assumptions, ...protectedBy.assumptions, ...missing.assumptions],
  };
}

function checkPods({ change, pods }: PlanOptions): void {
  if (change.images.size === 0 && Object.keys(pods).length > 0)
    throw new ExitError(
      2,
      '--pods is for containers with new images, and no image is changed: give --change image=app:v2 too',
    );
}

/** As by `kubectl apply`, the last one of several with the same name counts. */
function lastOfEach(documents: readonly JsonObject[]): readonly JsonObject[] {
  const keyOf = (document: JsonObject): string => {
    const object = bareObject(document);
    return `${kindOf(object)} ${namespaceOf(object)}/${nameOf(object)}`;
  };
  return [...new Map(documents.map((document) => [keyOf(document), document])).values()];
}

function checkWorkload(workload: KubeObject): void {
  const kind = kindOf(workload);
  if (nameOf(workload) === '') throw new ExitError(2, `a ${kind} has no name: give metadata.name`);
  const title = `${kind} ${nameOf(workload)}`;
  const served = workloadKinds.find((each) => each.kind === kind)?.resource;
  const version = served === undefined ? '' : `${served.group}/${served.version}`;
  if (apiVersionOf(workload) !== version)
    throw new ExitError(
      2,
      `${title} has apiVersion ${apiVersionOf(workload) || 'none'}: write apiVersion: ${version}`,
    );
  if (listAt(workload, 'spec', 'template', 'spec', 'containers').length === 0)
    throw new ExitError(2, `${title} has no containers: give spec.template.spec.containers`);
}

/** Objects without a namespace are in `default`. What the server of a live cluster has added is left out. */
export function bareObject(object: JsonObject): KubeObject {
  const { status: _status, metadata, ...rest } = object;
  const kept = withoutServerFields(isObject(metadata) ? metadata : {});
  return { ...rest, metadata: { namespace: 'default', ...kept } };
}

function checkTemplates(workloads: readonly KubeObject[], objects: readonly KubeObject[]): void {
  const known = new Set(
    objects
      .filter((each) => kindOf(each) === 'HookTemplate')
      .map((each) => `${namespaceOf(each)}/${nameOf(each)}`),
  );
  for (const workload of workloads) {
    const missing = [...hookTemplateNames(workload)].filter(
      (name) => !known.has(`${namespaceOf(workload)}/${name}`),
    );
    if (missing.length > 0)
      throw new ExitError(
        2,
        `${kindOf(workload)} ${nameOf(workload)} uses HookTemplate ${missing.join(', ')}, which is not in namespace ${namespaceOf(workload)} of the manifests: add its file with -f`,
      );
  }
}

function checkHooks(workloads: readonly KubeObject[], given: Iterable<string>): void {
  const used = new Set(workloads.flatMap((workload) => [...hookTemplateNames(workload)]));
  for (const name of given)
    if (!used.has(name)) {
      const names = used.size === 0 ? 'it uses none' : `choose from ${[...used].join(', ')}`;
      throw new ExitError(2, `--hook ${name}: no workload uses a HookTemplate of this name: ${names}`);
    }
}

const warningsOf = (workload: KubeObject, documents: readonly Json[]): readonly string[] =>
  lintWorkload(workload, documents).findings.map(({ path, message, remedy }) =>
    remedy === undefined ? `${path}: ${message}` : `${path}: ${message} (${remedy})`,
  );

/** Whether a workload has the name of `--workload`: `gd/shop`, `gsts/db` or `shop`. */
export function isNamed(text: string | undefined): (workload: KubeObject) => boolean {
  if (text === undefined) return () => true;
  const { kind, name } = parseWorkloadName(text);
  return (workload) => nameOf(workload) === name && (kind === undefined || kind.kind === kindOf(workload));
}
