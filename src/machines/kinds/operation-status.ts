import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { mapOf, stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));
const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));
const count = (description: string) => Type.Optional(Type.Integer({ description, format: 'int64' }));

const Task = Type.Object({
  node: Type.String({ description: 'The machine.' }),
  state: Type.String({ description: 'How it stands.' }),
  attempt: Type.Integer({ description: 'Which attempt it is.' }),
  failures: count('Failures in a row; pauses grow with them.'),
  since: time('When its state last changed, to the microsecond.'),
  exit: count('The exit code of the script.'),
  message: text('Why it failed.'),
  launched: Type.Optional(Type.Boolean({ description: 'The machine must be asked what became of it.' })),
  permanent: Type.Optional(Type.Boolean({ description: 'Another try cannot help.' })),
});

const Step = Type.Object({
  name: Type.String({ description: 'The step.' }),
  done: Type.Optional(Type.Array(Type.String(), { description: 'Machines on which it has succeeded.' })),
  tasks: Type.Optional(Type.Array(Task, { description: 'Machines on which it has not.' })),
});

const Gate = Type.Object({
  name: Type.String({ description: 'The question: hook type, and machine or batch.' }),
  state: stringEnum(['Asked', 'Passed'], { description: 'How it stands.' }),
  namespace: text('Where its HookRun is.'),
  run: text('The HookRun.'),
  attempt: count('How often it was asked.'),
  since: time('When the last verdict was seen.'),
});

const Operation = Type.Object(
  {
    id: Type.String({ description: 'Tells operations apart, here and on the machines.' }),
    type: Type.String({ description: 'What is done: cluster.create, cluster.upgrade, …' }),
    version: text('The version that it leads to.'),
    nodes: Type.Optional(
      Type.Array(Type.String(), { description: 'The machines that are joined or removed.' }),
    ),
    startedAt: time('When it began.'),
    holder: text('The process that works on it.'),
    observedGeneration: count('The generation of the spec that was last tried.'),
    failures: count('How often in a row its machines could not be worked on.'),
    retryAt: time('When the next try begins.'),
    steps: Type.Optional(Type.Array(Step, { description: 'How far each step is.' })),
    gates: Type.Optional(Type.Array(Gate, { description: 'Questions to HookTemplates, in their order.' })),
  },
  { description: 'What is being done, as far as another controller must know to go on with it.' },
);

export const platformPhases = [
  'Initializing',
  'Running',
  'Failed',
  'Upgrading',
  'Upscaling',
  'Downscaling',
  'Terminating',
  'Waiting',
  'Confined',
  'Idling',
  'Recovering',
] as const;

const PauseCondition = Type.Object({
  reason: Type.String({ description: 'Who paused: PausedByStepBasedHook or PausedByUser.' }),
  startTime: time('Since when.'),
});

/** What a Cluster and a Machine say of themselves alike. */
export const statusFields = {
  observedGeneration: count('The generation that was last looked at.'),
  phase: Type.Optional(stringEnum(platformPhases, { description: 'What it is doing.' })),
  reason: text('The reason of the condition that keeps it.'),
  message: text('The message of the condition that keeps it.'),
  version: text('The version that it has.'),
  conditions: conditionList(
    'Ready: nothing is left to do. Ensure…: each step of the last operations, by the names that TKEStack gives them.',
  ),
  operation: Type.Optional(Operation),
  hostKeys: Type.Optional(
    mapOf(Type.String({ description: 'A fingerprint.' }), {
      description: 'Keys of machines that were seen first and are expected since, by address and port.',
    }),
  ),
  pauseConditions: Type.Optional(
    Type.Array(PauseCondition, { description: 'Why it is paused.', maxItems: 8 }),
  ),
};

export type OperationStatus = Frozen<Static<typeof Operation>>;
export type StepStatus = Frozen<Static<typeof Step>>;
export type TaskStatus = Frozen<Static<typeof Task>>;
export type GateStatus = Frozen<Static<typeof Gate>>;
export type PlatformPhase = (typeof platformPhases)[number];
