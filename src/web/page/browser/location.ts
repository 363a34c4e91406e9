import { routeOf, type PageRoute } from '#web/page/model/route.ts';
import { createStore, useStore } from './store.ts';

const path = createStore(location.pathname);

window.addEventListener('popstate', () => path.set(location.pathname));

export const useRoute = (): PageRoute => routeOf(useStore(path, (each) => each));

/** Shows another page of the dashboard and moves the focus to its heading. */
export function goTo(next: string): void {
  if (next !== location.pathname) history.pushState(null, '', next);
  window.scrollTo(0, 0);
  path.set(location.pathname);
  queueMicrotask(() => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true }));
}

/** The one-time token of a link (`#token=…`). It is removed from the address at once, and so from the history. */
export function takeLinkToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Calls back when a link is opened in a tab that has the page already: only the part after `#` changes then. */
export const onLinkToken = (take: (token: string) => void): void =>
  window.addEventListener('hashchange', () => {
    const token = takeLinkToken();
    if (token !== undefined) take(token);
  });
