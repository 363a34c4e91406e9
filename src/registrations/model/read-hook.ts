import type { CrdRegistration } from '#registrations/kinds/crd-registration.ts';
import { minutes, seconds } from '#base/time.ts';
import type { RegisteredHook } from './registration.ts';
import { parseSpan } from './span.ts';

type HookFields = NonNullable<CrdRegistration['spec']['hook']>;

export const defaultResync = minutes(600);
const defaultTimeout = seconds(15);
const defaultMaxReplyBytes = 1_048_576;

/** Decodes the hook. Invalid durations are reported by `readRegistration`. */
export function readHook(hook: HookFields): RegisteredHook {
  return {
    address: addressOf(hook),
    timeout: parseSpan(hook.timeout ?? '') ?? defaultTimeout,
    capabilities: hook.capabilities ?? [],
    payload: hook.payload ?? 'reference',
    finalizeTimeout: parseSpan(hook.finalizeTimeout ?? ''),
    maxReplyBytes: hook.maxReplyBytes ?? defaultMaxReplyBytes,
    strict: hook.strict ?? false,
    protectedFields: hook.protectedFields ?? [],
    tls: tlsOf(hook.tls),
    auth: authOf(hook.auth),
  };
}

function addressOf({ address: { uri, ref } }: HookFields): RegisteredHook['address'] {
  if (ref === undefined) return { uri, ref: undefined };
  const { apiVersion = 'v1', kind, name, namespace = '' } = ref;
  return { uri, ref: { apiVersion, kind, namespace, name } };
}

function tlsOf(tls: HookFields['tls']): RegisteredHook['tls'] {
  const { secret, configMap } = tls?.caBundleFrom ?? {};
  const from =
    secret === undefined
      ? configMap && ({ kind: 'ConfigMap', ...configMap } as const)
      : ({ kind: 'Secret', ...secret } as const);
  return {
    caBundle: tls?.caBundle,
    caBundleFrom: from,
    clientCertificate: tls?.clientCertificate?.secretName,
    serverName: tls?.serverName,
  };
}

const authOf = (auth: HookFields['auth']): RegisteredHook['auth'] => ({
  bearer: auth?.bearer,
  basic: auth?.basic?.secretName,
  hmac: auth?.hmac,
});
