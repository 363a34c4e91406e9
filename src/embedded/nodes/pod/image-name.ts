const part = '[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*';
const reference = new RegExp(
  `^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\\d{1,5})?/)?${part}(?:/${part})*(?::\\w[\\w.-]{0,127})?(?:@[a-z0-9]+:[0-9a-f]{32,128})?$`,
);

/** Whether a text can name an image at all. */
export const isImageName = (text: string): boolean => text.length <= 500 && reference.test(text);
