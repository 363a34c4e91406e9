import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { readProjectFile, root } from './project-files.ts';

/** A Markdown text without its fenced blocks and inline code, in which brackets mean something else. */
function prose(text: string): string {
  return text.replaceAll(/^ {0,3}(```+|~~~+)[\s\S]*?^ {0,3}\1\s*$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

const aLink = /!?\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)>\s]+)>?(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s*<?([^>\s]+)>?/gm;

/** The targets of all links of a Markdown text that stay inside the project. */
export function relativeLinks(text: string): readonly string[] {
  return [...prose(text).matchAll(aLink)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((target) => target !== '' && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target));
}

/** The anchors that a page's headings offer, as the usual viewers spell them. */
export function anchors(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [
    ...text.replaceAll(/^ {0,3}(```+)[\s\S]*?^ {0,3}\1\s*$/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm),
  ].map(([, heading = '']) => {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** Links of a page that lead nowhere, as sentences. */
export function deadLinks(path: string, text: string): readonly string[] {
  return relativeLinks(text).flatMap((target) => {
    const [file = '', anchor] = decodeURI(target).split('#');
    const goal = file === '' ? path : normalize(join(dirname(path), file));
    if (goal.startsWith('..') || file.startsWith('/')) return [`${path}: ${target} leaves the project`];
    if (file !== '' && !existsSync(join(root, goal))) return [`${path}: ${target} does not exist`];
    if (anchor === undefined || !goal.endsWith('.md')) return [];
    const offered = anchors(file === '' ? text : readProjectFile(goal));
    return offered.includes(anchor) ? [] : [`${path}: ${target} has no such heading`];
  });
}

/** Links whose text is a name in code and that lead to a source file which does not export that name. */
export function misnamed(
  path: string,
  text: string,
  read: (path: string) => string | undefined,
): readonly string[] {
  return [...text.matchAll(/\[`([A-Za-z_]\w*)`\]\(([^)#]+\.ts)\)/g)].flatMap(([, name = '', target = '']) => {
    const file = normalize(join(dirname(path), target));
    const source = read(file);
    const isThere = source === undefined || new RegExp(`^export .*\\b${name}\\b`, 'm').test(source);
    return isThere ? [] : [`${path}: ${file} exports no ${name}`];
  });
}

export type Block = { readonly language: string; readonly text: string };

/** The fenced blocks of a page, in order. */
export function fencedBlocks(text: string): readonly Block[] {
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```\s*$/gm)].map(([, language = '', body = '']) => ({
    language: language.trim(),
    text: body,
  }));
}
