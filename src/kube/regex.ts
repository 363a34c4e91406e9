import { RE2JS, RE2JSException } from 're2js';

/** A pattern with the semantics of RE2. It is not cached. */
export type Regex = {
  readonly test: (text: string) => boolean;
  /** A match takes about as many steps as this times the characters of the text, and never more. */
  readonly states: number;
};

export type CompiledRegex =
  | { readonly type: 'compiled'; readonly regex: Regex }
  /** `why` as Go's regexp package words it. */
  | { readonly type: 'bad'; readonly why: string };

export function compileRegex(source: string): CompiledRegex {
  try {
    const pattern = RE2JS.compile(source);
    return {
      type: 'compiled',
      regex: { test: (text) => pattern.test(text), states: pattern.programSize() + 1 },
    };
  } catch (error) {
    if (error instanceof RE2JSException || error instanceof RangeError)
      return { type: 'bad', why: error.message };
    throw error;
  }
}

/** About as many states as a pattern will have, told before it is compiled: repetitions are written out inside. */
export function regexWeight(source: string): number {
  let weight = 1 + source.length;
  for (const [, low = '0', high = ''] of source.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g))
    weight += Math.max(Number(low), Number(high));
  return weight;
}
