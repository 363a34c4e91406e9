import { memoize } from '#base/memoize.ts';
import { RE2JS, RE2JSException } from 're2js';

export type Pattern =
  | { readonly type: 'good'; readonly matches: (text: string) => Answer }
  /** `why` is the text of Go's regexp package. */
  | { readonly type: 'bad'; readonly why: string };

type Answer = 'yes' | 'no' | 'too long';

/** A pattern compiled with RE2's semantics: time grows with text times pattern, never worse. */
export const patternOf: (source: string) => Pattern = memoize(5000, compile);

/** Keeps compilation in the milliseconds. */
const longestPattern = 20_000;

function compile(source: string): Pattern {
  if (source.length > longestPattern) {
    return { type: 'bad', why: `error parsing regexp: expression too large: \`${source.slice(0, 100)}\`` };
  }
  try {
    const matcher = RE2JS.compile(source);
    const cost = matcher.programSize() + 1;
    return { type: 'good', matches: remembering((text) => answer(matcher, text, cost)) };
  } catch (error) {
    if (error instanceof RE2JSException || error instanceof RangeError)
      return { type: 'bad', why: error.message };
    throw error;
  }
}

/** The limit of steps of one match: more would block other requests. */
const mostSteps = 100_000_000;

function answer(matcher: RE2JS, text: string, cost: number): Answer {
  if (text.length * cost > mostSteps) return 'too long';
  return matcher.test(text) ? 'yes' : 'no';
}

const rememberedLength = 64;
const mostRemembered = 200;

/** The same few short texts are matched again and again. */
function remembering(match: (text: string) => Answer): (text: string) => Answer {
  const known = memoize(mostRemembered, match);
  return (text) => (text.length > rememberedLength ? match(text) : known(text));
}
