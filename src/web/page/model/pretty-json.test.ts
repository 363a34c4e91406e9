import { expect, test } from 'vitest';
import { prettyJson } from './pretty-json.ts';

test.for([
  ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['{"a":…', '{"a":…'],
  ['', ''],
])('%s is shown as %s', ([text, shown]) => expect(prettyJson(text ?? '')).toBe(shown));
