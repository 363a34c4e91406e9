import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listAt, textAt, type Json } from '#base/json.ts';
import { parseLocatedYaml, YamlInvalid } from '#edge/yaml.ts';
import { ExitError } from './exit.ts';
import { readText, shownFile } from './read-text.ts';

/** An object of a file. */
export type LocatedObject = {
  readonly file: string;
  readonly value: Json;
  /** The line of a field, from 1. */
  readonly lineOf: (path: string) => number;
};

/**
 * The objects in files, folders (their .yaml, .yml and .json files) and, for `-`, in the input. The items of a List
 * are objects of their own.
 */
export const readLocatedObjects = (filenames: readonly string[]): readonly LocatedObject[] =>
  filenames.flatMap(filesIn).flatMap(objectsIn);

function filesIn(filename: string): readonly string[] {
  if (filename === '-' || !isFolder(filename)) return [filename];
  const files = namesIn(filename).filter((name) => /\.(?:ya?ml|json)$/i.test(name));
  if (files.length === 0)
    throw new ExitError(2, `${filename} has no file that ends with .yaml, .yml or .json`);
  return files.toSorted().map((name) => join(filename, name));
}

/** A path that does not exist is reported by the reader of files. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((each) => !each.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(2, `${folder} cannot be read: ${why}`);
  }
}

function objectsIn(filename: string): readonly LocatedObject[] {
  const file = shownFile(filename);
  return parsed(filename).flatMap(({ value, lineOf }) =>
    textAt(value, 'kind') === 'List'
      ? listAt(value, 'items').map((item, i) => ({
          file,
          value: item,
          lineOf: (path: string) => lineOf(`items[${i}].${path}`),
        }))
      : [{ file, value, lineOf }],
  );
}

function parsed(filename: string): ReturnType<typeof parseLocatedYaml>['documents'] {
  try {
    const { documents, duplicates } = parseLocatedYaml(readText(filename));
    if (duplicates.length > 0) throw new ExitError(2, `${shownFile(filename)}: ${duplicates.join(', ')}`);
    return documents;
  } catch (error) {
    if (error instanceof YamlInvalid) throw new ExitError(2, `${shownFile(filename)}: ${error.message}`);
    throw error;
  }
}
