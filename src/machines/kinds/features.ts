import type { TUnsafe } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import type { Json } from '#base/json.ts';
import {
  intOrString,
  listByKey,
  optionalBoolean,
  optionalEnum,
  optionalInteger,
  setOf,
} from '#schema/kind/field.ts';
import { Arg } from '#hooks/kinds/metric.ts';
import { keptOfFeatures } from './kept.ts';
import { labelPattern, subdomainPattern } from './names.ts';

/** The ten types of TKEStack. */
const hookTypes = [
  'PreInstall',
  'PostInstall',
  'PreUpgrade',
  'PostUpgrade',
  'PreClusterInstall',
  'PostClusterInstall',
  'PreClusterUpgrade',
  'PostClusterUpgrade',
  'PreClusterDelete',
  'PostClusterDelete',
] as const;

export type HookPointName = (typeof hookTypes)[number];

/** A HookTemplate that must pass. */
const question = {
  templateName: Type.String({
    description: 'Name of the HookTemplate.',
    minLength: 1,
    maxLength: 253,
    pattern: subdomainPattern,
  }),
  namespace: Type.String({
    description: 'Namespace of the HookTemplate. Default: default.',
    maxLength: 63,
    pattern: labelPattern,
  }),
  args: Type.Array(Arg, { description: 'Arguments for the HookTemplate.', maxItems: 100 }),
};

/**
 * A script as a string, or a HookTemplate as an object. A structural schema has no unions, but each of its constraints
 * applies to one type only: those for numbers, lists and booleans can never be met.
 */
const hookEntry = (description: string): TUnsafe<Json> =>
  Type.Unsafe<Json>({
    'x-kubernetes-preserve-unknown-fields': true,
    description,
    minLength: 1,
    maxLength: 8192,
    pattern: '\\S',
    required: ['templateName'],
    properties: question,
    minimum: 1,
    maximum: 0,
    minItems: 1,
    maxItems: 0,
    not: { enum: [true, false] },
  });

const entryText =
  'a string (a delivered script with its arguments) or an object (templateName of a HookTemplate, with namespace and args). Numbers, lists and booleans are refused';

const hookProperties = Object.fromEntries(
  hookTypes.flatMap((type) => [
    [type, Type.Optional(hookEntry(`${type}: ${entryText}.`))],
    [`Hook${type}`, Type.Optional(hookEntry(`The same as ${type}.`))],
  ]),
);

const File = Type.Object({
  src: Type.String({
    description:
      "Regular file or folder below the controller's --files-root. A relative path is resolved against that folder.",
    minLength: 1,
    maxLength: 4096,
  }),
  dst: Type.String({
    description: 'Absolute destination path on the machines.',
    pattern: '^/',
    maxLength: 4096,
  }),
  recursive: optionalBoolean('Include sub-folders of a folder. Default: only its files.'),
});

const Strategy = Type.Object(
  {
    maxUnready: Type.Optional(
      intOrString({
        description:
          'Maximum number of unready pods after a drain in TKEStack. Boathook ignores it: PodDisruptionBudgets limit a drain.',
        pattern: '^(100|[1-9]?[0-9])%$',
        minimum: 0,
        maxLength: 5,
      }),
    ),
    drainNodeBeforeUpgrade: optionalBoolean(
      'Drain a node before its upgrade. False: pods stay on the node, and the step drain is left out. Default: true.',
    ),
  },
  { description: 'How nodes are drained before their upgrade.' },
);

const Upgrade = Type.Object(
  {
    mode: optionalEnum(
      ['Auto', 'Manual'],
      'Manual: workers are not upgraded with the masters, but when a command names them, or when the mode of a Cluster object is Auto again. Default: Auto.',
    ),
    strategy: Type.Optional(Strategy),
    batchSize: optionalInteger('Number of workers that are upgraded at the same time. Default: 1.', {
      minimum: 1,
      maximum: 1000,
    }),
    betweenBatches: Type.Optional(
      hookEntry(
        `Hook between two batches of workers: ${entryText}. If a HookTemplate does not succeed, the upgrade pauses until paused is set to false.`,
      ),
    ),
  },
  { description: 'How workers are upgraded.' },
);

export const Features = Type.Object(
  {
    files: Type.Optional(
      listByKey(File, ['dst'], {
        description: 'Files that are copied to every machine before any hook runs.',
        maxItems: 500,
      }),
    ),
    hooks: Type.Optional(
      Type.Object(hookProperties, {
        description:
          'Hooks by type. Types with Cluster in their name run once, on the first machine. The prefix Hook of a type is optional; a type must not occur twice.',
        allOf: hookTypes.map((type) => ({ not: { required: [type, `Hook${type}`] } })),
      }),
    ),
    skipConditions: Type.Optional(
      setOf({
        description:
          'Conditions of steps to leave out: Ensure…Hook, EnsureCopyFiles, EnsureMarkNode, EnsureMarkControlPlane. Other conditions of TKEStack are ignored.',
      }),
    ),
    upgrade: Type.Optional(Upgrade),
    ...keptOfFeatures,
  },
  { description: 'Files, hooks and upgrade settings.' },
);
