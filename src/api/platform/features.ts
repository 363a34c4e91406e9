import { Type, type TUnsafe } from 'typebox';
import type { Json } from '#base/json.ts';
import { intOrString, setOf, stringEnum } from '#api/field.ts';

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

/**
 * A command or a question. A structural schema has no unions, but its rules for texts say nothing of objects and
 * those for objects nothing of texts: so each shape is held to its own.
 */
const hookEntry = (description: string): TUnsafe<Json> =>
  Type.Unsafe<Json>({
    'x-kubernetes-preserve-unknown-fields': true,
    description,
    minLength: 1,
    maxLength: 8192,
    pattern: '\\S',
    required: ['templateName'],
  });

const entryText =
  'a delivered script with its arguments, or templateName, namespace (default unless given) and args of a HookTemplate';

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
      intOrString({ description: 'So many pods may be unready while a worker is drained.', maxLength: 5 }),
    ),
    drainNodeBeforeUpgrade: Type.Optional(
      Type.Boolean({ description: 'Whether workers are emptied before they are upgraded.' }),
    ),
  },
  { description: 'How workers are emptied.' },
);

const Upgrade = Type.Object(
  {
    mode: Type.Optional(
      stringEnum(['Auto', 'Manual'], {
        description: 'Manual: workers are not upgraded with the masters. Auto unless given.',
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
      Type.Array(File, { description: 'What is on every machine before any hook runs.', maxItems: 500 }),
    ),
    hooks: Type.Optional(
      Type.Object(hookProperties, {
        description: 'What runs when. Types with Cluster in their name run once, on the first machine.',
      }),
    ),
    skipConditions: Type.Optional(setOf({ description: 'Steps to leave out, by their conditions.' })),
    upgrade: Type.Optional(Upgrade),
  },
  { description: 'Files and hooks.', 'x-kubernetes-preserve-unknown-fields': true },
);
