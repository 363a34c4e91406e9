import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-tool.ts';

export type ReleaseNotes =
  { readonly type: 'notes'; readonly text: string } | { readonly type: 'refused'; readonly why: string };

const tagShape = /^v(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)$/;

/** What the changelog says about a version, if the tag may be released. */
export function releaseNotes(tag: string, version: string, changelog: string): ReleaseNotes {
  const named = tagShape.exec(tag)?.[1];
  if (named === undefined)
    return refused(`the tag ${tag} is not vX.Y.Z or vX.Y.Z-rc.N: name it after the version in package.json`);
  if (named !== version)
    return refused(`the tag ${tag} is not the version ${version} in package.json: change one of them`);
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.split(/[\s]/)[0] === named.replace(/-.*$/, ''));
  if (section === undefined)
    return refused(
      `CHANGELOG.md has no section ${named.replace(/-.*$/, '')}: rename "Unreleased", and add a new one`,
    );
  const text = section.slice(section.indexOf('\n') + 1).trim();
  return text === '' ? refused(`the section of ${named} in CHANGELOG.md is empty`) : { type: 'notes', text };
}

const refused = (why: string): ReleaseNotes => ({ type: 'refused', why });

/** `npm run release-notes -- TAG` prints the notes of a release, or says why the tag cannot be released. */
function main([tag = '']: readonly string[]): number {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const notes = releaseNotes(tag, version, read('CHANGELOG.md'));
  if (notes.type === 'notes') console.log(notes.text);
  else console.error(notes.why);
  return notes.type === 'notes' ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
