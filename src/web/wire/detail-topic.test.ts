import { expect, test } from 'vitest';
import { parseTopic, topicText, type Topic } from './topic.ts';

test.for<Topic>([
  { type: 'output', name: 'prod', operation: 'op', node: '@local', step: 'a/b c', attempt: 2 },
  { type: 'call', name: 'kuards', instanceNamespace: '', instance: 'one' },
  { type: 'call', name: 'kuards', instanceNamespace: 'shop', instance: 'one' },
])('%o has a text, and is read from it', (topic) => {
  expect(parseTopic(topicText(topic))).toEqual(topic);
  expect(topicText(topic)).not.toMatch(/[\s@]/);
});

test.for([
  'output//prod/op/n/s',
  'output//prod/op/n/s/x',
  'output/a/prod/op/n/s/1',
  'call/a/b',
  'call/a//c',
  'call/%zz/b/c',
])('%s is no topic', (text) => expect(parseTopic(text)).toBeUndefined());
