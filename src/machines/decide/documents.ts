import { listAt, textAt, type Json } from '#base/json.ts';

/** One file's documents. */
export type Documents = { readonly file: string; readonly documents: readonly Json[] };

/** A document with its place: in a file of several documents its pointers begin with its number. */
export type PlacedDocument = { readonly document: Json; readonly file: string; readonly prefix: string };

/** All documents with their places; a List counts as its items. */
export const placed = (files: readonly Documents[]): readonly PlacedDocument[] =>
  files.flatMap(({ file, documents }) =>
    documents.flatMap((document, index) => {
      const prefix = documents.length === 1 ? '' : `/${index}`;
      if (textAt(document, 'kind') !== 'List') return [{ document, file, prefix }];
      return listAt(document, 'items').map((item, at) => ({
        document: item,
        file,
        prefix: `${prefix}/items/${at}`,
      }));
    }),
  );
