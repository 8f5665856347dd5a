import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { isServiceUp, setUnreachable } from '../api/connectivity.ts';
import { deviceActivityQuery } from '../api/device-activity.ts';
import { devicesQuery } from '../api/devices.ts';
import { awaitPrefetch } from '../api/prefetch.ts';
import { deviceProtectionQuery } from '../api/protection.ts';
import { queryClient } from '../api/query-client.ts';
import { serversQuery } from '../api/servers.ts';
import { prefetchDashboard } from '../pages/dashboard/dashboard-queries.ts';
import { readScopeSearch } from '../pages/dashboard/scope-search.ts';
import { readLogSearch } from '../pages/log/log-search.ts';
import { readStatisticsSearch } from '../pages/statistics/statistics-search.ts';
import { LonePageError, PageError, PageLoading, PageNotFound } from './page-error.tsx';
import { mayHaveSession, requireSession } from './require-session.ts';
import { Shell } from './shell.tsx';

const root = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({ notFoundComponent: PageNotFound });

// Pages are loaded on first use. New paths must also be added to src/app/web-paths.ts.
const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => load().catch(rethrow), name);

/** The router reloads the document if a file is missing. Without the service that would lose the interface. */
async function rethrow(error: unknown): Promise<never> {
  if (await isServiceUp()) throw error;
  setUnreachable();
  throw new ApiError({ kind: 'unreachable' });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { next?: string } => (typeof search['next'] === 'string' ? { next: search['next'] } : {}),
  component: page(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
  errorComponent: LonePageError,
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: page(() => import('../pages/set-up/set-up-page.tsx'), 'SetUpPage'),
  errorComponent: LonePageError,
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: page(() => import('../pages/join/join-page.tsx'), 'JoinPage'),
  errorComponent: LonePageError,
});

/** Pages that require a session, inside the navigation. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  errorComponent: LonePageError,
  // A loader and not `beforeLoad`: it runs in parallel with the loaders of the pages.
  loader: ({ context, location }) => requireSession(context.queryClient, location.href),
});
const dashboard = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: readScopeSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) =>
    mayHaveSession() ? awaitPrefetch(prefetchDashboard(context.queryClient, deps)) : undefined,
  component: page(() => import('../pages/dashboard/dashboard-page.tsx'), 'DashboardPage'),
});
const statistics = createRoute({
  getParentRoute: () => shell,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: page(() => import('../pages/statistics/statistics-page.tsx'), 'StatisticsPage'),
});
const devices = createRoute({
  getParentRoute: () => shell,
  path: '/devices',
  loader: ({ context: { queryClient } }) => {
    // Not awaited, because a large log takes time; most often they are there when the page first renders.
    void queryClient.prefetchQuery(deviceProtectionQuery());
    void queryClient.prefetchQuery(deviceActivityQuery);
    return awaitPrefetch([queryClient.prefetchQuery(devicesQuery), queryClient.prefetchQuery(serversQuery)]);
  },
  component: page(() => import('../pages/devices/devices-page.tsx'), 'DevicesPage'),
});
const device = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId',
  component: page(() => import('../pages/devices/device-page.tsx'), 'DevicePage'),
});
const connectDevice = createRoute({
  getParentRoute: () => shell,
  path: '/devices/$deviceId/connect',
  component: page(() => import('../pages/connect/connect-page.tsx'), 'ConnectPage'),
});
const connect = createRoute({
  getParentRoute: () => shell,
  path: '/connect',
  component: page(() => import('../pages/connect/first-device-page.tsx'), 'FirstDevicePage'),
});
const clients = createRoute({
  getParentRoute: () => shell,
  path: '/clients',
  component: page(() => import('../pages/clients/clients-page.tsx'), 'ClientsPage'),
});
const network = createRoute({
  getParentRoute: () => shell,
  path: '/network',
  component: page(() => import('../pages/network/network-page.tsx'), 'NetworkPage'),
});
const localNames = createRoute({
  getParentRoute: () => shell,
  path: '/local-names',
  component: page(() => import('../pages/local-names/local-names-page.tsx'), 'LocalNamesPage'),
});
const servers = createRoute({
  getParentRoute: () => shell,
  path: '/profiles',
  component: page(() => import('../pages/servers/servers-page.tsx'), 'ServersPage'),
});
const server = createRoute({
  getParentRoute: () => shell,
  path: '/profiles/$serverId/{-$section}',
  component: page(() => import('../pages/servers/server-page.tsx'), 'ServerPage'),
});
// Paths of earlier versions.
const earlierServers = createRoute({
  getParentRoute: () => shell,
  path: '/servers',
  beforeLoad: () => redirect({ to: '/profiles', replace: true, throw: true }),
});
const earlierServer = createRoute({
  getParentRoute: () => shell,
  path: '/servers/$serverId/{-$section}',
  beforeLoad: ({ params }) => redirect({ to: '/profiles/$serverId/{-$section}', params, replace: true, throw: true }),
});
const log = createRoute({
  getParentRoute: () => shell,
  path: '/log',
  validateSearch: readLogSearch,
  component: page(() => import('../pages/log/log-page.tsx'), 'LogPage'),
});
const compiler = createRoute({
  getParentRoute: () => shell,
  path: '/compiler',
  component: page(() => import('../pages/compiler/compiler-page.tsx'), 'CompilerPage'),
});
const account = createRoute({
  getParentRoute: () => shell,
  path: '/account/{-$section}',
  component: page(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});
const system = createRoute({
  getParentRoute: () => shell,
  path: '/system',
  component: page(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
});
/** OAuth consent page. */
const authorize = createRoute({
  getParentRoute: () => shell,
  path: '/authorize',
  component: page(() => import('../pages/authorize/authorize-page.tsx'), 'AuthorizePage'),
});

/** Not part of the production build, which replaces the condition with `false`. */
const development = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/components',
        component: page(() => import('../pages/dev/components-page.tsx'), 'ComponentsPage'),
      }),
    ]
  : [];

export const router = createRouter({
  routeTree: root.addChildren([
    ...development,
    signIn,
    setUp,
    join,
    shell.addChildren([
      dashboard,
      statistics,
      devices,
      device,
      connectDevice,
      connect,
      clients,
      network,
      localNames,
      servers,
      server,
      earlierServers,
      earlierServer,
      log,
      compiler,
      account,
      system,
      authorize,
    ]),
  ]),
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageError,
  defaultPendingComponent: PageLoading,
  // Search parameters are plain strings instead of the router's default JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
