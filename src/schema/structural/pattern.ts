import { RE2JS, RE2JSException } from 're2js';

export type Pattern =
  | { readonly type: 'good'; readonly matches: (text: string) => Answer }
  /** `why` as Go's regexp package words it. */
  | { readonly type: 'bad'; readonly why: string };

type Answer = 'yes' | 'no' | 'too long';

const known = new Map<string, Pattern>();
const mostKnown = 5000;

/** A pattern compiled with RE2's semantics: time grows with text times pattern, never worse. */
export function patternOf(source: string): Pattern {
  const found = known.get(source);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const made = compile(source);
  known.set(source, made);
  return made;
}

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

/** Steps that one match may take: more would keep everybody else waiting. */
const mostSteps = 100_000_000;

function answer(matcher: RE2JS, text: string, cost: number): Answer {
  if (text.length * cost > mostSteps) return 'too long';
  return matcher.test(text) ? 'yes' : 'no';
}

const rememberedLength = 64;
const mostRemembered = 200;

/** The same few short texts are matched again and again. */
function remembering(match: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    if (text.length > rememberedLength) return match(text);
    const before = answers.get(text);
    if (before !== undefined) return before;
    if (answers.size >= mostRemembered) answers.clear();
    const now = match(text);
    answers.set(text, now);
    return now;
  };
}
