import type { TOptional, TString } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import {
  listByKey,
  mapOf,
  optionalEnum,
  optionalInteger,
  optionalList,
  optionalString,
  setOf,
  stringEnum,
} from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';

const spanPattern = String.raw`(0|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)`;
const outcomePattern = `^(ok|fail|flap|(flap|fail-first|fail-after):${spanPattern})$`;

const span = (description: string): TOptional<TString> =>
  Type.Optional(Type.String({ description, pattern: `^${spanPattern}$`, maxLength: 40 }));
const outcome = (description: string): TOptional<TString> =>
  Type.Optional(Type.String({ description, pattern: outcomePattern, maxLength: 52 }));
const exitCode = (description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 0, maximum: 255 }));

/** The keys of the annotations `sim.boathook.dev/…`, each with its values. */
const Tuning = Type.Object(
  {
    'pull-delay': span('How long pulling the image takes.'),
    pull: optionalEnum(
      ['ok', 'error', 'invalid'],
      'Whether the image can be pulled; error backs off and tries again.',
    ),
    'start-delay': span('Time from the pulled image to the running container.'),
    'ready-delay': span('How long after its start the container is not ready.'),
    'run-duration': span('How long the container runs before it ends by itself.'),
    'crash-after': span('How long the container runs before it crashes.'),
    'crash-at': optionalString('A container that started before this time crashes at it, once.', {
      format: 'date-time',
    }),
    'crash-count': optionalInteger(
      'How many runs end by crash-after; later runs do not. Without it all runs do.',
      { minimum: 1, maximum: 1_000_000 },
    ),
    'exit-code': exitCode('The exit code when it ends by itself or by a crash.'),
    'exit-reason': optionalString('The reason in its terminated state, such as OOMKilled.', {
      pattern: '^[A-Z][A-Za-z]{0,62}$',
    }),
    probe: outcome('The result of its readiness probe, even if it has none.'),
    'liveness-probe': outcome('The result of its liveness probe.'),
    'startup-probe': outcome('The result of its startup probe.'),
    'poststart-duration': span('How long its postStart hook takes.'),
    'prestop-duration': span('How long its preStop hook takes.'),
    'term-duration': span('Time from SIGTERM to the end; it is killed after the grace period.'),
    'term-exit-code': exitCode('The exit code after SIGTERM.'),
    'log-line': optionalString('What the container prints when it starts.', { maxLength: 10_000 }),
  },
  { description: 'Settings with the keys of the annotations sim.boathook.dev/….', minProperties: 1 },
);

const Requirement = Type.Object({
  key: Type.String({ description: 'The key of a label.', minLength: 1 }),
  operator: stringEnum(['In', 'NotIn', 'Exists', 'DoesNotExist'], {
    description: 'The operator of the comparison.',
  }),
  values: Type.Optional(
    setOf({ description: 'The values to compare with; none for Exists and DoesNotExist.' }),
  ),
});

const Match = Type.Object(
  {
    namespaces: Type.Optional(setOf({ description: 'Pods of these namespaces.', maxItems: 100 })),
    matchLabels: Type.Optional(mapOf(Type.String(), { description: 'Pods with all of these labels.' })),
    matchExpressions: optionalList(Requirement, 'Pods whose labels match all of these.', { maxItems: 50 }),
    ownerKinds: Type.Optional(
      setOf({ description: 'Pods with an owner of these kinds, such as ReplicaSet or Job.', maxItems: 50 }),
    ),
    nodes: Type.Optional(setOf({ description: 'Pods on these nodes.', maxItems: 5000 })),
    image: optionalString('Containers in whose image this regular expression (RE2) is found.', {
      minLength: 1,
      maxLength: 500,
    }),
    containers: Type.Optional(setOf({ description: 'Containers of these names.', maxItems: 100 })),
  },
  {
    description:
      'The pods and containers of the rule. All given fields must match; an empty match selects every pod.',
  },
);

const Rule = Type.Object({
  name: Type.String({ description: 'Name of the rule, unique in the profile.', minLength: 1, maxLength: 63 }),
  match: Type.Optional(Match),
  probability: Type.Optional(
    Type.Number({
      description: 'The share of pods that the rule applies to, chosen by the seed and the uid of each pod.',
      minimum: 0,
      maximum: 1,
      default: 1,
    }),
  ),
  expiresAt: optionalString('The rule has no effect from this time on.', { format: 'date-time' }),
  set: Tuning,
});

export const simulationProfile = defineKind({
  group: 'boathook.dev',
  version: 'v1alpha1',
  kind: 'SimulationProfile',
  plural: 'simulationprofiles',
  shortNames: ['simprofile'],
  categories: ['boathook'],
  scope: 'Cluster',
  description:
    'Behaviour of pods on simulated nodes. Later rules override earlier ones, profiles apply in the order of their names, and the annotations of a pod override both.',
  schema: Type.Object({
    spec: Type.Object(
      {
        expiresAt: optionalString('The profile has no effect from this time on.', { format: 'date-time' }),
        rules: listByKey(Rule, ['name'], {
          description: 'The rules, in order.',
          minItems: 1,
          maxItems: 200,
        }),
      },
      { description: 'The desired behaviour.' },
    ),
  }),
  columns: [
    { name: 'Rules', type: 'string', jsonPath: '.spec.rules[*].name', description: 'The names of its rules' },
    { name: 'Expires', type: 'string', jsonPath: '.spec.expiresAt', description: 'When it ends' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  hasStatus: false,
});

export type SimulationProfile = ObjectOf<typeof simulationProfile>;
