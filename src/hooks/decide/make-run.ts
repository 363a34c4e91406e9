import { hookRun } from '#hooks/kinds/hook-run.ts';
import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { apiVersionOfKind } from '#schema/kind/kind.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { jsonOf } from '#hooks/read.ts';
import { mergeArgs } from './args.ts';

export type RunOrder = {
  readonly template: Pick<HookTemplate, 'spec'>;
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** An owner reference. */
  readonly owner?: JsonObject;
  /** What the workload or a person says. */
  readonly given: readonly HookArg[];
  /** What the controller knows; counts more. */
  readonly injected: readonly HookArg[];
};

export type MadeRun =
  | { readonly type: 'run'; readonly object: JsonObject }
  | { readonly type: 'refused'; readonly message: string };

/** The run that a template asks for. It is a copy: later changes of the template do not reach it. */
export function runFromTemplate(order: RunOrder): MadeRun {
  const { template, name, namespace, labels, owner } = order;
  const { args: declared = [], metrics, ...common } = template.spec;
  const merged = mergeArgs(declared, order.given, { injected: order.injected });
  if (merged.type === 'missing') return { type: 'refused', message: merged.message };
  const spec = {
    ...(merged.args.length === 0 ? {} : { args: merged.args }),
    metrics: metrics.map((metric) => withoutZeros(metric)),
    ...common,
  };
  const object = {
    apiVersion: apiVersionOfKind(hookRun),
    kind: hookRun.kind,
    metadata: {
      name,
      namespace,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    spec,
  };
  return { type: 'run', object: jsonOf(object) };
}

/** Zero means the same as nothing here, and the seed's run leaves it out. */
const zeroIsNothing: ReadonlySet<string> = new Set([
  'count',
  'failureLimit',
  'inconclusiveLimit',
  'successfulLimit',
]);

function withoutZeros(metric: object): JsonObject {
  const entries: readonly (readonly [string, Json])[] = Object.entries(metric);
  return Object.fromEntries(entries.filter(([key, value]) => value !== 0 || !zeroIsNothing.has(key)));
}
