import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { CallTopic } from '#web/wire/detail-topic.ts';
import type { ObjectTopic } from '#web/wire/topic.ts';
import { readCallPage } from './call-page.ts';
import { readClusterPage } from './cluster-page.ts';
import { readHookRunPage } from './hookrun-page.ts';
import type { PageReader } from './page-reader.ts';
import { readRegistrationPage } from './registration-page.ts';
import { readReleasePage } from './release-page.ts';
import { readTemplatePage } from './template-page.ts';

/** Reads the page of a topic. */
export const readPage =
  (reader: PageReader, topic: ObjectTopic | CallTopic) =>
  (signal: AbortSignal): Promise<ReadPage> => {
    switch (topic.type) {
      case 'release':
        return readReleasePage(reader, topic, signal);
      case 'hookrun':
        return readHookRunPage(reader, topic, signal);
      case 'template':
        return readTemplatePage(reader, topic, signal);
      case 'cluster':
        return readClusterPage(reader, topic, signal);
      case 'registration':
        return readRegistrationPage(reader, topic, signal);
      case 'call':
        return readCallPage(reader, topic, signal);
    }
  };
