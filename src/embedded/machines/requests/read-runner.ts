import { runnerProgram, type RunnerSettings } from '#edge/ssh/runner-program.ts';
import { WordReader } from './word-reader.ts';

const wordsStart = '\n  set -- ';

/** The settings in the runner of a job; undefined when another version of Boathook has written it. */
export function readRunner(text: string): RunnerSettings | undefined {
  const after = (start: string): WordReader | undefined => {
    const at = text.indexOf(start);
    return at < 0 ? undefined : new WordReader(text, at + start.length);
  };
  const word = (start: string): string => after(start)?.word() ?? '';
  const limits = /more than (\d+) bytes[\s\S]*?tail -c (\d+)\n/.exec(text);
  const folder = word('\n  cd ');
  const timeout = word('\ntimeout=');
  const link = word('\nlink=');
  const settings: RunnerSettings = {
    marker: word('\nmarker=').replace(/^BOATHOOK_JOB=/, ''),
    words: new WordReader(text, text.lastIndexOf(wordsStart) + wordsStart.length).words(),
    cwd: folder === './work' ? undefined : folder,
    timeoutSeconds: timeout === '' ? undefined : Number(timeout),
    graceSeconds: Number(word('\ngrace=')),
    outputLimit: Number(limits?.[1]),
    tailLimit: Number(limits?.[2]),
    counter: Number(word('\ncounter=')),
    counterFile: word('\ncounter_file='),
    link: link === '' ? undefined : link,
  };
  return runnerProgram(settings) === text ? settings : undefined;
}

/** The variables that a job's `env` exports. */
export function readVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const reader = new WordReader(text);
  while (reader.take('export ')) {
    const [, name = '', value = ''] = /^([^=]*)=([^]*)$/.exec(reader.word() ?? '') ?? [];
    variables.set(name, value);
    reader.take('\n');
  }
  return variables;
}
