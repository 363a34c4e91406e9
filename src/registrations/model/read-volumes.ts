import type { CrdRegistration } from '#registrations/kinds/crd-registration.ts';
import type { FromSpec } from '#registrations/kinds/parameters.ts';
import type { VolumeRule } from './registration.ts';
import { plainPath } from './spec-path.ts';

type Parameters = CrdRegistration['spec']['workload']['parameterConfiguration'];
type VolumeFields = NonNullable<FromSpec['toVolume']>[number];
type SourceFields = {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
};

/** Files from an object that the instance names. */
export function volumeOf({ name, mountPath, mountFrom }: VolumeFields): VolumeRule {
  const { configMapPath, secretPath } = mountFrom;
  const { items, ...common } = commonOf(configMapPath ?? secretPath);
  return {
    name,
    mountPath,
    type: configMapPath === undefined ? 'secret' : 'configMap',
    object: plainPath(configMapPath?.name ?? secretPath?.secretName ?? ''),
    items: items?.map((each) => ({ ...each, key: plainPath(each.key) })),
    ...common,
  };
}

/** Files that every workload gets. */
export const readVolumes = (parameters: Parameters): readonly VolumeRule[] =>
  (parameters?.add?.toVolume ?? []).map(({ name, mountPath, mountFrom: { configMap, secret } }) => ({
    name,
    mountPath,
    type: configMap === undefined ? 'secret' : 'configMap',
    object: configMap?.name ?? secret?.secretName ?? '',
    ...commonOf(configMap ?? secret),
  }));

const commonOf = (
  source: SourceFields | undefined,
): Pick<VolumeRule, 'items' | 'defaultMode' | 'optional'> => ({
  items: source?.items?.map(({ key, path, mode }) => ({ key, path, mode })),
  defaultMode: source?.defaultMode,
  optional: source?.optional,
});
