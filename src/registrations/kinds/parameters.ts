import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { optional, optionalBoolean, optionalString, setOf } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { Customize, type SpecRuleFields } from './older-parameters.ts';
import {
  AddedMounts,
  BuiltInFunction,
  envName,
  MountSources,
  mountPath,
  name,
  PathPair,
  specPath,
  volumeName,
} from './parameter-parts.ts';

const KeyRef = Type.Object({
  name: name('Name of the object in the namespace of the instance.'),
  key: name('Key in the object.'),
  optional: optionalBoolean('Whether the pod can start when the object or the key does not exist.'),
});

const fieldRef = Type.Object({
  apiVersion: optionalString('Defaults to v1.', { maxLength: 63 }),
  fieldPath: Type.String({
    description: 'Field of the pod, such as metadata.name.',
    minLength: 1,
    maxLength: 512,
  }),
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
  {
    description:
      'Source of the value. configMapKeyRef, secretKeyRef and fieldRef are older spellings of configMap, secret and field.',
  },
);

const AddedEnv = Type.Object({
  name: envName('Name of the variable.'),
  value: optionalString('Value of the variable.', { maxLength: 65_536 }),
  valueFrom: optional(AddedSource),
  valueFromControllerConfigMap: optional(
    Type.Object(
      {
        name: name('Name of a ConfigMap in the namespace of the controller.'),
        key: name('Key in the object.'),
        optional: optionalBoolean(
          'Whether the variable is omitted when the key does not exist, instead of an error.',
        ),
      },
      { description: 'Value from a ConfigMap in the namespace of the controller, written as a literal.' },
    ),
  ),
});

const Default = Type.Object(
  {
    value: optionalString('Literal value.', { maxLength: 65_536 }),
    configMap: optional(KeyRef),
    secret: optional(KeyRef),
  },
  { description: 'Value when the instance has none.' },
);

const EnvRule = Type.Object({
  path: specPath('Path of the element in the instance.'),
  name: optional(envName('Name of the variable. Defaults to a name derived from the path.')),
  default: optional(Default),
  defaultValue: optionalString('Older spelling of default.value.', { maxLength: 65_536 }),
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
  path: specPath('Path of the element; the volume is mounted when the instance has it.'),
  name: volumeName,
  mountPath,
  mountFrom: Type.Object(MountSources, {
    description: 'Object to mount; names and keys are paths in the instance.',
  }),
});

const manyRules = { maxItems: 500 } as const;

const FromSpecObject = Type.Object({
  skip: optional(
    Type.Array(Type.Object({ path: specPath('Path of the element; elements below it are skipped, too.') }), {
      description: 'Elements without a variable.',
      ...manyRules,
    }),
  ),
  toEnv: optional(
    Type.Array(EnvRule, {
      description: 'Elements with a rule for their variable.',
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
  mountFrom: Type.Object(AddedMounts, { description: 'Object to mount.' }),
});

export const ParameterConfiguration = Type.Object(
  {
    global: optional(
      Type.Object(
        {
          defaultPrefix: optionalString('Prefix of all derived names of variables.', {
            pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$',
            maxLength: 128,
          }),
        },
        { description: 'Settings for all elements.' },
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
        { description: 'Variables and files of every workload.' },
      ),
    ),
    addEnvs: optional(Type.Array(AddedEnv, { description: 'Older spelling of add.toEnv.', ...manyRules })),
    fromSpec: optional(
      // A schema has one type or none; with none the server checks the later spelling and keeps the older as it is.
      Type.Unsafe<FromSpec | readonly SpecRuleFields[]>({
        'x-kubernetes-preserve-unknown-fields': true,
        description:
          'How elements of the instance become variables and files. The older spelling, a list, is accepted too.',
        properties: FromSpecObject.properties,
      }),
    ),
    customize: optional(Type.Array(Customize, { description: 'Older spelling of fromSpec.', ...manyRules })),
    addEnvsFromHook: optional(
      setOf({
        description: 'Variables that are accepted from the hook: names, or * for all. Defaults to none.',
        maxItems: 500,
      }),
    ),
  },
  { description: 'How an instance becomes environment variables and files of its workload.' },
);
