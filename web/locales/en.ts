import account from './en/account.json';
import authorize from './en/authorize.json';
import clients from './en/clients.json';
import common from './en/common.json';
import compiler from './en/compiler.json';
import connect from './en/connect.json';
import dashboard from './en/dashboard.json';
import devices from './en/devices.json';
import errors from './en/errors.json';
import join from './en/join.json';
import localNames from './en/local-names.json';
import log from './en/log.json';
import messages from './en/messages.json';
import network from './en/network.json';
import protection from './en/protection.json';
import servers from './en/servers.json';
import setUp from './en/set-up.json';
import shell from './en/shell.json';
import signIn from './en/sign-in.json';
import statistics from './en/statistics.json';
import system from './en/system.json';

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
