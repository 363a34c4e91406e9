import type { JsonObject } from '#base/json.ts';
import { compileJsonPathTemplate } from '#kube/jsonpath-template.ts';

export type FieldText =
  | { readonly type: 'value'; readonly value: string }
  | { readonly type: 'missing' }
  | { readonly type: 'problem'; readonly message: string };

/** The value of a JSONPath in an object, as kubectl prints it. */
export function textAtPath(path: string, object: JsonObject): FieldText {
  if (!path.includes('{'))
    return { type: 'problem', message: `${path} is not a path: write it as {.status.phase}` };
  const template = compileJsonPathTemplate(path);
  if (template.type === 'problem') return template;
  const rendered = template.render(object);
  if (rendered.type !== 'text') return rendered.type === 'missing' ? { type: 'missing' } : rendered;
  const isNothing = rendered.values.length === 0 && rendered.text === '';
  return isNothing ? { type: 'missing' } : { type: 'value', value: rendered.text };
}
