import type { JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { VolumeRule } from '#registrations/model/registration.ts';
import { valueAt } from '#registrations/model/spec-path.ts';
import { Unrenderable } from './unrenderable.ts';

export type Mount = { readonly volume: JsonObject; readonly volumeMount: JsonObject };

/** A volume whose names and keys the instance gives. */
export function mountOf(rule: VolumeRule, instance: KubeObject): Mount {
  return mountWith(rule, (path) => {
    const value = valueAt(instance, path);
    if (typeof value === 'string') return value;
    throw new Unrenderable(
      'RENDERFAILED',
      `volume ${rule.name}: ${path} ${value === undefined ? 'is missing' : 'is not a text'}`,
    );
  });
}

/** A volume that is the same for all instances. */
export const addedMount = (rule: VolumeRule): Mount => mountWith(rule, (name) => name);

function mountWith(rule: VolumeRule, text: (given: string) => string): Mount {
  const { name, mountPath, type, items, defaultMode, optional } = rule;
  const source = {
    [type === 'configMap' ? 'name' : 'secretName']: text(rule.object),
    ...(items === undefined
      ? {}
      : {
          items: items.map(({ key, path, mode }) => ({
            key: text(key),
            path,
            ...(mode === undefined ? {} : { mode }),
          })),
        }),
    ...(defaultMode === undefined ? {} : { defaultMode }),
    ...(optional === undefined ? {} : { optional }),
  };
  return { volume: { name, [type]: source }, volumeMount: { name, mountPath } };
}
