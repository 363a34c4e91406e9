import type { TString } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { optional, optionalBoolean, optionalInteger, optionalList, stringEnum } from '#schema/kind/field.ts';

export const name = (description: string) => Type.String({ description, minLength: 1, maxLength: 253 });
export const envName = (description: string) =>
  Type.String({ description, pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$', maxLength: 256 });
export const specPath = (description: string) =>
  Type.String({ description, pattern: String.raw`^[$.]*spec\..+$`, maxLength: 512 });
export const PathPair = Type.Object(
  {
    name: specPath('Path of the name of the object in the instance.'),
    key: specPath('Path of the key in the instance.'),
  },
  { description: 'Paths in the instance.' },
);

export const BuiltInFunction = Type.Object(
  {
    name: stringEnum(['resolveAddress'], {
      description:
        'resolveAddress: URL of the object in {ref, uri} of the instance. The object must be in the namespace of the instance, or in one of spec.referenceNamespaces.',
    }),
    args: optionalList(Type.String(), 'Not used by any function.', { maxItems: 16 }),
  },
  { description: 'Function that makes the value from the element.' },
);

const mountFields = (key: TString) => ({
  items: optionalList(
    Type.Object({
      key,
      path: Type.String({
        description: 'Path of the file below the mount path.',
        minLength: 1,
        maxLength: 4096,
      }),
      mode: optional(Type.Integer({ description: 'Mode of the file.', minimum: 0, maximum: 511 })),
    }),
    'Keys to mount as files. Defaults to all keys.',
    { maxItems: 100 },
  ),
  defaultMode: optionalInteger('Mode of the files.', { minimum: 0, maximum: 511 }),
  optional: optionalBoolean('Whether the pod can start when the object or the key does not exist.'),
});
const ofInstance = mountFields(specPath('Path of the key in the instance.'));
const ofObject = mountFields(name('Key in the object.'));

/** Names and keys are paths in the instance. */
export const MountSources = {
  configMapPath: optional(
    Type.Object(
      { name: specPath('Path of the name of the ConfigMap in the instance.'), ...ofInstance },
      { description: 'A ConfigMap.' },
    ),
  ),
  secretPath: optional(
    Type.Object(
      { secretName: specPath('Path of the name of the Secret in the instance.'), ...ofInstance },
      { description: 'A Secret.' },
    ),
  ),
};

/** Names and keys are literal. */
export const AddedMounts = {
  configMap: optional(
    Type.Object({ name: name('Name of the object.'), ...ofObject }, { description: 'A ConfigMap.' }),
  ),
  secret: optional(
    Type.Object({ secretName: name('Name of the object.'), ...ofObject }, { description: 'A Secret.' }),
  ),
};

export const volumeName = Type.String({
  description: 'Name of the volume.',
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  maxLength: 63,
});
export const mountPath = Type.String({
  description: 'Path where the volume is mounted.',
  minLength: 1,
  maxLength: 4096,
});
