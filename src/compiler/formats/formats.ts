import type { Format, WhyNot } from './format.ts';
import type { FormatName } from './format-names.ts';
import { recordType, rpz } from './rpz.ts';
import { BOTH, type RewriteAnswer, type Verdict } from './rule-effects.ts';

export const formats = {
  hosts: {
    ...singleNames('hosts file', '0.0.0.0 {}'),
    whyNoRewrite: ({ kind }) =>
      kind === 'addresses' ? undefined : 'a hosts file can rewrite a name only to addresses',
  },
  domains: { ...singleNames('list of domains', '{}'), whyNoRewrite: () => 'a list of domains cannot rewrite names' },
  dnsmasq: {
    comment: '#',
    annotation: 'For dnsmasq 2.86 or later, as a conf-file',
    opening: () => [],
    reach: 'domain',
    linesFor: dnsmasqLine,
    whyNoRewrite: ({ kind }) => (kind === 'addresses' ? undefined : 'dnsmasq can rewrite a name only to addresses'),
  },
  unbound: {
    comment: '#',
    annotation: 'For Unbound, by include in its configuration',
    opening: () => ['server:'],
    reach: 'domain',
    linesFor: unboundLine,
    // A CNAME is followed only in a zone of the type redirect, which includes all names under it.
    whyNoRewrite: ({ kind }, reach) =>
      kind === 'addresses' || reach === BOTH
        ? undefined
        : 'Unbound can rewrite a name to another name or to REFUSED only together with the names under it',
  },
  rpz,
} as const satisfies Record<Exclude<FormatName, 'adblock'>, Format>;

// These formats have single names only. `||name^` becomes the name, as in all published files of this kind.
function singleNames(file: string, line: string): Omit<Format, 'whyNoRewrite'> {
  const whyNot: WhyNot = {
    block: `a ${file} cannot block the names under a name without the name itself`,
    allow: `a ${file} cannot make exceptions: the names that this one allows are left out`,
    rewrite: `a ${file} cannot rewrite the names under a name without the name itself`,
  };
  return {
    comment: '#',
    annotation: 'Where the list blocks a name and everything under it, only the name is listed',
    opening: () => [],
    reach: 'name',
    linesFor: (self) => {
      if (self === 'block') return [line];
      return addressesOf(self)?.map((address) => `${address} {}`) ?? whyNot;
    },
  };
}

const addressesOf = (verdict: Verdict): readonly string[] | undefined =>
  typeof verdict === 'object' && verdict.kind === 'addresses' ? verdict.addresses : undefined;

function dnsmasqLine(self: Verdict, below: Verdict): readonly string[] {
  const linesOf = (verdict: Verdict, name: string): readonly string[] => {
    if (verdict === 'block') return [`local=/${name}/`];
    if (verdict === 'allow') return [`server=/${name}/#`];
    return addressesOf(verdict)?.map((address) => `address=/${name}/${address}`) ?? [];
  };
  // A line for a name includes its subdomains, and a line for `*.name` overrides it there: blocking or rewriting only the
  // name needs both.
  const under = self !== 'none' && below === 'none' ? 'allow' : below;
  return [...linesOf(self, '{}'), ...(under === self ? [] : linesOf(under, '*.{}'))];
}

const UNBOUND_WHY_NOT: WhyNot = {
  block: 'Unbound cannot block the names under a name without the name itself',
  allow: 'Unbound cannot allow a name and block the names under it',
  rewrite: 'Unbound cannot rewrite a name and answer otherwise for the names under it',
};

function unboundLine(self: Verdict, below: Verdict): readonly string[] | WhyNot {
  if (typeof below === 'object') return self === below ? unboundZone(below) : UNBOUND_WHY_NOT;
  if (below === 'block' && typeof self === 'object')
    return ['local-zone: "{}." static', ...(addressesOf(self)?.map(unboundAddress) ?? [])];
  if (below === 'block') return self === 'block' ? ['local-zone: "{}." always_nxdomain'] : UNBOUND_WHY_NOT;
  return [
    ...(self === 'allow' || below === 'allow' ? ['local-zone: "{}." transparent'] : []),
    // Data in a transparent zone applies to all types, but only to its own name.
    ...(self === 'block' ? ['local-data: "{}. A 0.0.0.0"'] : []),
    ...(addressesOf(self)?.map(unboundAddress) ?? []),
  ];
}

/** The same answer for a name and all names under it. */
function unboundZone(answer: RewriteAnswer): readonly string[] {
  if (answer.kind === 'refused') return ['local-zone: "{}." always_refuse'];
  const data =
    answer.kind === 'cname' ? [`local-data: "{}. CNAME ${answer.target}."`] : answer.addresses.map(unboundAddress);
  return ['local-zone: "{}." redirect', ...data];
}

const unboundAddress = (address: string): string => `local-data: "{}. ${recordType(address)} ${address}"`;
