import { useEffect, type RefObject } from 'react';

/** `/` moves the focus to the search field, unless the user is typing somewhere. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      const isTyping =
        target?.matches('input:not([type=radio]):not([type=checkbox]), textarea, select') === true;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [field]);
}
