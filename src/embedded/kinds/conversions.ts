import {
  at,
  listAt,
  numberAt,
  objectAt,
  textAt,
  type Json,
  type JsonObject,
  type MutableJsonObject,
} from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { annotationsOf, metaOf, type KubeObject } from '#kube/object.ts';
import type { Conversion } from './builtin-kind.ts';

/** Members of events.k8s.io/v1 and their names in core/v1. */
const eventNames: readonly (readonly [newer: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

export const eventConversion: Conversion = {
  toStored: (event) => renamed(event, 'v1', new Map(eventNames)),
  fromStored: (event) =>
    renamed(event, 'events.k8s.io/v1', new Map(eventNames.map(([newer, core]) => [core, newer]))),
};

export const autoscalerConversion: Conversion = { toStored: scalerToV2, fromStored: scalerToV1 };

function renamed(object: KubeObject, apiVersion: string, names: ReadonlyMap<string, string>): KubeObject {
  const result: MutableJsonObject = {};
  for (const [name, value] of Object.entries(object)) result[names.get(name) ?? name] = value;
  return { ...result, apiVersion };
}

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';

const cpuMetric = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const isCpuUtilization = (metric: Json): boolean =>
  textAt(metric, 'resource', 'name') === 'cpu' &&
  numberAt(metric, 'resource', 'target', 'averageUtilization') !== undefined;

/** autoscaling/v1 has one metric; the others are kept in annotations, as in kube-apiserver. */
function scalerToV2(scaler: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: percent, ...spec } = objectAt(scaler, 'spec') ?? {};
  const annotations = annotationsOf(scaler);
  const others = parsed(annotations[metricsAnnotation]);
  const metrics = [
    ...(Array.isArray(others) ? (others as Json[]) : []),
    ...(typeof percent === 'number' ? [cpuMetric(percent)] : []),
  ];
  const behavior = parsed(annotations[behaviorAnnotation]);
  const { currentCPUUtilizationPercentage: current, ...status } = objectAt(scaler, 'status') ?? {};
  const currentMetrics =
    typeof current === 'number'
      ? {
          currentMetrics: [
            { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } },
          ],
        }
      : {};
  return {
    ...scaler,
    apiVersion: 'autoscaling/v2',
    metadata: withoutAnnotations(scaler),
    spec: {
      ...spec,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: { ...status, ...currentMetrics },
  };
}

function scalerToV1(scaler: KubeObject): KubeObject {
  const { metrics: _metrics, behavior, ...spec } = objectAt(scaler, 'spec') ?? {};
  const metrics = listAt(scaler, 'spec', 'metrics');
  const cpu = metrics.find(isCpuUtilization);
  const percent = numberAt(cpu, 'resource', 'target', 'averageUtilization');
  const others = metrics.filter((metric) => metric !== cpu);
  const annotations = {
    ...annotationsOf(scaler),
    ...(others.length === 0 ? {} : { [metricsAnnotation]: printJson(others) }),
    ...(behavior === undefined ? {} : { [behaviorAnnotation]: printJson(behavior) }),
  };
  const { currentMetrics: _current, conditions: _conditions, ...status } = objectAt(scaler, 'status') ?? {};
  const current = numberAt(
    listAt(scaler, 'status', 'currentMetrics')[0],
    'resource',
    'current',
    'averageUtilization',
  );
  return {
    ...scaler,
    apiVersion: 'autoscaling/v1',
    metadata: Object.keys(annotations).length === 0 ? metaOf(scaler) : { ...metaOf(scaler), annotations },
    spec: { ...spec, ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }) },
    status: { ...status, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  };
}

function withoutAnnotations(object: KubeObject): JsonObject {
  const { annotations: _all, ...meta } = metaOf(object);
  const {
    [metricsAnnotation]: _metrics,
    [behaviorAnnotation]: _behavior,
    ...annotations
  } = annotationsOf(object);
  if (at(object, 'metadata', 'annotations') === undefined || Object.keys(annotations).length === 0)
    return meta;
  return { ...meta, annotations };
}

function parsed(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
