/** The terms that the tables of a glossary explain, in order. */
export const termsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^\| ([^|]+?) \| [^|\s][^|]* \|$/gm)]
    .map(([, term = '']) => term)
    .filter((term) => term !== 'Term' && !term.startsWith('---'));

/** Terms that do not occur in a text, which is in lower case. */
export const unused = (terms: readonly string[], text: string): readonly string[] =>
  terms.filter((term) => !new RegExp(`\\b${term.toLowerCase()}`).test(text));
