import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { Topic } from '#web/wire/topic.ts';
import type { PageReader } from './page-reader.ts';
import { readReleasePage } from './release-page.ts';

type ObjectTopic = Exclude<Topic, { readonly type: 'overview' }>;

/** Reads the page of a topic. */
export const readPage =
  (reader: PageReader, topic: ObjectTopic) =>
  (signal: AbortSignal): Promise<ReadPage> => {
    switch (topic.type) {
      case 'release':
        return readReleasePage(reader, topic, signal);
      case 'hookrun':
      case 'template':
      case 'cluster':
      case 'registration':
        return Promise.resolve({ type: 'refused', message: 'this page does not exist yet', watch: [] });
    }
  };
