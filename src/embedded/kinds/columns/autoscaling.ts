import { at, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { numberCell, quantityText, withMore } from './cells.ts';
import {
  ageColumn,
  integerColumn,
  nameColumn,
  nameDescription,
  withNameAndAge,
  textColumn,
  type Column,
} from './column.ts';

export const horizontalPodAutoscalerColumns: readonly Column[] = withNameAndAge(
  textColumn('Reference', 'What is scaled.', referenceText),
  textColumn('Targets', 'The measured and the wanted values.', targetsText),
  textColumn('MinPods', 'The least number of pods.', (it) =>
    String(numberAt(it, 'spec', 'minReplicas') ?? '<unset>'),
  ),
  textColumn('MaxPods', 'The greatest number of pods.', numberCell('spec', 'maxReplicas')),
  textColumn('Replicas', 'The present number of pods.', numberCell('status', 'currentReplicas')),
);

export const scaleColumns: readonly Column[] = [
  textColumn('Name', nameDescription, nameColumn.cell),
  integerColumn(
    'Desired',
    'replicas is the desired number of instances for the scaled object.',
    numberCell('spec', 'replicas'),
  ),
  integerColumn(
    'Available',
    'replicas is the actual number of observed instances of the scaled object.',
    numberCell('status', 'replicas'),
  ),
  ageColumn,
];

function referenceText(autoscaler: KubeObject): string {
  const target = at(autoscaler, 'spec', 'scaleTargetRef');
  return `${textAt(target, 'kind') ?? ''}/${textAt(target, 'name') ?? ''}`;
}

function targetsText(autoscaler: KubeObject): string {
  const specs = listAt(autoscaler, 'spec', 'metrics');
  const statuses = listAt(autoscaler, 'status', 'currentMetrics');
  const texts = specs.map((spec, i) => metricText(spec, statuses[i]));
  return texts.length > 0 ? withMore(texts, 2, ', ') : firstVersionText(autoscaler);
}

/** autoscaling/v1 has one metric: CPU utilization. */
function firstVersionText(autoscaler: KubeObject): string {
  const target = numberAt(autoscaler, 'spec', 'targetCPUUtilizationPercentage');
  if (target === undefined) return '<none>';
  return `cpu: ${percent(numberAt(autoscaler, 'status', 'currentCPUUtilizationPercentage'))}/${target}%`;
}

const percent = (value: number | undefined): string => (value === undefined ? '<unknown>' : `${value}%`);

/** Where each type of metric keeps its numbers. */
const sources: ReadonlyMap<
  string,
  { readonly member: string; readonly form: 'value' | 'average' | 'resource' }
> = new Map([
  ['External', { member: 'external', form: 'value' }],
  ['Object', { member: 'object', form: 'value' }],
  ['Pods', { member: 'pods', form: 'average' }],
  ['Resource', { member: 'resource', form: 'resource' }],
  ['ContainerResource', { member: 'containerResource', form: 'resource' }],
]);

function metricText(spec: Json, status: Json | undefined): string {
  const source = sources.get(textAt(spec, 'type') ?? '');
  if (source === undefined) return '<unknown type>';
  const target = objectAt(spec, source.member, 'target') ?? {};
  const current = objectAt(status, source.member, 'current');
  const name = source.form === 'resource' ? `${textAt(spec, source.member, 'name') ?? ''}: ` : '';
  if (source.form === 'average' || target['averageValue'] !== undefined) {
    const note = source.form === 'value' ? ' (avg)' : '';
    return `${name}${amount(current, 'averageValue')}/${quantityText(target['averageValue'])}${note}`;
  }
  if (source.form === 'value') return `${amount(current, 'value')}/${quantityText(target['value'])}`;
  const wanted = numberAt(target, 'averageUtilization');
  return `${name}${percent(numberAt(current, 'averageUtilization'))}/${wanted === undefined ? '<auto>' : `${wanted}%`}`;
}

function amount(current: JsonObject | undefined, member: string): string {
  const value = current?.[member];
  return value === undefined ? '<unknown>' : quantityText(value);
}
