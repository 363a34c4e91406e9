import type { SecretField } from './redact.ts';

/** `message` names the Secret and the key, and why it could not be read. */
export type SecretRead =
  { readonly type: 'found'; readonly value: string } | { readonly type: 'missing'; readonly message: string };

/** Reads one decoded value of a Secret. Rejects only when the signal aborts. */
export type ReadSecret = (
  at: { readonly namespace: string; readonly name: string; readonly key: string },
  signal: AbortSignal,
) => Promise<SecretRead>;

/** Reads the secrets of one call, and collects them so that they can be masked. */
export type Secrets = {
  read(name: string, key: string): Promise<SecretRead>;
  /** Another secret. */
  add(value: string): void;
  /** A header with a secret value. */
  addField(field: SecretField): void;
  readonly used: readonly string[];
  readonly fields: readonly SecretField[];
};

export function secretsOf(readSecret: ReadSecret, namespace: string, signal: AbortSignal): Secrets {
  const used: string[] = [];
  const fields: SecretField[] = [];
  return {
    used,
    fields,
    addField: (field) => void fields.push(field),
    add: (value) => void used.push(value),
    async read(name, key) {
      const read = await readSecret({ namespace, name, key }, signal);
      if (read.type === 'found') used.push(read.value);
      return read;
    },
  };
}
