import type { ProviderAsk, ProviderDeps } from '#hooks/providers/provider.ts';
import type { WebProvider } from './wire/web-wire.ts';
import { memoize } from '#base/memoize.ts';
import { compileJsonPathTemplate } from '#kube/jsonpath-template.ts';
import { witnessOf } from '#hooks/call/evidence.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { secretsOf } from '#hooks/call/secrets.ts';
import { webReading } from '#hooks/call/web-answer.ts';
import { webRequest } from './web-request.ts';

type Deps = Pick<ProviderDeps, 'outgoing' | 'readSecret' | 'hmac' | 'clock' | 'random'>;

/** Calls HTTP endpoints. */
export function webProvider({ outgoing, readSecret, ...signing }: Deps): ProviderAsk<WebProvider> {
  const pathOf = memoize(1000, compileJsonPathTemplate);
  return async (question, signal) => {
    const { namespace, args, spec: web } = question;
    const path = web.jsonPath === undefined ? undefined : pathOf(web.jsonPath);
    if (path?.type === 'problem')
      return { type: 'error', message: `jsonPath ${web.jsonPath}: ${path.message}`, evidence: {} };
    const secrets = secretsOf(readSecret, namespace, signal);
    const made = await webRequest({
      web,
      args,
      secrets,
      signing,
      idempotencyKey: idempotencyKey(question),
    });
    const witness = witnessOf(secrets);
    if (made.type === 'problem') return { type: 'error', message: witness.text(made.message), evidence: {} };
    const answer = await outgoing(made.value, signal);
    const request = `${made.value.method} ${made.value.url}`;
    return webReading({ web, path, request, witness }, answer);
  };
}
