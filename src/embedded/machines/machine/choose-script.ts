import { parseScript } from '#embedded/machines/shell/parse-script.ts';
import { NotUnderstood, type ShellScript } from '#embedded/machines/shell/syntax.ts';

/** What a simulated machine runs for a script. */
export type ChosenScript =
  | { readonly type: 'script'; readonly script: ShellScript }
  /** It counts as successful; the output says why it was not run. */
  | { readonly type: 'stand-in'; readonly why: string };

const ownLine = /^[ \t]*#[ \t]*simulated:[ \t]?(.*)$/gm;

/** Lines `# simulated: …` replace the script; one that is not understood is left out and counts as successful. */
export function chooseScript(text: string): ChosenScript {
  const own = Array.from(text.matchAll(ownLine), ([, line = '']) => line);
  const first = /^#!\s*(\S+)(?:\s+(\S+))?/.exec(text);
  const interpreter =
    (first?.[1]?.endsWith('/env') === true ? first[2] : first?.[1])?.split('/').at(-1) ?? 'sh';
  if (own.length === 0 && !['sh', 'bash', 'dash', 'ash'].includes(interpreter))
    return { type: 'stand-in', why: `there is no ${interpreter} here` };
  try {
    return { type: 'script', script: parseScript(own.length > 0 ? own.join('\n') : text) };
  } catch (error) {
    if (error instanceof NotUnderstood) return { type: 'stand-in', why: error.message };
    throw error;
  }
}
