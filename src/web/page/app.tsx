import { useEffect, type ReactElement } from 'react';
import { topicText } from '#web/wire/topic.ts';
import type { ObjectPage } from '#web/wire/stream.ts';
import { useRoute } from './browser/location.ts';
import { useSession } from './browser/session.ts';
import { follow, stopFollowing, useTopic } from './browser/tab.ts';
import { HookRunView } from './hooks/hook-run-view.tsx';
import { TemplateView } from './hooks/template-view.tsx';
import { ClusterView } from './machines/cluster-view.tsx';
import type { PageRoute } from './model/route.ts';
import { OverviewPage } from './overview/overview-page.tsx';
import { ConnectionBanner } from './parts/connection-banner.tsx';
import { PageLink } from './parts/page-link.tsx';
import { Notice } from './parts/notice.tsx';
import { Toasts } from './parts/toasts.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { CallDetail } from './registrations/call-detail.tsx';
import { RegistrationView } from './registrations/registration-view.tsx';
import { ReleaseDetail } from './release/release-detail.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

/** The page: who uses it, and what its address names. */
export function App(): ReactElement {
  const session = useSession();
  switch (session.type) {
    case 'asking':
      return <Notice title="Boathook" text="Loading …" isBusy />;
    case 'unreachable':
      return <Notice title="The server of the dashboard does not answer" text={session.message} />;
    case 'known': {
      const { info, message } = session;
      if (!info.isSignedIn) return <SignInPage way={info.signIn} message={message} />;
      return (
        <>
          <TopBar info={info} />
          <ConnectionBanner />
          <main id="content">
            <RoutedPage />
          </main>
          <Toasts />
        </>
      );
    }
  }
}

function RoutedPage(): ReactElement {
  const route = useRoute();
  const topic = topicOf(route);
  useEffect(() => {
    follow(topic === undefined ? [] : [topic]);
  }, [topic]);
  useEffect(() => stopFollowing, []);
  if (route.type === 'overview') return <OverviewPage />;
  if (topic === undefined) return <NoPage path={route.type === 'unknown' ? route.path : ''} />;
  return <ObjectRoute key={topic} topic={topic} />;
}

const topicOf = (route: PageRoute): string | undefined =>
  route.type === 'overview' ? 'overview' : route.type === 'object' ? topicText(route.topic) : undefined;

const NoPage = ({ path }: { readonly path: string }): ReactElement => (
  <Notice title="No such page" text={`The dashboard has no page ${path}.`}>
    <PageLink to="/">Go to the overview</PageLink>
  </Notice>
);

function ObjectRoute({ topic }: { readonly topic: string }): ReactElement {
  const state = useTopic(topic);
  switch (state.type) {
    case 'loading':
    case 'overview':
    case 'output':
      return <Notice title={nameIn(topic)} text="Loading …" isBusy />;
    case 'refused':
      return (
        <Notice title={nameIn(topic)} text={state.message}>
          <PageLink to="/">Go to the overview</PageLink>
        </Notice>
      );
    case 'gone':
      return (
        <>
          <Notice title={nameIn(topic)} text="This object does not exist, or not any more.">
            <PageLink to="/">Go to the overview</PageLink>
          </Notice>
          {state.last === undefined ? null : (
            <div className="past" inert>
              <ObjectView object={state.last} topic={topic} />
            </div>
          )}
        </>
      );
    case 'object':
      return <ObjectView object={state.object} topic={topic} />;
  }
}

const nameIn = (topic: string): string => topic.slice(topic.lastIndexOf('/') + 1);

function ObjectView({
  object,
  topic,
}: {
  readonly object: ObjectPage;
  readonly topic: string;
}): ReactElement {
  switch (object.type) {
    case 'release':
      return <ReleaseDetail page={object.page} topic={topic} />;
    case 'hookrun':
      return <HookRunView page={object.page} />;
    case 'template':
      return <TemplateView page={object.page} topic={topic} />;
    case 'cluster':
      return <ClusterView page={object.page} topic={topic} />;
    case 'registration':
      return <RegistrationView page={object.page} />;
    case 'call':
      return <CallDetail page={object.page} />;
  }
}
