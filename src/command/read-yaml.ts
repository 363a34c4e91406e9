import { readFileSync } from 'node:fs';
import type { Json } from '#base/json.ts';
import { parseYamlStrict, YamlInvalid } from '#edge/yaml.ts';
import { ExitError } from './exit.ts';

/** Documents of a file in YAML or JSON, or of the input for `-`. */
export function readYaml(filename: string): readonly Json[] {
  try {
    const { documents, duplicates } = parseYamlStrict(readText(filename));
    if (duplicates.length > 0) throw new ExitError(2, `${shownFile(filename)}: ${duplicates.join(', ')}`);
    return documents;
  } catch (error) {
    if (error instanceof YamlInvalid) throw new ExitError(2, `${shownFile(filename)}: ${error.message}`);
    throw error;
  }
}

/** Text of a file, or of the input for `-`. */
export function readText(filename: string): string {
  try {
    return readFileSync(filename === '-' ? 0 : filename, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExitError(2, `${shownFile(filename)} cannot be read: ${why}`);
  }
}

export const shownFile = (filename: string): string => (filename === '-' ? 'the input' : filename);
