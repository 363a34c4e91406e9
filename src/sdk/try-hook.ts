import { printJson } from '#base/json-text.ts';
import type { ReconcileRequest } from '#registrations/kinds/hook-protocol.ts';
import { nonceSignature, phaseHeader, requestIdHeader } from '#registrations/kinds/hook-headers.ts';
import { phases, type HookPhase } from '#registrations/kinds/hook.ts';
import { readErrorReply, readReply } from '#registrations/kinds/read-reply.ts';
import { emptyReply, type HookReply, type ReplyError } from '#registrations/kinds/reply.ts';
import { systemClock } from '#edge/clock.ts';
import { hmacSha256Hex } from '#edge/hmac.ts';
import { systemRandom } from '#edge/random.ts';
import { apiVersionOf, kindOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { HookClock, PayloadForm } from './hook-definition.ts';
import type { ReconcileHook } from './reconcile-hook.ts';

export type Trial = {
  readonly phase: HookPhase;
  readonly instance: KubeObject;
  /** The rendered children, for post-reconcile. */
  readonly rendered?: readonly KubeObject[];
  /** The live children, for post-reconcile and finalize. */
  readonly observed?: readonly KubeObject[];
  /** The rendered children by name, for hooks with `payload: full`. */
  readonly children?: Readonly<Partial<Record<'deployment' | 'ksvc' | 'service', KubeObject>>>;
  /** Defaults to `deployment`. */
  readonly formFactor?: 'deployment' | 'ksvc';
  readonly secret?: string;
  /** The clock for the signature. Defaults to the system clock. */
  readonly clock?: HookClock;
};

export type TrialResult = {
  readonly status: number;
  /** As decoded by Boathook. */
  readonly reply: HookReply;
  readonly error: ReplyError | undefined;
  /** Why Boathook would refuse the reply. */
  readonly problem: string | undefined;
  readonly body: string;
};

/** Calls a hook like Boathook, without a network or a cluster. */
export async function tryHook(hook: ReconcileHook, trial: Trial): Promise<TrialResult> {
  const body = printJson(requestOf(trial, hook.payload));
  const response = await hook.serve({
    method: 'POST',
    path: '/',
    query: '',
    headers: headersOf(trial, body),
    peer: { certificate: undefined },
    body: async () => new TextEncoder().encode(body),
    signal: new AbortController().signal,
  });
  const text = response.body.type === 'text' ? response.body.text : '';
  return { status: response.status, body: text, ...understood(response.status, text, trial.phase) };
}

function requestOf(trial: Trial, payload: PayloadForm): ReconcileRequest {
  const { phase, instance, formFactor = 'deployment', rendered, observed, children } = trial;
  const reference = {
    apiVersion: apiVersionOf(instance),
    kind: kindOf(instance),
    namespace: namespaceOf(instance),
    name: nameOf(instance),
  };
  return {
    object: payload === 'full' ? { ...instance, ...reference } : reference,
    phase,
    capabilities: [...phases],
    version: 'v1',
    formFactor: { name: formFactor },
    uid: uidOf(instance),
    attempt: 1,
    ...(rendered === undefined ? {} : { rendered: [...rendered] }),
    ...(observed === undefined ? {} : { observed: [...observed] }),
    ...(children === undefined ? {} : { children: { ...children } }),
  };
}

function headersOf(
  { phase, secret, clock = systemClock }: Trial,
  body: string,
): Readonly<Record<string, string>> {
  const common = { 'content-type': 'application/json', [phaseHeader]: phase, [requestIdHeader]: 'trial' };
  if (secret === undefined) return common;
  const signing = { hmac: hmacSha256Hex, key: secret, now: clock.now(), nonce: systemRandom.uuid() };
  return { ...common, ...nonceSignature(signing, body) };
}

function understood(status: number, text: string, phase: HookPhase): Omit<TrialResult, 'status' | 'body'> {
  if (status < 200 || status > 299) {
    const error = readErrorReply(text) ?? { message: text, permanent: false, halt: true };
    return { reply: emptyReply, error, problem: undefined };
  }
  const read = readReply(text, { phase });
  return read.type === 'reply'
    ? { reply: read.reply, error: read.reply.error, problem: undefined }
    : { reply: emptyReply, error: undefined, problem: read.message };
}
