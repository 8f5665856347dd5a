import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Companies } from './company.ts';
import { type CompanyAdditions, openCompanies } from './company-data.ts';

function opened(additions?: CompanyAdditions): Companies {
  const companies = openCompanies(additions);
  assert.ok(companies.ok, JSON.stringify(companies));
  return companies.value;
}

function faultsOf(additions: CompanyAdditions): string[] {
  const companies = openCompanies(additions);
  assert.ok(!companies.ok);
  return companies.error.map(({ path, message }) => `${path}: ${message}`);
}

const trackers = {
  timeUpdated: '2026-01-01T00:00:00Z',
  categories: { 4: 'advertising' },
  trackers: {
    acme_ads: { name: 'Acme Ads', categoryId: 4, url: 'https://acme.example/', companyId: 'acme', source: 'AdGuard' },
    acme_cdn: { name: 'Acme CDN', categoryId: 9, url: null, companyId: 'acme' },
    Loner: { name: 'The Loner', categoryId: 6, url: null, companyId: null },
  },
  trackerDomains: { 'ads.acme.example': 'acme_ads', 'Acme.example': 'acme_cdn', 'loner.example': 'Loner' },
};
const companies = {
  companies: { acme: { name: 'Acme Inc.', websiteUrl: 'https://acme.example/', description: null } },
};

const withCategory = (categoryId: number) =>
  opened({ trackers: { trackers: { t: { name: 'T', categoryId } }, trackerDomains: { 't.example': 't' } } }).companyOf(
    't.example',
  )?.category;

test('without data of an operator there are the companies that Weir knows', () => {
  assert.equal(opened().companyOf('www.facebook.com')?.name, 'Meta');
});

test('domains of a data set belong to the companies it names', () => {
  const { companyOf, nameOf } = opened({ trackers, companies });
  assert.deepEqual(companyOf('x.ads.acme.example'), { id: 'acme', name: 'Acme Inc.', category: 'ADS' });
  assert.deepEqual(companyOf('acme.example'), { id: 'acme', name: 'Acme Inc.', category: 'CDN' });
  assert.equal(nameOf('acme'), 'Acme Inc.');
  assert.equal(companyOf('doubleclick.net')?.id, 'google');
});

test('a company without a name has the name of its tracker', () => {
  assert.equal(opened({ trackers }).companyOf('ads.acme.example')?.name, 'Acme Ads');
});

test('an id has one name: the first one given', () => {
  const { companyOf } = opened({ trackers });
  assert.equal(companyOf('acme.example')?.name, companyOf('ads.acme.example')?.name);
});

test('a name that is brought is the name of our company too', () => {
  const renamed = opened({ companies: { companies: { google: { name: 'Alphabet' } } } });
  assert.equal(renamed.companyOf('doubleclick.net')?.name, 'Alphabet');
  assert.equal(renamed.nameOf('google'), 'Alphabet');
});

test('a tracker without a company is its own company', () => {
  const loner = { id: 'loner', name: 'The Loner', category: 'TRACKERS' };
  assert.deepEqual(opened({ trackers, companies }).companyOf('loner.example'), loner);
});

test('imported data takes precedence over the built-in data', () => {
  const taken = { ...trackers, trackerDomains: { 'doubleclick.net': 'acme_ads' } };
  assert.equal(opened({ trackers: taken, companies }).companyOf('ad.doubleclick.net')?.id, 'acme');
  assert.equal(opened({ trackers: taken, companies }).domainCount, opened().domainCount);
});

test('the numbers of categories become the five that statistics have', () => {
  const numbers = [3, 4, 6, 7, 9, 15, 101, 0, 1, 2, 5, 8, 10, 11, 12, 13, 14, 999];
  const [ads, trackers, others] = ['ADS', 'TRACKERS', 'OTHERS'];
  assert.deepEqual(numbers.slice(0, 7).map(withCategory), [
    ads,
    ads,
    trackers,
    'SOCIAL_MEDIA',
    'CDN',
    trackers,
    trackers,
  ]);
  assert.deepEqual(new Set(numbers.slice(7).map(withCategory)), new Set([others]));
});

test('every error is reported with its position', () => {
  const wrong = {
    trackers: {
      a: 7,
      b: { categoryId: 4 },
      c: { name: 'C', categoryId: '4' },
      d: { name: 'D', categoryId: 4, companyId: 1 },
      e: { name: 'E', categoryId: 4 },
    },
    trackerDomains: {
      'a.example': 'a',
      'x.example': 'nobody',
      'y.example': null,
      'not a name': 'e',
      'z.example': 'toString',
    },
  };
  assert.deepEqual(faultsOf({ trackers: wrong, companies: { companies: { acme: { name: 1 } } } }), [
    'companies.companies["acme"].name: expected text, got the number 1',
    'trackers.trackers["a"]: expected an object, got the number 7',
    'trackers.trackers["b"].name: expected text, got undefined',
    'trackers.trackers["c"].categoryId: expected the number of a category, got "4"',
    'trackers.trackers["d"].companyId: expected the id of a company or null, got the number 1',
    'trackers.trackerDomains["x.example"]: expected the id of a tracker, got "nobody"',
    'trackers.trackerDomains["y.example"]: expected the id of a tracker, got null',
    'trackers.trackerDomains["not a name"]: "not a name" is not a domain name',
    'trackers.trackerDomains["z.example"]: expected the id of a tracker, got "toString"',
  ]);
});

test('files of another form are refused', () => {
  assert.deepEqual(faultsOf({ trackers: [], companies: 'x' }), [
    'companies.companies: expected a file with this member, got "x"',
    'trackers.trackers: expected a file with this member, got a list',
    'trackers.trackerDomains: expected a file with this member, got a list',
  ]);
  assert.deepEqual(faultsOf({ trackers: { lists: 1 }, companies: { acme: {} } }), [
    'companies.companies: expected an object, got undefined',
    'trackers.trackers: expected an object, got undefined',
    'trackers.trackerDomains: expected an object, got undefined',
  ]);
});

test('of very many errors the first are reported and the rest counted', () => {
  const domains = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d${at}.example`, 'nobody']));
  const faults = faultsOf({ trackers: { trackers: {}, trackerDomains: domains } });
  assert.equal(faults.length, 21);
  assert.equal(faults.at(-1), ': and 30 more errors');
});
