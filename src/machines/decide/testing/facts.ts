import { hashText } from '#base/hash.ts';
import type { Facts, SourceFact, SourceFile } from '#machines/decide/model.ts';

/** Facts as a test states them. */
export const script = (text = '#!/bin/sh\n', mode = 0o755): SourceFile => ({
  type: 'file',
  digest: `sha256:${hashText(text)}`,
  size: text.length,
  mode,
  interpreter: text.startsWith('#!'),
});

export const folder = (children: Readonly<Record<string, SourceFact>>): SourceFact => ({
  type: 'directory',
  children: Object.keys(children)
    .sort()
    .map((name) => ({ name, fact: children[name] ?? { type: 'missing' } })),
});

export const factsOf = (sources: Readonly<Record<string, SourceFact>> = {}): Facts => ({
  sources: new Map(Object.entries(sources)),
  nodes: new Map(),
  sha256: (text) => `sha256:${hashText(text)}`,
});
