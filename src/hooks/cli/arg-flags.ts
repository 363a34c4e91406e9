import type { HookArg } from '#hooks/kinds/metric.ts';
import { ExitError } from '#command/exit.ts';

/** Parses `--arg NAME=VALUE`; the value can be empty and contain `=`. */
export function argsOf(texts: readonly string[] = []): readonly HookArg[] {
  return texts.map((text) => {
    const sign = text.indexOf('=');
    if (sign < 1) throw new ExitError(2, `--arg ${text} has no name or no value: write --arg NAME=VALUE`);
    return { name: text.slice(0, sign), value: text.slice(sign + 1) };
  });
}

/** Refuses arguments that no template declares, which would have no effect. */
export function checkNames(
  given: readonly HookArg[],
  declared: readonly HookArg[],
  isAlwaysKnown: (name: string) => boolean,
): void {
  const names = declared.map(({ name }) => name);
  const stray = given.find(({ name }) => !names.includes(name) && !isAlwaysKnown(name));
  if (stray === undefined) return;
  const choice = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
  throw new ExitError(2, `--arg ${stray.name} is no argument of the template: ${choice}`);
}
