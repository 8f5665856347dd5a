import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './frame/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './frame/app.tsx';
import { startLanguage } from './frame/language.ts';
import { tellStyleNonce } from './frame/style-nonce.ts';

tellStyleNonce();
await startLanguage();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
