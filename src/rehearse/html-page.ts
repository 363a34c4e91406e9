import { escapeHtml } from '#base/escape-html.ts';
import { harmlessText } from '#base/harmless-text.ts';
import { pageStyle } from './page-style.ts';

/** A page of its own: no script, and nothing is loaded from elsewhere. */
export const htmlPage = (title: string, sections: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${htmlText(title)}: rehearsal</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;

/** A text of a user or of a machine as a part of the page. */
export const htmlText = (value: string): string => escapeHtml(harmlessText(value));

export type Heading = 'h2' | 'h3';

/** A title and a list; nothing for an empty list. */
export const htmlNotes = (title: string, lines: readonly string[], heading: Heading = 'h2'): string =>
  lines.length === 0
    ? ''
    : `<${heading}>${htmlText(title)}</${heading}><ul>${lines.map((line) => `<li>${htmlText(line)}</li>`).join('')}</ul>`;
