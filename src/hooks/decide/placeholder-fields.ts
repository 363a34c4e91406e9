import type { Metric } from '#hooks/kinds/metric.ts';
import { isArray, isObject, type Json } from '#base/json.ts';

/** A text in which arguments are filled in, and where it stands. */
export type FilledField = { readonly path: string; readonly text: string };

/** Every text of a metric in which arguments are filled in. */
export function filledFields({ provider }: Metric): readonly FilledField[] {
  return [...outside(provider), ...inCluster(provider)];
}

const outside = ({ web, prometheus }: Metric['provider']): readonly FilledField[] => [
  ...of('web.url', web?.url),
  ...headersOf('web', web?.headers),
  ...of('web.body', web?.body),
  ...inside('web.jsonBody', web?.jsonBody, 0),
  ...of('prometheus.address', prometheus?.address),
  ...of('prometheus.query', prometheus?.query),
  ...headersOf('prometheus', prometheus?.headers),
];

const inCluster = ({ kubernetes, job, machine }: Metric['provider']): readonly FilledField[] => [
  ...inside('kubernetes.target', kubernetes?.target, 0),
  ...(kubernetes?.fields ?? []).flatMap(({ value }, i) => of(`kubernetes.fields[${i}].value`, value)),
  ...inside('job.spec', job?.spec, 0),
  ...of('machine.cluster', machine?.cluster),
  ...of('machine.script', machine?.script),
  ...inside('machine.args', machine?.args, 0),
];

const of = (path: string, text: string | undefined): readonly FilledField[] =>
  text === undefined || !text.includes('{{') ? [] : [{ path: `provider.${path}`, text }];

function headersOf(
  provider: string,
  headers: readonly { readonly value?: string }[] = [],
): readonly FilledField[] {
  return headers.flatMap(({ value }, i) => of(`${provider}.headers[${i}].value`, value));
}

const deepest = 256;

function inside(path: string, json: Json | undefined, depth: number): readonly FilledField[] {
  if (typeof json === 'string') return of(path, json);
  if (depth >= deepest) return [];
  if (isArray(json)) return json.flatMap((item, i) => inside(`${path}[${i}]`, item, depth + 1));
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, item]) => inside(`${path}.${key}`, item, depth + 1));
}
