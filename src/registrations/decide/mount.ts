import { textAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { VolumeRule } from '#registrations/model/registration.ts';
import { plainPath, valueAt } from '#registrations/model/spec-path.ts';
import { failed, type RenderFailure } from './render-failure.ts';

export type Mount = {
  readonly type: 'mount';
  readonly name: string;
  readonly volume: JsonObject;
  readonly volumeMount: JsonObject;
};

/** A volume whose names and keys are at paths of the instance. */
export function mountOf(rule: VolumeRule, instance: KubeObject): Mount | RenderFailure {
  const paths = [rule.object, ...(rule.items ?? []).map(({ key }) => key)];
  const bad = paths.find((path) => typeof valueAt(instance, path) !== 'string');
  if (bad === undefined)
    return mountWith(rule, (path) => textAt(instance, ...plainPath(path).split('.')) ?? '');
  const why = valueAt(instance, bad) === undefined ? 'is missing' : 'is not a string';
  return failed('RENDERFAILED', `volume ${rule.name}: ${bad} ${why}`);
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
  return { type: 'mount', name, volume: { name, [type]: source }, volumeMount: { name, mountPath } };
}
