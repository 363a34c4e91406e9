const escape = String.fromCharCode(27);
/** Colours and movements of the cursor, as terminals understand them. */
const sequences = new RegExp(`(?:${escape}\\[|\u009B)[0-9;:?]*[ -/]*[@-~]`, 'g');
/** Everything else that a terminal may obey, and what turns the direction of writing; a line's end and a tab are none. */
const commands = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text of somebody else's, to be shown in a terminal: colours are dropped, other control characters are spelled out. */
export const harmlessText = (text: string): string =>
  text.replaceAll(sequences, '').replaceAll(commands, (letter) => {
    if (letter === '\n' || letter === '\t') return letter;
    const code = letter.charCodeAt(0);
    return code < 256
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
