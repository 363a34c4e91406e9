import { parseJson, printJson } from '#base/json-text.ts';

/** JSON with line breaks; any other text, such as JSON that was cut, as it is. */
export function prettyJson(text: string): string {
  try {
    return printJson(parseJson(text), 2);
  } catch {
    return text;
  }
}
