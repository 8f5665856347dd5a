// Serves the web interface from web/ with hot reloading, and forwards all other requests to a running service.
// Usage: `npm run dev:web -- URL PORT`; defaults: http://127.0.0.1:8080 and 5173. /dev/components shows the components.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { createServer, type Plugin } from 'vite';
import { locales } from './build-locales.ts';

const [service = 'http://127.0.0.1:8080', port = '5173'] = process.argv.slice(2);

/** Loads the styles of all components; the build imports them per component. */
const allStyles: Plugin = {
  name: 'all-styles',
  transform: (code, id) =>
    id.endsWith('/web/main.tsx') ? { code: `import '@mantine/core/styles.css';\n${code}`, map: null } : null,
};

const server = await createServer({
  configFile: false,
  root: fileURLToPath(new URL('../web', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../.cache/vite', import.meta.url)),
  plugins: [react(), locales, allStyles],
  server: {
    host: '127.0.0.1',
    port: Number(port),
    // The interface imports the rule parser and the client from src/.
    fs: { allow: [fileURLToPath(new URL('..', import.meta.url))] },
    proxy: {
      // Not all of /api, because the modules of web/api are served from there.
      '^/(api/(v1|docs|openapi)|oapi|compile|health|swagger)\\b': {
        target: service,
        changeOrigin: true,
        // The service rejects changes from pages of other origins.
        headers: { origin: new URL(service).origin },
      },
    },
  },
});
await server.listen();
server.printUrls();
