import account from './de/account.json';
import authorize from './de/authorize.json';
import compiler from './de/compiler.json';
import connect from './de/connect.json';
import dashboard from './de/dashboard.json';
import devices from './de/devices.json';
import frame from './de/frame.json';
import join from './de/join.json';
import log from './de/log.json';
import parts from './de/parts.json';
import problems from './de/problems.json';
import servers from './de/servers.json';
import setUp from './de/set-up.json';
import signIn from './de/sign-in.json';
import statistics from './de/statistics.json';
import system from './de/system.json';

export const words = {
  frame,
  parts,
  problems,
  signIn,
  setUp,
  join,
  authorize,
  devices,
  dashboard,
  statistics,
  servers,
  log,
  compiler,
  account,
  system,
  connect,
};
