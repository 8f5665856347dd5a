import 'i18next';
import type account from './en/account.json';
import type authorize from './en/authorize.json';
import type clients from './en/clients.json';
import type common from './en/common.json';
import type compiler from './en/compiler.json';
import type connect from './en/connect.json';
import type dashboard from './en/dashboard.json';
import type devices from './en/devices.json';
import type errors from './en/errors.json';
import type join from './en/join.json';
import type localNames from './en/local-names.json';
import type log from './en/log.json';
import type messages from './en/messages.json';
import type network from './en/network.json';
import type protection from './en/protection.json';
import type servers from './en/servers.json';
import type setUp from './en/set-up.json';
import type shell from './en/shell.json';
import type signIn from './en/sign-in.json';
import type statistics from './en/statistics.json';
import type system from './en/system.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: {
      account: typeof account;
      authorize: typeof authorize;
      clients: typeof clients;
      common: typeof common;
      compiler: typeof compiler;
      connect: typeof connect;
      dashboard: typeof dashboard;
      devices: typeof devices;
      errors: typeof errors;
      join: typeof join;
      localNames: typeof localNames;
      log: typeof log;
      messages: typeof messages;
      network: typeof network;
      protection: typeof protection;
      servers: typeof servers;
      setUp: typeof setUp;
      shell: typeof shell;
      signIn: typeof signIn;
      statistics: typeof statistics;
      system: typeof system;
    };
  }
}
