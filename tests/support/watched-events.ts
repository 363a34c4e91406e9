import type { JsonObject } from '#base/json.ts';
import type { Following } from './program.ts';

/** The flags with which kubectl prints what this reads. */
export const eventFlags: readonly string[] = ['--watch', '--output-watch-events', '--output=json'];

export type KubectlEvent = { readonly type: string; readonly object: JsonObject };

/** What `kubectl get --watch` tells; an event has one line or many, with everything inside of it indented. */
export async function* watchedEvents(following: Following): AsyncGenerator<KubectlEvent> {
  for (let lines: string[] = []; ;) {
    const line = await following.line();
    lines.push(line);
    const isWhole = line === '}' || (lines.length === 1 && line.startsWith('{"'));
    if (!isWhole) continue;
    yield JSON.parse(lines.join('\n')) as KubectlEvent;
    lines = [];
  }
}
