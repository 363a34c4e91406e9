import type { ProgramCall, ShellProgram } from '#embedded/machines/shell/shell-state.ts';
import { flagsOf, textOf } from './text-programs.ts';

const nameIn = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? path;

function complain({ words, io }: ProgramCall, what: string): number {
  io.err(`${words[0] ?? ''}: ${what}\n`);
  return 1;
}

const mkdir: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words, 'm');
  const { files } = call.machine;
  for (const path of rest) {
    const at = files.absolute(path, call.state.folder);
    const isThere = files.entry(at) !== undefined;
    const hasParent = files.entry(`${at}/..`)?.type === 'folder';
    if (!flags.has('p') && (isThere || !hasParent))
      return complain(call, `${path}: ${isThere ? 'it exists' : 'no such folder'}`);
    if (!files.makeFolder(at)) return complain(call, `${path}: a file is in the way`);
  }
  return 0;
};

const rm: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words);
  const { files } = call.machine;
  for (const path of rest) {
    const entry = files.entry(path, call.state.folder);
    if (entry === undefined && !flags.has('f')) return complain(call, `${path}: no such file`);
    if (entry?.type === 'folder' && !flags.has('r') && !flags.has('R'))
      return complain(call, `${path}: it is a folder`);
    files.remove(path, call.state.folder);
  }
  return 0;
};

const rmdir: ShellProgram = (call) => {
  const { files } = call.machine;
  for (const path of flagsOf(call.words).rest) {
    const isFolder = files.entry(path, call.state.folder)?.type === 'folder';
    if (!isFolder || files.list(path, call.state.folder).length > 0)
      return complain(call, `${path}: not an empty folder`);
    files.remove(path, call.state.folder);
  }
  return 0;
};

/** `cp` and `mv`: into a folder, or to another name. */
const transfer =
  (isMove: boolean): ShellProgram =>
  (call) => {
    const { flags, rest } = flagsOf(call.words);
    const { files } = call.machine;
    const folder = call.state.folder;
    const target = rest.at(-1) ?? '';
    const isInto = files.entry(target, folder)?.type === 'folder' && !flags.has('T');
    for (const path of rest.slice(0, -1)) {
      const [from, to] = [
        files.absolute(path, folder),
        files.absolute(isInto ? `${target}/${nameIn(path)}` : target, folder),
      ];
      if (!files.copy(from, to)) return complain(call, `${path}: no such file`);
      if (isMove && from !== to) files.remove(from);
    }
    return 0;
  };

const touch: ShellProgram = (call) => {
  for (const path of flagsOf(call.words, 'd').rest)
    if (!call.machine.files.append(path, '', call.state.folder))
      return complain(call, `${path}: no such folder`);
  return 0;
};

const chmod: ShellProgram = (call) => {
  const { files } = call.machine;
  const [mode = '', ...paths] = call.words.slice(1).filter((word) => !word.startsWith('-'));
  for (const path of paths) {
    const at = files.absolute(path, call.state.folder);
    const entry = files.entry(at);
    if (entry === undefined) return complain(call, `${path}: no such file`);
    if (entry.type !== 'file') continue;
    files.set(at, { ...entry, mode: /^[0-7]+$/.test(mode) ? Number.parseInt(mode, 8) : entry.mode | 0o111 });
  }
  return 0;
};

const ls: ShellProgram = (call) => {
  const { files } = call.machine;
  const folder = call.state.folder;
  const paths = flagsOf(call.words).rest;
  for (const path of paths.length === 0 ? ['.'] : paths) {
    const entry = files.entry(path, folder);
    if (entry === undefined) return complain(call, `${path}: no such file`);
    for (const name of entry.type === 'file' ? [path] : files.list(path, folder)) call.io.out(`${name}\n`);
  }
  return 0;
};

const tee: ShellProgram = (call) => {
  const { flags, rest } = flagsOf(call.words);
  const { files } = call.machine;
  const text = textOf(call, []) ?? '';
  call.io.out(text);
  for (const path of rest)
    if (
      !(flags.has('a')
        ? files.append(path, text, call.state.folder)
        : files.write(path, text, call.state.folder))
    )
      return complain(call, `${path}: no such folder`);
  return 0;
};

/** Of the input, or of files, which may be larger than what is kept of them. */
const sha256sum: ShellProgram = (call) => {
  const { files } = call.machine;
  const { rest } = flagsOf(call.words);
  if (rest.length === 0) {
    call.io.out(`${files.digestOf(new TextEncoder().encode(textOf(call, []) ?? ''))}  -\n`);
    return 0;
  }
  for (const path of rest) {
    const entry = files.entry(path, call.state.folder);
    if (entry?.type !== 'file') return complain(call, `${path}: no such file`);
    call.io.out(`${entry.digest}  ${path}\n`);
  }
  return 0;
};

export const filePrograms: ReadonlyMap<string, ShellProgram> = new Map<string, ShellProgram>([
  ['mkdir', mkdir],
  ['rm', rm],
  ['rmdir', rmdir],
  ['cp', transfer(false)],
  ['mv', transfer(true)],
  ['touch', touch],
  ['chmod', chmod],
  ['chown', () => 0],
  ['ls', ls],
  ['tee', tee],
  ['sha256sum', sha256sum],
  [
    'basename',
    ({ words: [, path = '', end = ''], io }) => {
      const name = nameIn(path);
      io.out(`${end !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name}\n`);
      return 0;
    },
  ],
  [
    'dirname',
    ({ words: [, path = ''], io }) => {
      io.out(`${path.includes('/') ? path.replace(/\/+[^/]*$/, '') || '/' : '.'}\n`);
      return 0;
    },
  ],
]);
