import { hashText } from '#base/hash.ts';
import { at, listAt, textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { seconds, type Clock } from '#base/time.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { MetricCall } from '#hooks/providers/provider.ts';
import type { ScriptEnd } from '#machines/decide/objects/script.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { reasonOf, type Report } from '#loop/report.ts';
import { uidOf } from '#kube/object.ts';

type Deps = {
  readonly client: Pick<KubeClient, 'get' | 'patch'>;
  readonly clock: Clock;
  readonly report: Report;
};

const pause = seconds(1);
/** All annotations of an object have at most 256 KiB; a longer result is not kept. */
const longest = 32_768;

/**
 * Keeps the result of a script in an annotation of its HookRun. The result is removed from the machines before it is
 * in the status of the run; meanwhile the annotation is the only copy.
 */
export class KeptEnd {
  readonly #deps: Deps;
  readonly #question: MetricCall;
  readonly #id: string;
  readonly #annotation: string;

  constructor(deps: Deps, question: MetricCall, id: string) {
    this.#deps = deps;
    this.#question = question;
    this.#id = id;
    // One for each metric; the next call overwrites it.
    this.#annotation = `boathook.dev/script-end-${hashText(question.metric.name)}`;
  }

  /** The result of this call, if an earlier controller kept it. */
  async read(signal: AbortSignal): Promise<ScriptEnd | undefined> {
    const { namespace, run } = this.#question;
    const found = await this.#deps.client.get(hookRuns, { namespace, name: run.name }, signal);
    if (found.type !== 'ok' || uidOf(found.object) !== run.uid) return undefined;
    const text = textAt(found.object, 'metadata', 'annotations', this.#annotation);
    return text === undefined ? undefined : parse(text, this.#id);
  }

  /** Retries until the server answers. If it refuses, a later controller would run the script again. */
  async keep(end: ScriptEnd, signal: AbortSignal): Promise<void> {
    const { client, clock, report } = this.#deps;
    const { namespace, run } = this.#question;
    const text = JSON.stringify({ id: this.#id, end });
    if (text.length > longest) return;
    const body: Json = { metadata: { uid: run.uid, annotations: { [this.#annotation]: text } } };
    const reportFailure = (why: string): void =>
      report('the end of a script could not be kept', { run: `${namespace}/${run.name}`, why }, 'warn');
    for (;;) {
      try {
        const key = { namespace, name: run.name };
        const outcome = await client.patch(hookRuns, key, { type: 'merge', body }, signal);
        if (outcome.type !== 'ok' && !isGone.has(outcome.type)) reportFailure(outcome.message);
        return;
      } catch (error) {
        signal.throwIfAborted();
        reportFailure(reasonOf(error));
        await clock.sleep(pause, signal);
      }
    }
  }
}

/** The run was deleted, or there is another one of its name: its uid cannot be changed. */
const isGone: ReadonlySet<string> = new Set(['not-found', 'conflict', 'invalid']);

/** The end of the script with this id; undefined for any other annotation. */
function parse(text: string, id: string): ScriptEnd | undefined {
  try {
    const kept = parseJson(text);
    return textAt(kept, 'id') === id ? endIn(at(kept, 'end')) : undefined;
  } catch {
    // Somebody else wrote it.
    return undefined;
  }
}

function endIn(end: Json | undefined): ScriptEnd | undefined {
  const [type, message = ''] = [textAt(end, 'type'), textAt(end, 'message')];
  if (type === 'failed' || type === 'impossible') return { type, message };
  if (type !== 'done') return undefined;
  const lines = listAt(end, 'lines').map((each) => ({
    node: textAt(each, 'node') ?? '',
    line: textAt(each, 'line') ?? '',
  }));
  return { type, lines };
}
