import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { tempDir } from '#edge/testing/temp-dir.ts';
import { followProgram, type Ended } from './program.ts';
import { root } from './project-files.ts';

/** A folder in which the commands of a guide run. */
export type GuidePlace = Disposable & {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Has links to parts of the project, a home of its own, and this kubectl. */
export function openGuidePlace(kubectl: string, parts: readonly string[]): GuidePlace {
  const folder = tempDir();
  const inside = (name: string): string => join(folder.path, name);
  for (const name of parts) symlinkSync(join(root, name), inside(name));
  for (const name of ['home', 'bin']) mkdirSync(inside(name));
  symlinkSync(kubectl, inside('bin/kubectl'));
  const path = [inside('bin'), process.env['PATH'] ?? ''].join(delimiter);
  return {
    cwd: folder.path,
    env: { HOME: inside('home'), PATH: path, KUBECONFIG: '' },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Starts the server as the guide does, but on a port that is free. */
export const startGuideServer = (start: string, { cwd, env }: GuidePlace): ReturnType<typeof followProgram> =>
  followProgram('sh', ['-c', `exec ${start.trimEnd()} --port 0`], { cwd, env });

/** The blocks of a guide as one script that prints where each begins. */
export const blockScript = (blocks: readonly string[]): string =>
  blocks.map((text, at) => `echo '== block ${at} =='\n${text}`).join('');

/** Every block has run and has printed what matches its patterns. */
export function expectPrinted({ code, out, error }: Ended, printed: readonly (readonly RegExp[])[]): void {
  const sections = out.split(/^== block \d+ ==\n/m).slice(1);
  expect(code, `${sections.at(-1)}${error}`).toBe(0);
  expect(sections).toHaveLength(printed.length);
  for (const [at, patterns] of printed.entries())
    for (const pattern of patterns) expect(sections[at], `block ${at}`).toMatch(pattern);
}
