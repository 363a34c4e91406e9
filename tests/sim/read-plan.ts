import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isObject, numberAt } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';

/** The plan of a world, as `npm run sim` prints it. */
export type ReadPlan = { readonly seed: number; readonly plan: unknown };

/** Reads a plan from a file; `-`: from the standard input. */
export async function readPlan(file: string): Promise<ReadPlan> {
  const plan = parseJson(file === '-' ? await text(process.stdin) : await readFile(file, 'utf8'));
  const seed = numberAt(plan, 'seed');
  if (!isObject(plan) || seed === undefined) throw new Error(`${file} is no plan: it has no seed.`);
  return { seed, plan };
}
