import { escapeHtml } from '#base/escape-html.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const program = process.platform === 'darwin' ? 'open' : 'xdg-open';

/** A browser has read the file by then. */
const kept = 60_000;

/**
 * Opens a link in the default browser. The link can hold a token and other users of the machine see the arguments of
 * every process, so the browser receives a file that only this user can read and that leads to the link. `onFailure` is
 * called with the reason when no browser could be started.
 */
export function openBrowser(link: string, onFailure: (why: string) => void): void {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'boathook-'));
    const file = join(folder, 'dashboard.html');
    writeFileSync(file, pageTo(link), { mode: 0o600 });
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    const timer = setTimeout(remove, kept);
    timer.unref();
    process.once('exit', remove);
    const child = spawn(program, [pathToFileURL(file).href], { stdio: 'ignore', detached: true });
    child.once('error', ({ message }) => onFailure(message));
    child.once('exit', (code) => {
      if (code !== 0 && code !== null) onFailure(`${program} ended with exit code ${code}`);
    });
    child.unref();
  } catch (error) {
    onFailure(error instanceof Error ? error.message : String(error));
  }
}

const pageTo = (link: string): string => {
  const text = escapeHtml(link);
  return `<!doctype html><meta charset="utf-8"><title>Boathook</title><meta http-equiv="refresh" content="0; url=${text}"><a href="${text}">Open the dashboard</a>\n`;
};
