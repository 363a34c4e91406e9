import { hashText } from '#base/hash.ts';
import { at, listAt, textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import { seconds, type Clock } from '#base/time.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import type { Question } from '#hooks/providers/provider.ts';
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
/** Annotations of an object may have 256 KiB in all; a longer end is not kept. */
const longest = 32_768;

/**
 * How a script ended, on the run that asked for it: from when the machines forget the script until the answer is in
 * the run's status, nothing else knows.
 */
export class KeptEnd {
  readonly #deps: Deps;
  readonly #question: Question;
  readonly #id: string;
  readonly #annotation: string;

  constructor(deps: Deps, question: Question, id: string) {
    this.#deps = deps;
    this.#question = question;
    this.#id = id;
    // One for each metric: the next call writes over it.
    this.#annotation = `boathook.dev/script-end-${hashText(question.metric.name)}`;
  }

  /** The end of this very call, if an earlier controller came so far. */
  async read(signal: AbortSignal): Promise<ScriptEnd | undefined> {
    const { namespace, run } = this.#question;
    const found = await this.#deps.client.get(hookRuns, { namespace, name: run.name }, signal);
    if (found.type !== 'ok' || uidOf(found.object) !== run.uid) return undefined;
    const text = textAt(found.object, 'metadata', 'annotations', this.#annotation);
    return text === undefined ? undefined : parse(text, this.#id);
  }

  /** Tries until the server has answered; when it says no, another controller would run the script again. */
  async keep(end: ScriptEnd, signal: AbortSignal): Promise<void> {
    const { client, clock, report } = this.#deps;
    const { namespace, run } = this.#question;
    const text = JSON.stringify({ id: this.#id, end });
    if (text.length > longest) return;
    const body: Json = { metadata: { uid: run.uid, annotations: { [this.#annotation]: text } } };
    const said = (why: string): void =>
      report('the end of a script could not be kept', { run: `${namespace}/${run.name}`, why });
    for (;;) {
      try {
        const key = { namespace, name: run.name };
        const outcome = await client.patch(hookRuns, key, { type: 'merge', body }, signal);
        if (outcome.type !== 'ok' && !isGone.has(outcome.type)) said(outcome.message);
        return;
      } catch (error) {
        signal.throwIfAborted();
        said(reasonOf(error));
        await clock.sleep(pause, signal);
      }
    }
  }
}

/** The run is no more, or another one of its name is there, whose uid cannot be changed. */
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
