import { ExitError } from '#command/exit.ts';
import { checkLabel } from '#kube/names.ts';
import { controllerGroups, controlNames, type ControlName } from './install/control-names.ts';

/** A list of namespaces, separated by commas. */
export function checkedNamespaces(flag: string, text: string): readonly string[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) throw new ExitError(2, `${flag} names no namespace: write ${flag} team-a,team-b`);
  for (const name of names) {
    const [why] = checkLabel(name);
    if (why !== undefined) throw new ExitError(2, `${flag} ${name} is no name of a namespace: ${why}`);
  }
  return names;
}

const namespaced: ReadonlySet<ControlName> = new Set(controllerGroups.base);

/**
 * The controllers that can run with `--namespaces`: `all` are those whose kinds are namespaced. Another one that is named
 * is an error.
 */
export function namespacedControllers(
  names: ReadonlySet<ControlName>,
  isAll: boolean,
): ReadonlySet<ControlName> {
  const others = controlNames.filter((name) => names.has(name) && !namespaced.has(name));
  if (others.length > 0 && !isAll)
    throw new ExitError(
      2,
      `--namespaces excludes the controllers ${others.join(', ')}: their kinds are cluster-scoped, which a Role cannot grant. Run them in another process without --namespaces, or leave --namespaces out`,
    );
  return new Set(controlNames.filter((name) => names.has(name) && namespaced.has(name)));
}
