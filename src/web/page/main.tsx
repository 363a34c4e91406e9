import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { onLinkToken, takeLinkToken } from './browser/location.ts';
import { askSession, enter } from './browser/session.ts';
import { applyTheme } from './browser/theme.ts';

applyTheme();
const token = takeLinkToken();
onLinkToken((link) => void enter({ link }));
const place = document.querySelector('#page');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
await (token === undefined ? askSession() : enter({ link: token }));
