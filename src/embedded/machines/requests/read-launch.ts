import { askProgram, launchProgram, type JobCopy, type JobFile } from '#edge/ssh/launch-program.ts';
import { WordReader } from './word-reader.ts';

/** What an agent is asked to do. */
export type AgentTask =
  | {
      readonly type: 'launch';
      readonly folder: string;
      readonly files: readonly JobFile[];
      readonly copyOf: string | undefined;
      readonly copies: readonly JobCopy[];
    }
  | { readonly type: 'ask'; readonly folder: string }
  /** A program of another version of Boathook. */
  | { readonly type: 'unknown' };

/** Reads a program for the agent. What is read is written again and compared, so nothing is guessed. */
export function readAgentTask(program: string): AgentTask {
  const asked = program.startsWith('\ncd ') ? new WordReader(program, 4).word() : undefined;
  if (asked !== undefined) return askProgram(asked) === program ? { type: 'ask', folder: asked } : unknown;
  const task = launchIn(program);
  if (task === undefined) return unknown;
  const { folder, files, copyOf, copies } = task;
  return launchProgram(folder, files, { copyOf, copies }) === program ? task : unknown;
}

const unknown: AgentTask = { type: 'unknown' };
const stageStart = '  : >stderr || fail\n';
const folderStart = '\n  cd / && rm -rf ';

type Launch = Extract<AgentTask, { type: 'launch' }>;

function launchIn(program: string): Launch | undefined {
  const [folderAt, stageAt] = [program.indexOf(folderStart), program.indexOf(stageStart)];
  if (folderAt < 0 || stageAt < 0) return undefined;
  const folder = new WordReader(program, folderAt + folderStart.length).word();
  const reader = new WordReader(program, stageAt + stageStart.length);
  const copyOf = readFolderCopy(reader);
  const files = readFiles(reader);
  if (folder === undefined || copyOf === null || files === undefined) return undefined;
  return { type: 'launch', folder, files, copyOf, copies: readCopies(reader) };
}

/** The folder whose content is copied; null: the line is none of ours. */
function readFolderCopy(reader: WordReader): string | undefined | null {
  if (reader.take('\n')) return undefined;
  if (!reader.take('  cp -RlT ')) return null;
  const source = reader.word();
  if (source === undefined || !reader.take(' work 2>/dev/null || cp -RT ')) return null;
  reader.word();
  return reader.take(' work 2>/dev/null || fail\n') ? source.replace(/\/\.$/, '') : null;
}

const encoder = new TextEncoder();

function readFiles(reader: WordReader): readonly JobFile[] | undefined {
  const files: JobFile[] = [];
  while (reader.take('  { printf %s ')) {
    const text = reader.word();
    const isEncoded = reader.take(' | base64 -d');
    const path = reader.take(' >') ? reader.word() : undefined;
    if (text === undefined || path === undefined || !reader.take('; } 2>/dev/null || fail\n'))
      return undefined;
    const content = isEncoded
      ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
      : encoder.encode(text);
    const executable = reader.take('  chmod 700 ');
    if (executable && (reader.word() !== path || !reader.take(' || fail\n'))) return undefined;
    files.push({ path, content, executable });
  }
  return files;
}

function readCopies(reader: WordReader): readonly JobCopy[] {
  const copies: JobCopy[] = [];
  while (reader.take('  copy_in ')) {
    const [, from = '', to = '', size = '', mode = '', digest = ''] = reader.words();
    reader.take('\n');
    copies.push({ from, to, size: Number(size), mode: Number.parseInt(mode, 8), digest });
  }
  return copies;
}
