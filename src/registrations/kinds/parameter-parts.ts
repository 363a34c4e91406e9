import type { TSchema, TString } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { stringEnum } from '#schema/kind/field.ts';

export const name = (description: string) => Type.String({ description, minLength: 1, maxLength: 253 });
export const envName = (description: string) =>
  Type.String({ description, pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$', maxLength: 256 });
export const specPath = (description: string) =>
  Type.String({ description, pattern: String.raw`^[$.]*spec\..+$`, maxLength: 512 });
export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

export const PathPair = Type.Object(
  {
    name: specPath('Where the instance has the name of the object.'),
    key: specPath('Where the instance has the key.'),
  },
  { description: 'Both are paths into the instance.' },
);

export const BuiltInFunction = Type.Object(
  {
    name: stringEnum(['resolveAddress'], {
      description:
        'resolveAddress: the URL of what {ref, uri} in the instance points at. The object must be in the namespace of the instance, or in one of spec.referenceNamespaces.',
    }),
    args: optional(Type.Array(Type.String(), { description: 'Not used by any function.', maxItems: 16 })),
  },
  { description: 'A function of the element.' },
);

const mountFields = (key: TString) => ({
  items: optional(
    Type.Array(
      Type.Object({
        key,
        path: Type.String({ description: 'The file, below the mount path.', minLength: 1, maxLength: 4096 }),
        mode: optional(Type.Integer({ description: 'Its mode.', minimum: 0, maximum: 511 })),
      }),
      { description: 'Which keys become which files; all unless given.', maxItems: 100 },
    ),
  ),
  defaultMode: optional(Type.Integer({ description: 'The mode of all files.', minimum: 0, maximum: 511 })),
  optional: optional(Type.Boolean({ description: 'The pod may start without it.' })),
});
const ofInstance = mountFields(specPath('Where the instance has the key.'));
const ofObject = mountFields(name('The key.'));

/** Names and keys are paths into the instance. */
export const MountSources = {
  configMapPath: optional(
    Type.Object(
      { name: specPath('Where the instance has the name of the ConfigMap.'), ...ofInstance },
      { description: 'A ConfigMap.' },
    ),
  ),
  secretPath: optional(
    Type.Object(
      { secretName: specPath('Where the instance has the name of the Secret.'), ...ofInstance },
      { description: 'A Secret.' },
    ),
  ),
};

/** Names and keys are meant as they stand. */
export const AddedMounts = {
  configMap: optional(Type.Object({ name: name('Its name.'), ...ofObject }, { description: 'A ConfigMap.' })),
  secret: optional(Type.Object({ secretName: name('Its name.'), ...ofObject }, { description: 'A Secret.' })),
};

export const volumeName = Type.String({
  description: 'The name of the volume.',
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
  maxLength: 63,
});
export const mountPath = Type.String({ description: 'Where it is mounted.', minLength: 1, maxLength: 4096 });
