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
  readonly annotations?: Readonly<Record<string, string>>;
  /** An owner reference. */
  readonly owner?: JsonObject;
  /** Values from the workload or the command line. */
  readonly given: readonly HookArg[];
  /** Values from the controller, which count more. */
  readonly injected: readonly HookArg[];
};

export type MadeRun =
  | { readonly type: 'run'; readonly object: JsonObject }
  | { readonly type: 'refused'; readonly message: string };

/** A HookRun with a copy of the template. Later changes of the template do not affect it. */
export function runFromTemplate(order: RunOrder): MadeRun {
  const { template, name, namespace, labels, annotations = {}, owner } = order;
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
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(owner === undefined ? {} : { ownerReferences: [owner] }),
    },
    spec,
  };
  return { type: 'run', object: jsonOf(object) };
}

/** Fields in which zero means the same as absent; runs leave them out. */
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
