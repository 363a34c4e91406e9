const escape = String.fromCharCode(27);
/** ANSI escape sequences: colours and cursor movements. */
const sequences = new RegExp(`(?:${escape}\\[|\u009B)[0-9;:?]*[ -/]*[@-~]`, 'g');
/** All other control characters, and those that change the direction of text; except line feed and tab. */
const commands = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Untrusted text for a terminal: colours are dropped, other control characters are escaped. */
export const harmlessText = (text: string): string =>
  text.replaceAll(sequences, '').replaceAll(commands, (letter) => {
    if (letter === '\n' || letter === '\t') return letter;
    const code = letter.charCodeAt(0);
    return code < 256
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
