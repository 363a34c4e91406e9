import type { EngineIo } from '#machines/engine/io.ts';
import { secretIn, type PlanObjects } from '#machines/decide/objects/object-spec.ts';
import type { Secret } from '#edge/secret.ts';
import { fromBase64 } from '#base/base64.ts';

type Given = {
  readonly objects: () => PlanObjects;
  readonly artifacts: EngineIo['artifacts'];
  readonly operation: string;
  readonly hmac: (key: string, text: string) => string;
  readonly makeKey: () => string;
  readonly wrap: (text: string) => Secret;
};

/** Secrets from the objects, or derived from the key of the cluster. */
export function secretReader({
  objects,
  artifacts,
  operation,
  hmac,
  makeKey,
  wrap,
}: Given): EngineIo['secret'] {
  let key: Promise<string> | undefined;
  const readKey = async (): Promise<string> => {
    const known = await artifacts.read('key');
    if (known !== undefined) return new TextDecoder().decode(known);
    const made = makeKey();
    await artifacts.write('key', new TextEncoder().encode(made));
    return made;
  };
  return async (ref) => {
    switch (ref.type) {
      case 'document': {
        const value = secretIn(objects(), ref);
        const text = typeof value === 'string' ? value : '';
        return wrap(ref.encoding === 'base64' ? fromBase64(text.replaceAll(/\s/g, '')) : text);
      }
      case 'file':
        throw new Error('an object has no secrets in files of the controller');
      case 'derived': {
        const digest = hmac(await (key ??= readKey()), `${operation}\n${ref.name}`);
        return wrap(
          ref.shape === 'bootstrap-token' ? `${digest.slice(0, 6)}.${digest.slice(6, 22)}` : digest,
        );
      }
    }
  };
}
