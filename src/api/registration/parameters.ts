import { Type, type TSchema } from 'typebox';
import { setOf, stringEnum } from '#api/field.ts';

const name = (description: string) => Type.String({ description, minLength: 1, maxLength: 253 });
const envName = (description: string) =>
  Type.String({ description, pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$', maxLength: 256 });
const specPath = (description: string) =>
  Type.String({ description, pattern: String.raw`^[$.]*spec\..+$`, maxLength: 512 });
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

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

const PathPair = Type.Object(
  {
    name: specPath('Where the instance has the name of the object.'),
    key: specPath('Where the instance has the key.'),
  },
  { description: 'Both are paths into the instance.' },
);

const BuiltInFunction = Type.Object(
  {
    name: stringEnum(['resolveAddress'], {
      description: 'resolveAddress: the URL of what {ref, uri} in the instance points at.',
    }),
    args: optional(Type.Array(Type.String(), { description: 'Not used by any function.', maxItems: 16 })),
  },
  { description: 'A function of the element.' },
);

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

const items = optional(
  Type.Array(
    Type.Object({
      key: specPath('Where the instance has the key.'),
      path: Type.String({ description: 'The file, below the mount path.', minLength: 1, maxLength: 4096 }),
      mode: optional(Type.Integer({ description: 'Its mode.', minimum: 0, maximum: 511 })),
    }),
    { description: 'Which keys become which files; all unless given.', maxItems: 100 },
  ),
);
const mountCommon = {
  items,
  defaultMode: optional(Type.Integer({ description: 'The mode of all files.', minimum: 0, maximum: 511 })),
  optional: optional(Type.Boolean({ description: 'The pod may start without it.' })),
};

const VolumeRule = Type.Object({
  path: specPath('The element whose presence makes the mount.'),
  name: Type.String({
    description: 'The name of the volume.',
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    maxLength: 63,
  }),
  mountPath: Type.String({ description: 'Where it is mounted.', minLength: 1, maxLength: 4096 }),
  mountFrom: Type.Object(
    {
      configMapPath: optional(
        Type.Object(
          { name: specPath('Where the instance has the name of the ConfigMap.'), ...mountCommon },
          { description: 'A ConfigMap.' },
        ),
      ),
      secretPath: optional(
        Type.Object(
          { secretName: specPath('Where the instance has the name of the Secret.'), ...mountCommon },
          { description: 'A Secret.' },
        ),
      ),
    },
    { description: 'What is mounted; names and keys are paths into the instance.' },
  ),
});

/** Spelling of April 2023. */
const Customize = Type.Object({
  path: specPath('The element of the instance.'),
  render: Type.Object(
    {
      skip: optional(Type.Boolean({ description: 'No variable for it.' })),
      key: optional(envName('The name of its variable.')),
      value: optional(
        Type.String({ description: 'Its value, whatever the instance says.', maxLength: 65_536 }),
      ),
      valueFromSecret: optional(PathPair),
      valueFromConfigMap: optional(PathPair),
      valueFromBuiltInFunc: optional(BuiltInFunction),
    },
    { description: 'How it becomes a variable.' },
  ),
});

const manyRules = { maxItems: 500 } as const;

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
        },
        { description: 'What every workload gets.' },
      ),
    ),
    addEnvs: optional(Type.Array(AddedEnv, { description: 'Older spelling of add.toEnv.', ...manyRules })),
    fromSpec: optional(
      Type.Object(
        {
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
        },
        { description: 'How elements of the instance become variables and files.' },
      ),
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
