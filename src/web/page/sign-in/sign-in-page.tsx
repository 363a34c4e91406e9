import { useEffect, useState, type FormEvent, type ReactElement } from 'react';
import { setTitle } from '#web/page/browser/title.ts';
import { enter } from '#web/page/browser/session.ts';
import { TopBar } from '#web/page/parts/top-bar.tsx';

type SignInGiven = { readonly way: 'link' | 'token' | 'proxy'; readonly message: string };

/** What a user without a session sees, by the way in which this server lets users in. */
export function SignInPage({ way, message }: SignInGiven): ReactElement {
  useEffect(() => setTitle('Sign in'), []);
  return (
    <>
      <TopBar />
      <main id="content" className="narrow">
        <section className="panel sign-in" aria-labelledby="sign-in-title">
          <h1 id="sign-in-title" tabIndex={-1}>
            Sign in
          </h1>
          <p role="alert" className="refusal text">
            {message}
          </p>
          {way === 'link' ? <ByLink /> : null}
          {way === 'token' ? <ByToken /> : null}
          {way === 'proxy' ? (
            <p>This dashboard is reached through a proxy that signs users in. Open it through that proxy.</p>
          ) : null}
        </section>
      </main>
    </>
  );
}

const ByLink = (): ReactElement => (
  <>
    <p>
      <code>boathook up</code> and <code>boathook dashboard</code> print a link that signs you in. It works
      once, and for ten minutes.
    </p>
    <p className="hint">
      When a link has been used or is too old, open it again: a new one is printed where the command runs.
    </p>
  </>
);

function ByToken(): ReactElement {
  const [token, setToken] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await enter({ token: token.trim() });
    setToken('');
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label htmlFor="token">Kubernetes token</label>
      <input
        id="token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        value={token}
        aria-describedby="token-hint"
        onChange={(event) => setToken(event.target.value)}
      />
      <p id="token-hint" className="hint">
        For example of <code>kubectl create token NAME</code>. The dashboard has exactly the rights of this
        token, keeps it in memory and never shows it.
      </p>
      <button type="submit" className="primary" disabled={isBusy || token.trim() === ''}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  );
}
