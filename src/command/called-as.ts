/** The name by which a person started the program: `boathook`, or `kubectl boathook` for the plugin of kubectl. */
export const calledAs = (): string => process.env['BOATHOOK_CALLED_AS'] || 'boathook';

const command = /(?<![\w./-]|kubectl )boathook (?=[a-z]|--)/g;

/** A text that contains commands, with the name by which the program was started. */
export const asCalled = (text: string, name = calledAs()): string =>
  name === 'boathook' ? text : text.replaceAll(command, `${name} `);
