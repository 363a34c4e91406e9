import type { TUnsafe } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import type { Json } from '#base/json.ts';
import { intOrString, listByKey, setOf, stringEnum } from '#schema/kind/field.ts';
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

/** A HookTemplate that is asked. */
const question = {
  templateName: Type.String({
    description: 'The HookTemplate.',
    minLength: 1,
    maxLength: 253,
    pattern: subdomainPattern,
  }),
  namespace: Type.String({
    description: 'Where it is; default unless given.',
    maxLength: 63,
    pattern: labelPattern,
  }),
  args: Type.Array(Arg, { description: 'What it is told.', maxItems: 100 }),
};

/**
 * A command or a question. A structural schema has no unions, but each of its rules speaks of one shape alone and is
 * silent on the others: so texts and objects are held to their own, and those of numbers, lists and truth values cannot
 * be met at all.
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
  'a text (a delivered script with its arguments) or an object (templateName of a HookTemplate, with namespace and args). Numbers, lists and truth values are refused';

const hookProperties = Object.fromEntries(
  hookTypes.flatMap((type) => [
    [type, Type.Optional(hookEntry(`${type}: ${entryText}.`))],
    [`Hook${type}`, Type.Optional(hookEntry(`The same as ${type}.`))],
  ]),
);

const File = Type.Object({
  src: Type.String({
    description: "A regular file or folder below the controller's --files-root; relative ones count from it.",
    minLength: 1,
    maxLength: 4096,
  }),
  dst: Type.String({
    description: 'Where it goes on the machines: an absolute path.',
    pattern: '^/',
    maxLength: 4096,
  }),
  recursive: Type.Optional(
    Type.Boolean({ description: 'The folders of a folder too, instead of its files alone.' }),
  ),
});

const Strategy = Type.Object(
  {
    maxUnready: Type.Optional(
      intOrString({
        description:
          'Of TKEStack, how many pods may be unready after a node was emptied; without effect here: PodDisruptionBudgets say what a drain may evict.',
        pattern: '^(100|[1-9]?[0-9])%$',
        minimum: 0,
        maxLength: 5,
      }),
    ),
    drainNodeBeforeUpgrade: Type.Optional(
      Type.Boolean({
        description:
          'False: nodes keep their pods while they are upgraded, and the step drain is left out. True unless given.',
      }),
    ),
  },
  { description: 'How nodes are emptied before they are upgraded.' },
);

const Upgrade = Type.Object(
  {
    mode: Type.Optional(
      stringEnum(['Auto', 'Manual'], {
        description:
          'Manual: workers are not upgraded with the masters; those of files when they are named, Machines when it is Auto again. Auto unless given.',
      }),
    ),
    strategy: Type.Optional(Strategy),
    batchSize: Type.Optional(
      Type.Integer({
        description: 'So many workers are upgraded at a time; 1 unless given.',
        minimum: 1,
        maximum: 1000,
      }),
    ),
    betweenBatches: Type.Optional(
      hookEntry(
        `What is asked between two batches of workers: ${entryText}. A bad verdict of a HookTemplate pauses until a person sets paused to false.`,
      ),
    ),
  },
  { description: 'How workers are upgraded.' },
);

export const Features = Type.Object(
  {
    files: Type.Optional(
      listByKey(File, ['dst'], {
        description: 'What is on every machine before any hook runs.',
        maxItems: 500,
      }),
    ),
    hooks: Type.Optional(
      Type.Object(hookProperties, {
        description:
          'What runs when. Types with Cluster in their name run once, on the first machine. A type may be given with or without the prefix Hook, not both.',
        allOf: hookTypes.map((type) => ({ not: { required: [type, `Hook${type}`] } })),
      }),
    ),
    skipConditions: Type.Optional(
      setOf({
        description:
          'Steps to leave out, by their conditions: Ensure…Hook, EnsureCopyFiles, EnsureMarkNode, EnsureMarkControlPlane. Names of other steps of TKEStack are without effect here.',
      }),
    ),
    upgrade: Type.Optional(Upgrade),
    ...keptOfFeatures,
  },
  { description: 'Files and hooks.' },
);
