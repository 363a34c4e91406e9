import { printAside } from '#command/print.ts';
import { openBrowser } from '#edge/open-browser.ts';

/** Opens the dashboard in the default browser. Without one the command goes on: the link is printed. */
export const openInBrowser = (link: string): void =>
  openBrowser(link, (why) => printAside(`boathook: no browser was opened (${why}): open the printed link`));
