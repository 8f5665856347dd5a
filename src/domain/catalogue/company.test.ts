import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyRows } from './companies.ts';
import { type Company, companiesOf, companyCategories, knownDomains, unknownCompany } from './company.ts';
import { isDomainName } from './domain-name.ts';

const known = companiesOf(knownDomains());

const of = (domains: Readonly<Record<string, Company>>) => companiesOf(new Map(Object.entries(domains)));
const ads: Company = { id: 'acme', name: 'Acme', category: 'ADS' };
const cdn: Company = { id: 'acme', name: 'Acme', category: 'CDN' };

test('a domain and everything below it belong to its company', () => {
  assert.deepEqual(known.companyOf('doubleclick.net'), { id: 'google', name: 'Google', category: 'ADS' });
  assert.equal(known.companyOf('a.b.c.d.e.f.stats.g.doubleclick.net')?.id, 'google');
  assert.equal(known.companyOf('notdoubleclick.net'), undefined);
});

test('the longest listed ending decides', () => {
  const { companyOf } = of({ 'acme.example': cdn, 'ads.eu.acme.example': ads });
  assert.equal(companyOf('ads.eu.acme.example'), ads);
  assert.equal(companyOf('x.ads.eu.acme.example'), ads);
  assert.equal(companyOf('eu.acme.example'), cdn);
  assert.equal(companyOf('www.acme.example'), cdn);
});

test('one company has domains of several categories', () => {
  assert.equal(known.companyOf('google-analytics.com')?.category, 'TRACKERS');
  assert.equal(known.companyOf('fonts.gstatic.com')?.category, 'CDN');
  assert.equal(known.companyOf('www.youtube.com')?.category, 'SOCIAL_MEDIA');
  assert.equal(known.companyOf('www.google.com')?.category, 'OTHERS');
});

test('an unlisted name has no company', () => {
  for (const name of ['', '.', 'com', 'localhost', 'example.org', 'a.b.c.d.e.f.g.example.org', '..'])
    assert.equal(known.companyOf(name), undefined, name);
  assert.equal(of({}).companyOf('example.org'), undefined);
});

test('a look-up makes no new company', () => {
  assert.equal(known.companyOf('x.doubleclick.net'), known.companyOf('y.googlesyndication.com'));
});

test('ids have names, also the id for "no company"; ids of old data are shown as they are', () => {
  assert.equal(known.nameOf('google'), 'Google');
  assert.equal(known.nameOf(unknownCompany.id), 'Unknown');
  assert.equal(known.nameOf('long_gone'), 'long_gone');
});

test('the table knows six hundred domains of two hundred companies at least, in every category', () => {
  const companies = [...knownDomains().values()];
  assert.ok(known.domainCount >= 600, String(known.domainCount));
  assert.ok(new Set(companies.map(({ id }) => id)).size >= 200);
  for (const category of companyCategories)
    assert.ok(
      companies.some((company) => company.category === category),
      category,
    );
});

test('ids in the table are lower-case keys, different from the id for "no company", and names are unique', () => {
  const rows = Object.entries(companyRows);
  for (const [id] of rows) assert.match(id, /^[a-z0-9_]+$/);
  assert.ok(!Object.hasOwn(companyRows, unknownCompany.id));
  assert.equal(new Set(rows.map(([, [name]]) => name.trim().toLowerCase())).size, rows.length);
});

test('domains in the table are valid and unique', () => {
  const domains = Object.values(companyRows).flatMap(([, by]) =>
    Object.values(by).flatMap((texts) => texts.split(' ')),
  );
  assert.deepEqual(
    domains.filter((domain) => !isDomainName(domain)),
    [],
  );
  assert.deepEqual(
    domains.filter((domain, at) => domains.indexOf(domain) !== at),
    [],
  );
});

test('no domain in the table says again what a shorter one says', () => {
  const shorter = (domain: string): string => domain.slice(domain.indexOf('.') + 1);
  const idle = [...knownDomains().keys()].filter((domain) => {
    const company = known.companyOf(domain);
    return company === known.companyOf(shorter(domain));
  });
  assert.deepEqual(idle, []);
});

test('all companies are listed by name, with the ids of the log', () => {
  const { list, nameOf } = companiesOf(knownDomains());
  const names = list.map(({ name }) => name);
  assert.deepEqual(names, [...names].sort());
  for (const { id, name } of list) assert.equal(nameOf(id), name);
  assert.ok(list.some(({ id, name }) => id === 'google' && name === 'Google'));
});
