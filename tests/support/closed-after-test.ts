import { onTestFinished } from 'vitest';

/** What a test opens, and what is closed after it, also when it fails. */
export async function closedAfterTest<Opened extends AsyncDisposable>(
  opening: Promise<Opened>,
): Promise<Opened> {
  const opened = await opening;
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}
