import { JsonPathError } from '#base/jsonpath-parse.ts';
import type { Budget, JsonPath } from '#base/jsonpath.ts';
import type { Json } from '#base/json.ts';
import { parseTemplate, type TemplatePart } from './jsonpath-template-parse.ts';
import { textOfValue } from './jsonpath-text.ts';

/** What a template makes of an object. */
export type Rendered =
  /** `values`: everything its paths led to, in order. */
  | { readonly type: 'text'; readonly text: string; readonly values: readonly Json[] }
  /** A key or an item that a path asks for is not there. */
  | { readonly type: 'missing'; readonly message: string }
  /** The object is too large or too deep for it. */
  | { readonly type: 'problem'; readonly message: string };

export type JsonPathTemplate = { readonly type: 'template'; render(object: Json): Rendered };
export type CompiledTemplate = JsonPathTemplate | { readonly type: 'problem'; readonly message: string };

/** Values that all paths of one rendering may look at, and characters that they may yield. */
const mostVisits = 200_000;
const longestText = 1_048_576;

/**
 * Compiles a JSONPath template as kubectl has it: text stands for itself outside braces, `{.a.b}` and `{$.a.b}` are
 * paths, `{range .list[*]}…{end}` repeats, `{"\n"}` is text. Several values are joined by a space, maps and lists
 * are compact JSON with sorted keys, whole numbers have no exponent, null is `null`. Inside a range `$` is the
 * item, as it is for kubectl.
 */
export function compileJsonPathTemplate(text: string): CompiledTemplate {
  const parsed = parseTemplate(text);
  if (parsed.type === 'problem') return parsed;
  return { type: 'template', render: (object) => render(parsed.parts, object) };
}

type Site = { readonly budget: Budget; readonly values: Json[]; text: string };
/** Why a rendering ends early. */
type Stop = Exclude<Rendered, { readonly type: 'text' }>;

function render(parts: readonly TemplatePart[], object: Json): Rendered {
  const site: Site = { budget: { left: mostVisits }, values: [], text: '' };
  const stop = renderParts(parts, object, site);
  return stop ?? { type: 'text', text: site.text, values: site.values };
}

function renderParts(parts: readonly TemplatePart[], object: Json, site: Site): Stop | undefined {
  for (const part of parts) {
    const stop = part.type === 'text' ? append(site, part.text) : renderPath(part, object, site);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

type PathPart = Exclude<TemplatePart, { readonly type: 'text' }>;

function renderPath(part: PathPart, object: Json, site: Site): Stop | undefined {
  const looked = look(part.path, part.text, object, site.budget);
  if (looked.type !== 'found') return looked;
  if (part.type === 'path') {
    for (const value of looked.values) site.values.push(value);
    return appendValues(site, looked.values);
  }
  for (const item of looked.values) {
    // A turn costs something even when there is nothing to look at in it.
    site.budget.left -= 1;
    const stop = site.budget.left < 0 ? tooMany(part.text) : renderParts(part.parts, item, site);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

function look(
  path: JsonPath,
  text: string,
  object: Json,
  budget: Budget,
): Stop | { readonly type: 'found'; readonly values: readonly Json[] } {
  try {
    const found = path.look(object, budget);
    return found.type === 'found' ? found : { type: 'missing', message: `{${text}}: ${found.what}` };
  } catch (error) {
    if (error instanceof JsonPathError) return { type: 'problem', message: `{${text}}: ${error.message}` };
    throw error;
  }
}

function appendValues(site: Site, values: readonly Json[]): Stop | undefined {
  for (const [i, value] of values.entries()) {
    const text = textOfValue(value);
    if (text === undefined) return { type: 'problem', message: 'a value is nested too deeply to be shown' };
    const stop = append(site, i === 0 ? text : ` ${text}`);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

function append(site: Site, text: string): Stop | undefined {
  site.text += text;
  if (site.text.length <= longestText) return undefined;
  return { type: 'problem', message: `the result is longer than ${longestText} characters` };
}

const tooMany = (text: string): Stop => ({
  type: 'problem',
  message: `{range ${text}}: the path visits too many values`,
});
