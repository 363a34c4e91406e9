/** A message with its remedy, if the message is about a deletion that does not proceed. */
export const withWayOut = (message: string, isStuck: boolean): string =>
  isStuck ? `${message.replace(/\.?$/, '.')} To delete it anyway, set spec.forceDelete to true.` : message;
