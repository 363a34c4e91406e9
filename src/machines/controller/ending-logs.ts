import type { EngineIo } from '#machines/engine/io.ts';
import type { JobLogPlace, MachineIo } from './machine-io.ts';

/** Reports events, and that an output is complete when the attempt has an outcome. */
export const endingLogs =
  (
    about: Pick<JobLogPlace, 'cluster' | 'operation'>,
    { logEnded }: Pick<MachineIo, 'logEnded'>,
    emit: EngineIo['emit'],
  ): EngineIo['emit'] =>
  (event) => {
    if (event.type === 'task' && event.outcome !== undefined && event.log !== undefined)
      logEnded({ ...about, node: event.node, step: event.step, attempt: event.attempt });
    emit(event);
  };
