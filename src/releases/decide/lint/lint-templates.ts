import { textAt, type Json } from '#base/json.ts';
import { nearestOf } from '#base/nearest.ts';
import { hookTemplate, type HookTemplate } from '#hooks/kinds/hook-template.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { decoderOf } from '#schema/kind/read-object.ts';

/** The HookTemplate of a hook, as far as the files have it. */
export type FoundTemplate =
  | { readonly type: 'template'; readonly template: HookTemplate }
  /** It does not match its schema. */
  | { readonly type: 'invalid'; readonly message: string }
  /** The files have other templates of the namespace. */
  | { readonly type: 'missing'; readonly near: string | undefined; readonly known: readonly string[] }
  /** The files have no template of the namespace, so it may be in the cluster. */
  | { readonly type: 'unknown' };

/** The HookTemplates that the files have for one namespace. */
export type LintTemplates = { readonly find: (name: string) => FoundTemplate };

const decode = decoderOf(hookTemplate, compileSchema);

/** A manifest without a namespace belongs to any: the one that is given when it is applied. */
export function templatesFor(documents: readonly Json[], namespace: string): LintTemplates {
  const known = documents.filter((each) => {
    const own = textAt(each, 'metadata', 'namespace') ?? '';
    const isNear = own === namespace || own === '' || namespace === '';
    return textAt(each, 'kind') === hookTemplate.kind && isNear;
  });
  const names = known.map((each) => textAt(each, 'metadata', 'name') ?? '');
  return {
    find(name) {
      const found = known.find((each) => textAt(each, 'metadata', 'name') === name);
      if (found !== undefined) return decoded(found);
      return names.length === 0
        ? { type: 'unknown' }
        : { type: 'missing', near: nearestOf(name, names), known: names };
    },
  };
}

function decoded(document: Json): FoundTemplate {
  const read = decode(document);
  if (read.type === 'decoded') return { type: 'template', template: read.object };
  const [error] = read.errors;
  return { type: 'invalid', message: error === undefined ? '' : `${error.field}: ${error.message}` };
}
