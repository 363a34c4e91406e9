import { millis, type Millis } from '#base/time.ts';
import type { ContainerContext } from './container-context.ts';

/** How long a hook takes: as simulated by settings, or by its definition, or no time. */
export function hookTime(
  { container, script, settings }: ContainerContext,
  name: 'postStart' | 'preStop',
): Millis {
  const hook = container[name];
  if (hook === undefined) return millis(0);
  return script[name] ?? millis((hook.span ?? 0) * settings.timeScale);
}
