import { isObject, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { ExitError } from '#command/exit.ts';
import { kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { printImageChanges, setImages } from '#releases/decide/template-change/images.ts';
import { hookTemplateNames } from '#releases/decide/hook-template-names.ts';
import { parseWorkloadName } from '#releases/cli/workload-name.ts';
import { lintedKinds, lintWorkload } from '#releases/decide/lint/lint-workload.ts';
import type { RehearsePlan } from './rehearse-plan.ts';
import { withoutServerFields } from './server-fields.ts';

/** The change to rehearse. */
export type WantedChange = {
  /** By container; `*` is every container. */
  readonly images: ReadonlyMap<string, string>;
  readonly replicas?: number;
};

export type PlanOptions = Omit<
  RehearsePlan,
  'objects' | 'workload' | 'spec' | 'images' | 'change' | 'warnings'
> & {
  readonly change: WantedChange;
  /** The workloads to rehearse: `gd/shop`; undefined: all. */
  readonly isWanted: (workload: KubeObject) => boolean;
};

/** One plan for each workload that is to be rehearsed. Ends the command on bad input. */
export function planRehearsals(documents: readonly Json[], options: PlanOptions): readonly RehearsePlan[] {
  const { isWanted, change, ...rest } = options;
  const objects = documents.filter(isObject).map(bareObject);
  const workloads = objects.filter((object) => lintedKinds.includes(kindOf(object)));
  if (workloads.length === 0)
    throw new ExitError(2, `there is no ${lintedKinds.join(' or ')}: add one with -f`);
  const wanted = workloads.filter(isWanted);
  if (wanted.length === 0)
    throw new ExitError(
      2,
      `no workload has the name of --workload: there is ${workloads.map(nameOf).join(', ')}`,
    );
  checkTemplates(wanted, objects);
  checkHooks(wanted, options.hooks.keys());
  return wanted.map((workload) => ({
    ...rest,
    objects: objects.filter((object) => !lintedKinds.includes(kindOf(object))),
    workload,
    ...changed(workload, change),
    warnings: warningsOf(workload, documents),
  }));
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

function changed(
  workload: KubeObject,
  { images, replicas }: WantedChange,
): Pick<RehearsePlan, 'spec' | 'images' | 'change'> {
  const title = `${kindOf(workload)} ${nameOf(workload)}`;
  const spec = objectAt(workload, 'spec') ?? {};
  const template = objectAt(spec, 'template') ?? {};
  const set = setImages(template, images);
  if (set.type === 'unknown') {
    const hint = set.near === undefined ? `choose from ${set.known.join(', ')}` : `did you mean ${set.near}?`;
    throw new ExitError(2, `--change: ${title} has no container ${set.container}: ${hint}`);
  }
  const words = [
    ...(set.type === 'changed' ? [printImageChanges(set.changes)] : []),
    ...(replicas === undefined ? [] : [`${replicas} replicas`]),
  ];
  if (words.length === 0)
    throw new ExitError(2, `--change changes nothing: the containers of ${title} have these images already`);
  return {
    spec: {
      ...spec,
      ...(set.type === 'changed' && { template: set.template }),
      ...(replicas !== undefined && { replicas }),
    },
    images: set.type === 'changed' ? [...new Set(set.changes.map(({ to }) => to))] : [],
    change: words.join(', '),
  };
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
