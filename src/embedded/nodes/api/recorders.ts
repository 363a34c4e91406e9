import type { KubeObject } from '#kube/object.ts';
import { createEventRecorder, type EventRecorder } from '#loop/event-recorder.ts';
import type { NodesDeps } from './deps.ts';

export type Telling = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly fieldPath?: string | undefined;
};

/** Event recorders by component and host. */
export type Recorders = {
  record(component: string, host: string | undefined, about: KubeObject, telling: Telling): void;
  idle(): Promise<void>;
  close(): Promise<void>;
};

export function createRecorders({ client, clock, random, tasks }: NodesDeps): Recorders {
  const made = new Map<string, EventRecorder>();
  const recorderOf = (component: string, host: string | undefined): EventRecorder => {
    const key = `${component}/${host ?? ''}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const recorder = createEventRecorder({ client, clock, random, ...(tasks && { tasks }), component, host });
    made.set(key, recorder);
    return recorder;
  };
  return {
    record: (component, host, about, telling) => recorderOf(component, host).record(about, telling),
    async idle() {
      await Promise.all([...made.values()].map((recorder) => recorder.idle()));
    },
    async close() {
      await Promise.all([...made.values()].map((recorder) => recorder.close()));
    },
  };
}
