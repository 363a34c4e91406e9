import { listAt, numberAt, type JsonObject } from '#base/json.ts';
import { seconds, type Millis } from '#base/time.ts';

const units: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };
const sleeping = /(?:^|[\s;&/])sleep\s+(\d{1,6}(?:\.\d+)?)([smh]?)(?=$|[\s;&])/;

/** How long a hook takes by its definition: a `sleep` action, or a command that sleeps. */
export function hookSpan(hook: JsonObject): Millis | undefined {
  const slept = numberAt(hook, 'sleep', 'seconds');
  if (slept !== undefined) return seconds(slept);
  const command = listAt(hook, 'exec', 'command').filter((each) => typeof each === 'string');
  const match = sleeping.exec(command.join(' '));
  return match === null ? undefined : seconds(Number(match[1]) * (units[match[2] ?? ''] ?? 1));
}
