import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The configuration of every server: the same blocked names, the same upstream, one thread. */
type Work = {
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  readonly upstreamScheme?: 'tls';
  readonly blocked: readonly string[];
  /** Port of DNS over TLS, if the server supports it and it is measured. */
  readonly dotPort?: number;
  readonly certificate?: { readonly cert: string; readonly key: string };
};

export type Peer = { readonly name: string; readonly command: (work: Work) => readonly string[] };

const written = (folder: string, name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** A response policy zone: the names and their subdomains have the address 0.0.0.0. */
const policyZone = (blocked: readonly string[]): string =>
  [
    '$TTL 300',
    '@ IN SOA localhost. root.localhost. 1 3600 600 86400 300',
    '@ IN NS localhost.',
    ...blocked.flatMap((name) => [`${name} A 0.0.0.0`, `*.${name} A 0.0.0.0`]),
    '',
  ].join('\n');

/** Widely used servers, in the versions of Debian. */
export const peers: readonly Peer[] = [
  {
    name: 'dnsdist',
    command: ({ folder, port, upstreamPort, blocked }) => {
      const names = written(folder, 'blocked.txt', `${blocked.join('\n')}\n`);
      const conf = written(
        folder,
        'dnsdist.conf',
        `setLocal('127.0.0.1:${port}')
newServer({address='127.0.0.1:${upstreamPort}'}):setUp()
setSecurityPollSuffix('')
smn = newSuffixMatchNode()
for line in io.lines('${names}') do smn:add(newDNSName(line)) end
addAction(SuffixMatchNodeRule(smn), SpoofAction({'0.0.0.0'}))
getPool(''):setCache(newPacketCache(100000))
`,
      );
      return ['dnsdist', '--supervised', '-C', conf];
    },
  },
  {
    name: 'Unbound',
    command: ({ folder, port, upstreamPort, upstreamScheme, blocked, dotPort, certificate }) => {
      const tls =
        certificate &&
        `interface: 127.0.0.1@${dotPort}
  tls-port: ${dotPort}
  tls-service-pem: "${certificate.cert}"
  tls-service-key: "${certificate.key}"`;
      const zones = blocked.map((name) => `local-zone: "${name}" always_null`);
      const conf = written(
        folder,
        'unbound.conf',
        `server:
  interface: 127.0.0.1@${port}
  ${tls ?? ''}
  do-daemonize: no
  do-not-query-localhost: no
  username: ""
  chroot: ""
  directory: "${folder}"
  pidfile: ""
  use-syslog: no
  num-threads: 1
  module-config: "iterator"
  access-control: 127.0.0.0/8 allow
  ${zones.join('\n  ')}
forward-zone:
  name: "."
  forward-addr: 127.0.0.1@${upstreamPort}
  forward-tls-upstream: ${upstreamScheme ? 'yes' : 'no'}
remote-control:
  control-enable: no
`,
      );
      return ['unbound', '-d', '-c', conf];
    },
  },
  {
    name: 'Knot Resolver',
    command: ({ folder, port, upstreamPort, blocked }) => {
      const zone = written(folder, 'policy.zone', policyZone(blocked));
      const conf = written(
        folder,
        'kresd.conf',
        `net.listen('127.0.0.1', ${port}, { kind = 'dns' })
modules = { 'policy' }
modules.unload('ta_update')
modules.unload('priming')
trust_anchors.remove('.')
cache.size = 100 * MB
policy.add(policy.rpz(policy.ANSWER({ [kres.type.A] = { rdata = kres.str2ip('0.0.0.0'), ttl = 300 } }), '${zone}'))
policy.add(policy.all(policy.STUB('127.0.0.1@${upstreamPort}')))
`,
      );
      return ['kresd', '-n', '-c', conf, folder];
    },
  },
  {
    name: 'dnsmasq',
    command: ({ folder, port, upstreamPort, blocked }) => {
      const lines = blocked.map((name) => `address=/${name}/0.0.0.0`);
      const conf = written(
        folder,
        'dnsmasq.conf',
        `port=${port}
listen-address=127.0.0.1
bind-interfaces
no-resolv
no-hosts
pid-file=
user=root
server=127.0.0.1#${upstreamPort}
cache-size=100000
${lines.join('\n')}
`,
      );
      return ['dnsmasq', '--keep-in-foreground', '-C', conf];
    },
  },
  {
    name: 'PowerDNS Recursor',
    command: ({ folder, port, upstreamPort, blocked }) => {
      const zone = written(folder, 'policy.zone', `$ORIGIN policy.\n${policyZone(blocked)}`);
      const lua = written(folder, 'recursor.lua', `rpzFile('${zone}', { policyName = 'policy' })\n`);
      written(
        folder,
        'recursor.conf',
        `local-address=127.0.0.1
local-port=${port}
forward-zones-recurse=.=127.0.0.1:${upstreamPort}
lua-config-file=${lua}
security-poll-suffix=
socket-dir=${folder}
threads=1
daemon=no
write-pid=no
dnssec=off
setuid=
setgid=
`,
      );
      return ['pdns_recursor', `--config-dir=${folder}`];
    },
  },
  {
    name: 'BIND',
    command: ({ folder, port, upstreamPort, blocked }) => {
      const zone = written(folder, 'policy.zone', policyZone(blocked));
      const conf = written(
        folder,
        'named.conf',
        `options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  forward only;
  forwarders { 127.0.0.1 port ${upstreamPort}; };
  recursion yes;
  dnssec-validation no;
  pid-file none;
  session-keyfile none;
  response-policy { zone "policy."; } qname-wait-recurse no;
};
controls { };
zone "policy." { type primary; file "${zone}"; };
`,
      );
      return ['named', '-g', '-n', '1', '-c', conf];
    },
  },
];
