/** The title of the tab. */
export function setTitle(text: string): void {
  document.title = `${text} · Boathook`;
}
