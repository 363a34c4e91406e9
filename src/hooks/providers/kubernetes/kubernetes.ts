import type { KubernetesProvider } from '#hooks/providers/kubernetes/wire/kubernetes-wire.ts';
import type { Evidence } from '#hooks/kinds/hook-run.ts';
import { at, type Json, type JsonObject } from '#base/json.ts';
import type { ProviderAsk, ProviderDeps, MetricCall } from '#hooks/providers/provider.ts';
import { fillText } from '#hooks/decide/placeholders.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import type { Refusal } from '#edge/kube/outcome.ts';
import type { Resource } from '#kube/resource.ts';
import { reasonOf } from '#loop/report.ts';
import { actingFor, refusalText } from '#hooks/providers/acting.ts';
import { annotationKey, fieldPath, patchOf, typedValue } from './kubernetes-fields.ts';
import { textAtPath, type FieldText } from './kubernetes-value.ts';
import { targetOf, targetText, type TargetObject } from './kubernetes-target.ts';

/** Reads or writes fields of one object, as a ServiceAccount of the namespace of the run. */
export function kubernetesProvider(
  deps: Pick<ProviderDeps, 'impersonate' | 'clock'>,
): ProviderAsk<KubernetesProvider> {
  return async (question, signal) => {
    const provider = question.spec;
    const found = targetOf(provider, question.args, question.namespace);
    if (found.type === 'problem') return errorOf(found.message, {});
    const began = deps.clock.now();
    const request = `${provider.function} ${targetText(found.target)} as ${question.serviceAccount}`;
    try {
      const client = actingFor(deps.impersonate, question);
      const reading = await act({ client, question, provider, target: found.target }, signal);
      const latencyMs = Math.round(deps.clock.now() - began);
      return { ...reading, evidence: { request, latencyMs, ...reading.evidence } };
    } catch (error) {
      signal.throwIfAborted();
      return errorOf(reasonOf(error), { request });
    }
  };
}

type Act = {
  readonly client: KubeClient;
  readonly question: MetricCall;
  readonly provider: KubernetesProvider;
  readonly target: TargetObject;
};
type Field = KubernetesProvider['fields'][number];
/** An object and its resource. */
type Place = { readonly resource: Resource; readonly object: JsonObject };

async function act(doing: Act, signal: AbortSignal): Promise<ProviderReading> {
  const { client, provider, target } = doing;
  const found = await client.resourceOf(target, signal);
  if (found.type !== 'ok') return refusedReading(found, doing);
  const { resource } = found;
  const outcome = await client.get(resource, target, signal);
  if (outcome.type !== 'ok') return refusedReading(outcome, doing);
  let object = outcome.object;
  let value = '';
  for (const field of provider.fields) {
    const wanted = fillText(field.value ?? '', doing.question.args);
    if (wanted.type === 'problem') return errorOf(`${field.path}: ${wanted.message}`, {});
    if (provider.function === 'get') {
      const read = readField(object, field, wanted.value);
      if (read.type !== 'value') return read;
      ({ value } = read);
      continue;
    }
    const written = await writeField(doing, { resource, object }, { ...field, value: wanted.value }, signal);
    if ('reading' in written) return written.reading;
    object = written.object;
    ({ value } = wanted);
  }
  return { type: 'value', result: value, value, evidence: { body: value } };
}

/** A missing field, or one with another value than the expected one, is no data: `noData: Wait` waits for it. */
function readField(object: JsonObject, field: Field, wanted: string): ProviderReading {
  const { path } = field;
  const annotation = annotationKey(path);
  const read =
    annotation === undefined
      ? textAtPath(path, object)
      : textOf(at(object, 'metadata', 'annotations', annotation));
  if (read.type === 'problem') return errorOf(read.message, {});
  if (read.type === 'missing') return { type: 'no-data', why: `${path} is not there`, evidence: {} };
  const { value } = read;
  const evidence = { body: value };
  if (field.value !== undefined && value !== wanted)
    return {
      type: 'no-data',
      why: `${path} is ${JSON.stringify(value)}, not ${JSON.stringify(wanted)}`,
      evidence,
    };
  return { type: 'value', result: value, value, evidence };
}

const textOf = (value: Json | undefined): FieldText =>
  typeof value === 'string' ? { type: 'value', value } : { type: 'missing' };

async function writeField(
  doing: Act,
  { resource, object }: Place,
  field: Field,
  signal: AbortSignal,
): Promise<{ readonly object: JsonObject } | { readonly reading: ProviderReading }> {
  const { client, target } = doing;
  const path = fieldPath(field.path);
  if (path.type === 'problem') return { reading: errorOf(path.message, {}) };
  const patch = patchOf(path.steps, typedValue(object, path.steps, field.value ?? ''));
  const outcome = await client.patch(resource, target, { ...patch, fieldManager: 'boathook-hook' }, signal);
  return outcome.type === 'ok' ? { object: outcome.object } : { reading: refusedReading(outcome, doing) };
}

function refusedReading(refusal: Refusal, { target, question }: Act): ProviderReading {
  const { type, code, message } = refusal;
  const evidence = { status: code, body: message.slice(0, 512) };
  if (type === 'not-found') return { type: 'no-data', why: `${targetText(target)} does not exist`, evidence };
  return errorOf(`${targetText(target)}: ${refusalText(refusal, question)}`, evidence);
}

const errorOf = (message: string, evidence: Evidence): ProviderReading => ({
  type: 'error',
  message,
  evidence,
});
