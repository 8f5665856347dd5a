import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import './shell/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { startLanguage } from './shell/language.ts';
import { registerServiceWorker } from './shell/register-service-worker.ts';
import { router } from './shell/router.tsx';
import { exposeStyleNonce } from './shell/style-nonce.ts';

const MAX_WAIT_MS = 1000;
/** After this time a style sheet is taken for failed. */
const MAX_STYLES_MS = 30_000;

/** The outline has requested the style sheets. */
const stylesLoaded = (): Promise<unknown> =>
  Promise.all(
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      .filter(({ sheet }) => sheet === null)
      .map(
        (link) =>
          new Promise((resolve) => {
            for (const event of ['load', 'error']) link.addEventListener(event, resolve);
            setTimeout(resolve, MAX_STYLES_MS);
          }),
      ),
  );

/** Renders once the data of the first page is loaded, so that the page does not appear piece by piece. */
async function start(): Promise<void> {
  exposeStyleNonce();
  const opened = router.load();
  await Promise.all([startLanguage(), stylesLoaded()]);
  // After this time the page renders with loading states.
  await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  await registerServiceWorker();
}

// Not awaited: page chunks import this module, and a top-level await would block them.
void start();
