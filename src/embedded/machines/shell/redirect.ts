import type { SimulatedFiles } from '#embedded/machines/files/simulated-files.ts';
import type { ShellIo } from './shell-state.ts';
import type { ShellRedirect, ShellWord } from './syntax.ts';

type Around = {
  readonly files: SimulatedFiles;
  readonly folder: string;
  readonly io: ShellIo;
  readonly text: (word: ShellWord) => Promise<string>;
};

/** Runs a command with its input and output redirected; 1 when a file cannot be used. */
export async function withRedirects(
  redirects: readonly ShellRedirect[],
  { files, folder, io, text }: Around,
  act: (io: ShellIo) => Promise<number>,
): Promise<number> {
  let inside = io;
  for (const { fd, how, word } of redirects) {
    const target = await text(word);
    if (how === 'here') inside = { ...inside, input: { rest: target } };
    else if (how === 'copy') inside = copied(inside, fd, target);
    else if (how === 'read') {
      const content = target === '/dev/null' ? '' : files.read(target, folder);
      if (content === undefined) {
        io.err(`sh: ${target}: no such file\n`);
        return 1;
      }
      inside = { ...inside, input: { rest: content } };
    } else {
      const out = writer(files, { path: target, folder, isAppended: how === 'append' });
      if (out === undefined) {
        io.err(`sh: ${target}: cannot be written: there is no such folder\n`);
        return 1;
      }
      inside = fd === 2 ? { ...inside, err: out } : { ...inside, out };
    }
  }
  return act(inside);
}

/** `>&2` and `2>&1`. */
function copied(io: ShellIo, fd: number, target: string): ShellIo {
  if (fd === 1 && target === '2') return { ...io, out: io.err };
  return fd === 2 && target === '1' ? { ...io, err: io.out } : io;
}

type Target = { readonly path: string; readonly folder: string; readonly isAppended: boolean };

function writer(
  files: SimulatedFiles,
  { path, folder, isAppended }: Target,
): ((text: string) => void) | undefined {
  if (path.startsWith('/dev/')) return () => undefined;
  const isReady = isAppended ? files.append(path, '', folder) : files.write(path, '', folder);
  return isReady ? (text) => void files.append(path, text, folder) : undefined;
}
