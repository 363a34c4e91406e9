import { expect, test } from 'vitest';
import { parseJson } from '#base/json-text.ts';
import { parseYaml } from '#edge/yaml.ts';
import { ExitError } from './exit.ts';
import { objectName, outputFormat, outputLines, streamedLines, type CommandOutput } from './output.ts';

const output: CommandOutput = {
  value: () => ({ name: 'shop', step: undefined, images: ['a:1', 'b: 2'] }),
  names: () => ['gamedeployment.tkex.tencent.com/shop'],
  lines: (isWide) => [isWide ? 'shop wide' : 'shop'],
};

test.for([
  ['json', '{\n  "name": "shop",\n  "images": [\n    "a:1",\n    "b: 2"\n  ]\n}'],
  ['yaml', "images:\n- a:1\n- 'b: 2'\nname: shop"],
  ['name', 'gamedeployment.tkex.tencent.com/shop'],
  ['wide', 'shop wide'],
  ['text', 'shop'],
] as const)('prints %s', ([format, text]) => {
  expect(outputLines(format, output).join('\n')).toBe(text);
});

test('text that could command a terminal is escaped, and reads back as it was', () => {
  const value = { message: 'a\u001B[2Jb\u009B31m\u007F' };
  const given = { ...output, value: () => value };
  for (const format of ['json', 'yaml'] as const) {
    const [text = ''] = outputLines(format, given);
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(format === 'json' ? parseJson(text) : parseYaml(text)[0]).toEqual(value);
  }
});

test.for([
  ['json', true, ['{"name":"shop","images":["a:1","b: 2"]}']],
  ['yaml', false, ['---', "images:\n- a:1\n- 'b: 2'\nname: shop"]],
  ['name', true, ['gamedeployment.tkex.tencent.com/shop']],
  ['name', false, []],
  ['text', false, ['shop']],
] as const)('a stream in %s, first: %s', ([format, isFirst, lines]) => {
  expect(streamedLines(format, { ...output, isFirst })).toEqual(lines);
});

test('a format that a verb does not have is refused with those it has', () => {
  expect(outputFormat({}, ['json'])).toBe('text');
  expect(outputFormat({ output: 'yaml' }, ['json', 'yaml'])).toBe('yaml');
  expect(() => outputFormat({ output: 'xml' }, ['json', 'yaml', 'name'])).toThrow(
    new ExitError(2, '-o xml is not known: use json, yaml or name'),
  );
});

test('names are those of kubectl', () => {
  expect(objectName('Pod', '', 'a')).toBe('pod/a');
  expect(objectName('GameDeployment', 'tkex.tencent.com', 'b')).toBe('gamedeployment.tkex.tencent.com/b');
});
