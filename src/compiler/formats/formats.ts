import type { Format, WhyNot } from './format.ts';
import type { FormatName } from './format-names.ts';
import { rpz } from './rpz.ts';
import type { Verdict } from './rule-effects.ts';

export const formats = {
  hosts: singleNames('hosts file', '0.0.0.0 {}'),
  domains: singleNames('list of domains', '{}'),
  dnsmasq: {
    comment: '#',
    annotation: 'For dnsmasq 2.86 or later, as a conf-file',
    opening: () => [],
    reach: 'domain',
    say: dnsmasqLine,
  },
  unbound: {
    comment: '#',
    annotation: 'For Unbound, by include in its configuration',
    opening: () => ['server:'],
    reach: 'domain',
    say: unboundLine,
  },
  rpz,
} as const satisfies Record<Exclude<FormatName, 'adblock'>, Format>;

// These formats have single names only. `||name^` becomes the name, as in all published files of this kind.
function singleNames(file: string, line: string): Format {
  const whyNot: WhyNot = {
    block: `a ${file} cannot block the names under a name without the name itself`,
    allow: `a ${file} cannot make exceptions: the names that this one allows are left out`,
  };
  return {
    comment: '#',
    annotation: 'Where the list blocks a name and everything under it, only the name is listed',
    opening: () => [],
    reach: 'name',
    say: (self) => (self === 'block' ? [line] : whyNot),
  };
}

function dnsmasqLine(self: Verdict, below: Verdict): readonly string[] {
  const line = { block: (name: string) => `local=/${name}/`, allow: (name: string) => `server=/${name}/#` };
  // A line for a name includes its subdomains, and a line for `*.name` overrides it there: blocking only the name needs
  // both.
  const under = self === 'block' && below === 'none' ? 'allow' : below;
  return [
    ...(self === 'none' ? [] : [line[self]('{}')]),
    ...(under === 'none' || under === self ? [] : [line[under]('*.{}')]),
  ];
}

function unboundLine(self: Verdict, below: Verdict): readonly string[] | WhyNot {
  if (below === 'block' && self === 'block') return ['local-zone: "{}." always_nxdomain'];
  if (below === 'block') {
    return {
      block: 'Unbound cannot block the names under a name without the name itself',
      allow: 'Unbound cannot allow a name and block the names under it',
    };
  }
  return [
    ...(self === 'allow' || below === 'allow' ? ['local-zone: "{}." transparent'] : []),
    // Data in a transparent zone applies to its own name only, and there to every type.
    ...(self === 'block' ? ['local-data: "{}. A 0.0.0.0"'] : []),
  ];
}
