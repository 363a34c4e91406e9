import type { FigureId } from './figures.ts';
import { ofTimes, type Measurement, type Timed } from './measurement.ts';
import { cpuMicros } from './process-usage.ts';
import type { StageRun } from './stage.ts';

/** Starts the server several times on what is in its folder. */
export async function startTimes(id: FigureId, { target, folder, effort }: StageRun): Promise<Measurement> {
  const times: Timed[] = [];
  for (let i = 0; i < effort.starts; i++) {
    const running = await target.start(folder);
    times.push({ value: running.startSeconds, cpuMicros: cpuMicros(running.pids) });
    await running.stop();
  }
  return ofTimes(id, times);
}
