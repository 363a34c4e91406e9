import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { setOf } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { Customize, type SpecRuleFields } from './older-parameters.ts';
import {
  AddedMounts,
  BuiltInFunction,
  envName,
  MountSources,
  mountPath,
  name,
  optional,
  PathPair,
  specPath,
  volumeName,
} from './parameter-parts.ts';

const KeyRef = Type.Object({
  name: name('The object, in the namespace of the instance.'),
  key: name('The key in it.'),
  optional: optional(Type.Boolean({ description: 'The pod may start without it.' })),
});

const fieldRef = Type.Object({
  apiVersion: optional(Type.String({ description: 'v1 unless given.', maxLength: 63 })),
  fieldPath: Type.String({ description: 'A field of the pod: metadata.name.', minLength: 1, maxLength: 512 }),
});

/** The later names, and those of Kubernetes, which the older manifests use. */
const AddedSource = Type.Object(
  {
    configMap: optional(KeyRef),
    configMapKeyRef: optional(KeyRef),
    secret: optional(KeyRef),
    secretKeyRef: optional(KeyRef),
    field: optional(fieldRef),
    fieldRef: optional(fieldRef),
  },
  { description: 'Where the pod finds the value. field, secret and configMap may end in Ref or KeyRef.' },
);

const AddedEnv = Type.Object({
  name: envName('The name of the variable.'),
  value: optional(Type.String({ description: 'Its value.', maxLength: 65_536 })),
  valueFrom: optional(AddedSource),
  valueFromControllerConfigMap: optional(
    Type.Object(
      {
        name: name('The ConfigMap, in the namespace of the controller.'),
        key: name('The key in it.'),
        optional: optional(Type.Boolean({ description: 'No such key: no such variable.' })),
      },
      { description: 'The value is read from a ConfigMap beside the controller and written out.' },
    ),
  ),
});

const Default = Type.Object(
  {
    value: optional(Type.String({ description: 'The value.', maxLength: 65_536 })),
    configMap: optional(KeyRef),
    secret: optional(KeyRef),
  },
  { description: 'What the variable is when the instance does not say.' },
);

const EnvRule = Type.Object({
  path: specPath('The element of the instance.'),
  name: optional(envName('The name of its variable, instead of the derived one.')),
  default: optional(Default),
  defaultValue: optional(Type.String({ description: 'Older spelling of default.value.', maxLength: 65_536 })),
  valueFrom: optional(
    Type.Object(
      {
        configMapPath: optional(PathPair),
        secretPath: optional(PathPair),
        builtInFunc: optional(BuiltInFunction),
      },
      { description: 'How the element becomes a value.' },
    ),
  ),
});

const VolumeRule = Type.Object({
  path: specPath('The element whose presence makes the mount.'),
  name: volumeName,
  mountPath,
  mountFrom: Type.Object(MountSources, {
    description: 'What is mounted; names and keys are paths into the instance.',
  }),
});

const manyRules = { maxItems: 500 } as const;

const FromSpecObject = Type.Object({
  skip: optional(
    Type.Array(Type.Object({ path: specPath('The element; with all below it.') }), {
      description: 'Elements that make no variable.',
      ...manyRules,
    }),
  ),
  toEnv: optional(
    Type.Array(EnvRule, {
      description: 'Elements whose variable is not the usual one.',
      ...manyRules,
    }),
  ),
  toVolume: optional(
    Type.Array(VolumeRule, { description: 'Elements that become mounted files.', ...manyRules }),
  ),
});

export type FromSpec = Frozen<Static<typeof FromSpecObject>>;
export const fromSpecMembers: readonly string[] = Object.keys(FromSpecObject.properties);

/** Names and keys are those of the objects themselves, in the namespace of the instance. */
const AddedVolume = Type.Object({
  name: volumeName,
  mountPath,
  mountFrom: Type.Object(AddedMounts, { description: 'What is mounted.' }),
});

export const ParameterConfiguration = Type.Object(
  {
    global: optional(
      Type.Object(
        {
          defaultPrefix: optional(
            Type.String({
              description: 'Goes before every derived name; given names stay as they are.',
              pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$',
              maxLength: 128,
            }),
          ),
        },
        { description: 'For all elements.' },
      ),
    ),
    add: optional(
      Type.Object(
        {
          toEnv: optional(
            Type.Array(AddedEnv, {
              description: 'Variables that do not come from the instance.',
              ...manyRules,
            }),
          ),
          toVolume: optional(
            Type.Array(AddedVolume, {
              description: 'Files that do not come from the instance.',
              ...manyRules,
            }),
          ),
        },
        { description: 'What every workload gets.' },
      ),
    ),
    addEnvs: optional(Type.Array(AddedEnv, { description: 'Older spelling of add.toEnv.', ...manyRules })),
    fromSpec: optional(
      // A schema has one type or none; with none the server checks the later spelling and keeps the older as it is.
      Type.Unsafe<FromSpec | readonly SpecRuleFields[]>({
        'x-kubernetes-preserve-unknown-fields': true,
        description:
          'How elements of the instance become variables and files. An older spelling, a list, is understood too.',
        properties: FromSpecObject.properties,
      }),
    ),
    customize: optional(Type.Array(Customize, { description: 'Older spelling of fromSpec.', ...manyRules })),
    addEnvsFromHook: optional(
      setOf({
        description: 'Which variables of the hook are taken: names, or * for all. None unless given.',
        maxItems: 500,
      }),
    ),
  },
  { description: 'How an instance becomes variables and files of its workload.' },
);
