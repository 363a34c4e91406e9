import type { TOptional, TString } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { listByKey, mapOf, setOf, stringEnum } from '#schema/kind/field.ts';
import { defineKind, type ObjectOf } from '#schema/kind/kind.ts';

const spanPattern = String.raw`(0|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)`;
const outcomePattern = `^(ok|fail|flap|(flap|fail-first|fail-after):${spanPattern})$`;

const span = (description: string): TOptional<TString> =>
  Type.Optional(Type.String({ description, pattern: `^${spanPattern}$`, maxLength: 40 }));
const outcome = (description: string): TOptional<TString> =>
  Type.Optional(Type.String({ description, pattern: outcomePattern, maxLength: 52 }));
const exitCode = (description: string) =>
  Type.Optional(Type.Integer({ description, minimum: 0, maximum: 255 }));

/** The words of the annotations `sim.boathook.dev/…`, each with the values those take. */
const Tuning = Type.Object(
  {
    'pull-delay': span('How long pulling the image takes.'),
    pull: Type.Optional(
      stringEnum(['ok', 'error', 'invalid'], {
        description: 'Whether the image can be pulled; error backs off and tries again.',
      }),
    ),
    'start-delay': span('From the pulled image to the running container.'),
    'ready-delay': span('How long after its start the container is not ready.'),
    'run-duration': span('How long the container runs before it ends by itself.'),
    'crash-after': span('How long the container runs before it crashes.'),
    'crash-at': Type.Optional(
      Type.String({
        description: 'A container that started before this moment crashes at it, once.',
        format: 'date-time',
      }),
    ),
    'crash-count': Type.Optional(
      Type.Integer({
        description: 'How many runs end by crash-after; later ones last. Without it all do.',
        minimum: 1,
        maximum: 1_000_000,
      }),
    ),
    'exit-code': exitCode('With what code it ends by itself or by a crash.'),
    'exit-reason': Type.Optional(
      Type.String({
        description: 'The reason in its terminated state, such as OOMKilled.',
        pattern: '^[A-Z][A-Za-z]{0,62}$',
      }),
    ),
    probe: outcome('What its readiness probe finds, even if it has none.'),
    'liveness-probe': outcome('What its liveness probe finds.'),
    'startup-probe': outcome('What its startup probe finds.'),
    'poststart-duration': span('How long its postStart hook takes.'),
    'prestop-duration': span('How long its preStop hook takes.'),
    'term-duration': span('From SIGTERM to the end; killed when the grace is over.'),
    'term-exit-code': exitCode('With what code it ends after SIGTERM.'),
    'log-line': Type.Optional(
      Type.String({ description: 'What the container prints when it starts.', maxLength: 10_000 }),
    ),
  },
  { description: 'What happens, in the words of the annotations sim.boathook.dev/….', minProperties: 1 },
);

const Requirement = Type.Object({
  key: Type.String({ description: 'The key of a label.', minLength: 1 }),
  operator: stringEnum(['In', 'NotIn', 'Exists', 'DoesNotExist'], { description: 'How it is compared.' }),
  values: Type.Optional(setOf({ description: 'With what; none for Exists and DoesNotExist.' })),
});

const Match = Type.Object(
  {
    namespaces: Type.Optional(setOf({ description: 'Pods of these namespaces.', maxItems: 100 })),
    matchLabels: Type.Optional(mapOf(Type.String(), { description: 'Pods with all of these labels.' })),
    matchExpressions: Type.Optional(
      Type.Array(Requirement, { description: 'Pods whose labels fulfil all of these.', maxItems: 50 }),
    ),
    ownerKinds: Type.Optional(
      setOf({ description: 'Pods with an owner of these kinds, such as ReplicaSet or Job.', maxItems: 50 }),
    ),
    nodes: Type.Optional(setOf({ description: 'Pods on these nodes.', maxItems: 5000 })),
    image: Type.Optional(
      Type.String({
        description: 'Containers in whose image this regular expression (RE2) is found.',
        minLength: 1,
        maxLength: 500,
      }),
    ),
    containers: Type.Optional(setOf({ description: 'Containers of these names.', maxItems: 100 })),
  },
  { description: 'Whom it concerns: all that is given must fit; nothing given fits every pod.' },
);

const Rule = Type.Object({
  name: Type.String({ description: 'Tells rules apart.', minLength: 1, maxLength: 63 }),
  match: Type.Optional(Match),
  probability: Type.Optional(
    Type.Number({
      description: 'The share of pods that it concerns, drawn by the seed and the uid of each.',
      minimum: 0,
      maximum: 1,
      default: 1,
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({ description: 'From this moment on the rule says nothing.', format: 'date-time' }),
  ),
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
    'How simulated nodes play pods. Later rules override earlier ones, profiles count in the order of their names, and what a pod says of itself by annotations counts most.',
  schema: Type.Object({
    spec: Type.Object(
      {
        expiresAt: Type.Optional(
          Type.String({
            description: 'From this moment on the profile says nothing.',
            format: 'date-time',
          }),
        ),
        rules: listByKey(Rule, ['name'], {
          description: 'What happens to whom, in order.',
          minItems: 1,
          maxItems: 200,
        }),
      },
      { description: 'What is wanted.' },
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
