import type { HookTemplate } from '#hooks/kinds/hook-template.ts';
import { textAt, type Json } from '#base/json.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import type { SecretUse } from '#hooks/providers/wire/provider-wire.ts';
import { readProvider } from '#hooks/read.ts';
import { fromBase64 } from '#base/base64.ts';

/** Shorter secrets occur in any text, so they are masked only next to the name of their header. */
export const shortestMasked = 4;

/** Warnings about Secrets whose values are too short to be masked in every reply. */
export function shortSecrets(
  template: Pick<HookTemplate, 'spec'>,
  objects: readonly Json[],
): readonly Finding[] {
  return template.spec.metrics.flatMap((metric, i) => {
    const read = readProvider(metric);
    if (read.type === 'refused') return [];
    const { type, spec } = read.provider;
    return (read.wire.secrets?.(spec) ?? []).flatMap(({ path, key }) =>
      shortSecret(`spec.metrics[${i}].provider.${type}.${path}`, key, objects),
    );
  });
}

/** A warning if one of these objects is the Secret and its value is short. */
export function shortSecret(
  path: string,
  { name, key }: SecretUse['key'],
  objects: readonly Json[],
): readonly Finding[] {
  const secret = objects.find(
    (each) => textAt(each, 'kind') === 'Secret' && textAt(each, 'metadata', 'name') === name,
  );
  const value = textAt(secret, 'stringData', key) ?? decoded(textAt(secret, 'data', key));
  if (value === undefined || value.trim().length >= shortestMasked) return [];
  const message = `key ${key} of Secret ${name} has fewer than ${shortestMasked} characters, so it is not masked in all replies of the service`;
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
