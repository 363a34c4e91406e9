import { createStore, useStore } from './store.ts';

export type Theme = 'light' | 'dark' | 'system';

const key = 'boathook-theme';

function stored(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    // Storage can be forbidden by the settings of the browser.
    return 'system';
  }
}

const theme = createStore<Theme>(stored());
const system = window.matchMedia('(prefers-color-scheme: dark)');

const isDark = (): boolean => (theme.get() === 'system' ? system.matches : theme.get() === 'dark');

/** Writes the theme to the root element, where the style sheet reads it. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}

export function chooseTheme(next: Theme): void {
  theme.set(next);
  applyTheme();
  try {
    if (next === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, next);
  } catch {
    // It holds until the tab is closed.
  }
}

system.addEventListener('change', applyTheme);

export const useTheme = (): Theme => useStore(theme, (each) => each);

/** Calls a listener after each change of the shown theme, for charts. */
export function onThemeChange(listener: () => void): () => void {
  const leave = theme.subscribe(listener);
  system.addEventListener('change', listener);
  return () => {
    leave();
    system.removeEventListener('change', listener);
  };
}
