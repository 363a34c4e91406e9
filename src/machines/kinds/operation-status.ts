import type { Static } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { mapOf, optionalBoolean, optionalEnum, optionalList, stringEnum } from '#schema/kind/field.ts';
import type { Frozen } from '#schema/kind/kind.ts';
import { conditionList } from '#schema/kind/condition.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));
const time = (description: string) => Type.Optional(Type.String({ description, format: 'date-time' }));
const count = (description: string) => Type.Optional(Type.Integer({ description, format: 'int64' }));

const Task = Type.Object({
  node: Type.String({ description: 'Name of the machine.' }),
  state: Type.String({ description: 'State of the task.' }),
  attempt: Type.Integer({ description: 'Number of the attempt.' }),
  failures: count('Failures in a row. The pauses between attempts grow with them.'),
  since: time('Time of the last change of the state, in microseconds.'),
  exit: count('Exit code of the script.'),
  message: text('Reason of the failure.'),
  launched: optionalBoolean(
    'The script was started, and its result is unknown until the machine is reached.',
  ),
  permanent: optionalBoolean('Another attempt cannot succeed.'),
});

const Step = Type.Object({
  name: Type.String({ description: 'Name of the step.' }),
  done: optionalList(Type.String(), 'Machines on which the step has succeeded.'),
  tasks: optionalList(Task, 'Machines on which the step has not succeeded.'),
});

const Gate = Type.Object({
  name: Type.String({ description: 'Hook type, and machine or batch.' }),
  state: stringEnum(['Asked', 'Passed'], { description: 'State of the gate.' }),
  namespace: text('Namespace of the HookRun.'),
  run: text('Name of the HookRun.'),
  attempt: count('Number of HookRuns that were created for the gate.'),
  since: time('Time of the last verdict.'),
});

const Operation = Type.Object(
  {
    id: Type.String({ description: 'Identifies the operation, here and on the machines.' }),
    type: Type.String({ description: 'Type of the operation: cluster.create, cluster.upgrade, …' }),
    version: text('Version of Kubernetes after the operation.'),
    nodes: optionalList(Type.String(), 'Machines that are joined or removed.'),
    startedAt: time('Start of the operation.'),
    holder: text('Process that runs the operation.'),
    observedGeneration: count('Generation of the spec that was last tried.'),
    failures: count('Failures in a row. The pauses between tries grow with them.'),
    retryAt: time('Time of the next try.'),
    steps: optionalList(Step, 'Progress of each step.'),
    gates: optionalList(Gate, 'Gates: HookRuns that must succeed before the operation continues.'),
  },
  { description: 'Operation that runs or waits. Another controller can continue it from here.' },
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
  reason: Type.String({ description: 'Reason of the pause: PausedByStepBasedHook or PausedByUser.' }),
  startTime: time('Start of the pause.'),
});

/** Status fields that Cluster and Machine share. */
export const statusFields = {
  observedGeneration: count('Generation of the spec that was last reconciled.'),
  phase: optionalEnum(platformPhases, 'Phase of the object.'),
  reason: text('Reason of the condition that blocks the object.'),
  message: text('Message of the condition that blocks the object.'),
  version: text('Installed version of Kubernetes.'),
  conditions: conditionList(
    'Ready: no operation is due. Ensure…: the steps of the last operations, with the names of TKEStack.',
  ),
  operation: Type.Optional(Operation),
  hostKeys: Type.Optional(
    mapOf(Type.String({ description: 'Fingerprint of the host key.' }), {
      description: 'SSH host keys that were recorded at the first connection, by address and port.',
    }),
  ),
  pauseConditions: optionalList(PauseCondition, 'Reasons of the pause.', { maxItems: 8 }),
};

export type OperationStatus = Frozen<Static<typeof Operation>>;
export type StepStatus = Frozen<Static<typeof Step>>;
export type TaskStatus = Frozen<Static<typeof Task>>;
export type GateStatus = Frozen<Static<typeof Gate>>;
export type PlatformPhase = (typeof platformPhases)[number];
