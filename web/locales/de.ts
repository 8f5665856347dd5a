import account from './de/account.json';
import authorize from './de/authorize.json';
import clients from './de/clients.json';
import common from './de/common.json';
import compiler from './de/compiler.json';
import connect from './de/connect.json';
import dashboard from './de/dashboard.json';
import devices from './de/devices.json';
import errors from './de/errors.json';
import join from './de/join.json';
import localNames from './de/local-names.json';
import log from './de/log.json';
import messages from './de/messages.json';
import network from './de/network.json';
import protection from './de/protection.json';
import servers from './de/servers.json';
import setUp from './de/set-up.json';
import shell from './de/shell.json';
import signIn from './de/sign-in.json';
import statistics from './de/statistics.json';
import system from './de/system.json';

export const texts = {
  shell,
  common,
  errors,
  signIn,
  setUp,
  join,
  authorize,
  devices,
  clients,
  dashboard,
  statistics,
  servers,
  log,
  compiler,
  account,
  system,
  connect,
  messages,
  network,
  protection,
  localNames,
};
