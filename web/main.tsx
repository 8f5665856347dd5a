import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/global.css';
import './shell/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { startLanguage } from './shell/language.ts';
import { router } from './shell/router.tsx';
import { tellStyleNonce } from './shell/style-nonce.ts';

const MAX_WAIT_MS = 1000;

/** The page is drawn once, with all that it needs, instead of again with each thing that arrives. */
async function start(): Promise<void> {
  tellStyleNonce();
  const opened = router.load();
  await startLanguage();
  // Somebody whose service is slow to answer sees that something is on its way.
  await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// Not awaited here: the script of a page imports what stands in this file, and waits until it has run.
void start();
