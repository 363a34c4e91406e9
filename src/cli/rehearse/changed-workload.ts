import { isObject, listAt, objectAt, type JsonObject } from '#base/json.ts';
import { countText } from '#base/text.ts';
import { ExitError } from '#command/exit.ts';
import { kindOf, nameOf, type KubeObject } from '#kube/object.ts';
import { isPausedByUser } from '#releases/decide/act-plan/plan-pause.ts';
import { releaseVerdict } from '#releases/decide/view/release-verdict.ts';
import { printImageChanges, setImages } from '#releases/decide/template-change/images.ts';
import { simulatedSpec } from './simulated-spec.ts';

/** The change to rehearse. */
export type WantedChange = {
  /** By container; `*` is every container. */
  readonly images: ReadonlyMap<string, string>;
  readonly replicas?: number;
};

export type ChangedWorkload = {
  /** The workload with which the rehearsal starts. */
  readonly before: KubeObject;
  /** Its spec after the change. */
  readonly spec: JsonObject;
  /** The images that the change sets. */
  readonly images: readonly string[];
  /** The change in words. */
  readonly change: string;
  readonly assumptions: readonly string[];
};

/** `live`: the workload with its status, when it comes from a cluster. Undefined: nothing would change. */
export function changedWorkload(
  workload: KubeObject,
  { change, live }: { readonly change: WantedChange; readonly live: KubeObject },
): ChangedWorkload | undefined {
  const { spec: kept, left } = simulatedSpec(objectAt(workload, 'spec') ?? {});
  const placed = { ...workload, spec: kept };
  const before = withoutPaused(placed);
  const after = changed(isPausedByController(live) ? before : placed, change);
  if (after === undefined) return undefined;
  return {
    before,
    ...after,
    assumptions: [
      ...(left.length === 0 ? [] : [`pods were assumed to fit on nodes: ${left.join(', ')} had no effect`]),
      ...(isUnderWay(live)
        ? ['the release that is under way in the cluster was assumed to be complete']
        : []),
    ],
  };
}

/** The first version of a rehearsal is rolled out without a pause. */
export function withoutPaused(workload: KubeObject): KubeObject {
  const spec = objectAt(workload, 'spec') ?? {};
  const strategy = spec['updateStrategy'];
  if (!isObject(strategy) || strategy['paused'] === undefined) return workload;
  const { paused: _paused, ...rest } = strategy;
  return { ...workload, spec: { ...spec, updateStrategy: rest } };
}

/** A step has set `paused`, and no user: the first step of the next release begins without it. */
const isPausedByController = (live: KubeObject): boolean =>
  listAt(live, 'status', 'pauseConditions').length > 0 && !isPausedByUser(live);

const isUnderWay = (live: KubeObject): boolean =>
  objectAt(live, 'status', 'canary') !== undefined && releaseVerdict(live).type !== 'complete';

function changed(
  workload: KubeObject,
  { images, replicas }: WantedChange,
): Pick<ChangedWorkload, 'spec' | 'images' | 'change'> | undefined {
  const title = `${kindOf(workload)} ${nameOf(workload)}`;
  const spec = objectAt(workload, 'spec') ?? {};
  const set = imagesSet(title, objectAt(spec, 'template') ?? {}, images);
  const isScaled = replicas !== undefined && replicas !== (spec['replicas'] ?? 1);
  const { changes } = set;
  const words = [
    ...(changes.length > 0 ? [printImageChanges(changes)] : []),
    ...(isScaled ? [countText(replicas, 'replica')] : []),
  ];
  if (words.length === 0) return undefined;
  return {
    spec: {
      ...spec,
      template: set.template,
      ...(isScaled && { replicas }),
    },
    images: [...new Set(changes.map(({ to }) => to))],
    change: words.join(', '),
  };
}

function imagesSet(title: string, template: JsonObject, images: WantedChange['images']) {
  const set = setImages(template, images);
  switch (set.type) {
    case 'changed':
      return set;
    case 'unknown': {
      const { near, known, container } = set;
      const hint = near === undefined ? `choose from ${known.join(', ')}` : `did you mean ${near}?`;
      throw new ExitError(2, `--change: ${title} has no container ${container}: ${hint}`);
    }
    default:
      return { template, changes: [] };
  }
}
