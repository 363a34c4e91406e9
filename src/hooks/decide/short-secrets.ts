import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { textAt, type Json } from '#base/json.ts';
import type { Finding } from './lint.ts';
import { fromBase64 } from '#base/base64.ts';

/** Shorter secrets are found in every text, so they are masked only beside the name of the field they were sent in. */
export const shortestMasked = 4;

type SecretKey = { readonly name: string; readonly key: string };

/** Warnings about Secrets whose values are too short to be masked in answers. */
export function shortSecrets(
  template: Pick<HookTemplate, 'spec'>,
  objects: readonly Json[],
): readonly Finding[] {
  return template.spec.metrics.flatMap(({ provider: { web, prometheus } }, i) => {
    const of = (which: string, list: readonly Header[] = []): readonly Place[] =>
      list.flatMap(({ valueFrom }, j) =>
        valueFrom === undefined ? [] : [{ path: `${which}.headers[${j}]`, key: valueFrom.secretKeyRef }],
      );
    const hmac = web?.hmac === undefined ? [] : [{ path: 'web.hmac', key: web.hmac.secretKeyRef }];
    return [...of('web', web?.headers), ...of('prometheus', prometheus?.headers), ...hmac].flatMap(
      ({ path, key }) => shortSecret(`spec.metrics[${i}].provider.${path}`, key, objects),
    );
  });
}

type Header = { readonly valueFrom?: { readonly secretKeyRef: SecretKey } };
type Place = { readonly path: string; readonly key: SecretKey };

/** A warning when one of these objects is the Secret, and its value is short. */
export function shortSecret(
  path: string,
  { name, key }: SecretKey,
  objects: readonly Json[],
): readonly Finding[] {
  const secret = objects.find(
    (each) => textAt(each, 'kind') === 'Secret' && textAt(each, 'metadata', 'name') === name,
  );
  const value = textAt(secret, 'stringData', key) ?? decoded(textAt(secret, 'data', key));
  if (value === undefined || value.trim().length >= shortestMasked) return [];
  const message = `key ${key} of Secret ${name} has fewer than ${shortestMasked} characters, so it is not masked in every text that the service answers`;
  return [
    { severity: 'warning', path, message, hint: `use a value of at least ${shortestMasked} characters` },
  ];
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : fromBase64(text);
  } catch {
    // Not base64: the server refuses such a Secret.
    return undefined;
  }
}
