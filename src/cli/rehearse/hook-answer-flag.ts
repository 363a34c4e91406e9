import { ExitError } from '#command/exit.ts';
import type { RehearsedAnswer } from './hook-answers.ts';

/** An answer that needs no file. */
type DecidedAnswer = Exclude<RehearsedAnswer, { type: 'recorded' }>;

export type HookAnswerFlag<Recorded> = {
  /** As messages name what stands before the `=`, and an example of it. */
  readonly named: { readonly what: 'NAME' | 'TEMPLATE'; readonly example: string };
  readonly readFile: (path: string) => Recorded;
};

/** The answers of all `--hook NAME=ANSWER`, by name. */
export function hookFlagAnswers<Recorded>(
  given: readonly string[],
  { named: { what, example }, readFile }: HookAnswerFlag<Recorded>,
): ReadonlyMap<string, DecidedAnswer | Recorded> {
  const answers = new Map<string, DecidedAnswer | Recorded>();
  for (const text of given) {
    const [, name, answer = ''] = /^([^=\s]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new ExitError(
        2,
        `--hook ${text} is not ${what}=ANSWER, such as ${example}=reply.json or ${example}=fail-after:3`,
      );
    if (answers.has(name)) throw new ExitError(2, `--hook: ${name} is given twice`);
    answers.set(name, decidedAnswer(name, answer) ?? readFile(answer));
  }
  return answers;
}

function decidedAnswer(name: string, text: string): DecidedAnswer | undefined {
  if (text === 'pass') return { type: 'pass' };
  if (text === 'fail') return { type: 'fail-after', calls: 0 };
  if (!/^fail-after(:|$)/.test(text)) return undefined;
  const calls = /^fail-after:(\d{1,6})$/.exec(text)?.[1];
  if (calls === undefined)
    throw new ExitError(
      2,
      `--hook ${name}=${text} is not understood: write ${name}=fail-after:3, with the number of calls that pass`,
    );
  return { type: 'fail-after', calls: Number(calls) };
}
