import { readdirSync, readFileSync } from 'node:fs';
import { readPatches, type SourcePatch } from './patch-text.ts';

/** A broken decision, and how the simulation finds it. */
export type BrokenDecision = {
  readonly name: string;
  readonly breaks: string;
  /** A complaint matches it. */
  readonly finds: RegExp;
  /** The world that finds it. */
  readonly seed: number;
  /** The sort of worlds that find it, where it is not the one of its sources. */
  readonly worlds: string | undefined;
  readonly patches: readonly SourcePatch[];
};

const folder = new URL('.', import.meta.url);

/** All patches of this folder whose files are below these folders. */
export const brokenDecisions = (...below: readonly string[]): readonly BrokenDecision[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.patch'))
    .toSorted()
    .map(readBroken)
    .filter(({ patches }) => patches.every(({ file }) => below.some((start) => file.startsWith(start))));

function readBroken(file: string): BrokenDecision {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const field = (name: string): string => {
    const value = new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];
    if (value === undefined) throw new Error(`${file} has no line "${name}: …"`);
    return value;
  };
  return {
    name: file.slice(0, -'.patch'.length),
    breaks: field('Breaks'),
    finds: new RegExp(field('Finds')),
    seed: Number(field('Seed')),
    worlds: /^Worlds: (.+)$/m.exec(text)?.[1],
    patches: readPatches(text),
  };
}
