import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOperationJournal } from './operation-journal.ts';
import { moduleUrl, startChild } from './testing/child.ts';
import { tempDir } from './testing/temp-dir.ts';

type Entry = { readonly number: number };

test('entries are kept in order and found again', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'deep', 'journal');
  const journal = openOperationJournal<Entry>(path);
  await Promise.all([1, 2, 3].map((number) => journal.append({ number })));
  await journal.append({ number: 4 });
  await journal.close();
  const again = openOperationJournal<Entry>(path);
  expect(again.entries.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  await again.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a line cut off by a crash is dropped, and the next one begins where it began', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'journal');
  const journal = openOperationJournal<Entry>(path);
  await journal.append({ number: 1 });
  await journal.close();
  appendFileSync(path, '{"number":2');
  const again = openOperationJournal<Entry>(path);
  expect(again.entries).toEqual([{ number: 1 }]);
  await again.append({ number: 3 });
  await again.close();
  expect(readFileSync(path, 'utf8')).toBe('{"number":1}\n{"number":3}\n');
});

test('what was appended survives a kill', async () => {
  using folder = tempDir();
  const path = join(folder.path, 'journal');
  const child = startChild(
    `const { openOperationJournal } = await import(process.argv[1]);
     const journal = openOperationJournal(process.argv[2]);
     for (let number = 0; ; number++) { await journal.append({ number }); console.log(number); }`,
    moduleUrl('operation-journal.ts'),
    path,
  );
  let last = '';
  for (let count = 0; count < 20; count++) last = String((await child.lines.next()).value);
  await child.kill();
  const journal = openOperationJournal<Entry>(path);
  expect(journal.entries.length).toBeGreaterThan(Number(last));
  await journal.close();
});

test('what does not fit is refused as a whole, and nothing is kept after it', () => {
  using folder = tempDir();
  const path = join(folder.path, 'journal');
  // The second entry crosses the limit of the file, so its first write is short; the third would fit.
  const program = `
    const { openOperationJournal } = await import(process.argv[1]);
    const journal = openOperationJournal(process.argv[2]);
    for (const [number, length] of [[1, 300], [2, 300], [3, 10]])
      await journal.append({ number, text: 'x'.repeat(length) }).then(
        () => console.log(number, 'kept'),
        (error) => console.log(number, error.code),
      );
    await journal.close();`;
  const words = ['--input-type=module', '-e', program, moduleUrl('operation-journal.ts'), path];
  const child = spawnSync('sh', ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, ...words], {
    encoding: 'utf8',
  });
  expect(child.stdout, child.stderr).toBe('1 kept\n2 EFBIG\n3 EFBIG\n');
  expect(readFileSync(path, 'utf8')).toMatch(/^\{"number":1,"text":"x{300}"\}\n$/);
});
