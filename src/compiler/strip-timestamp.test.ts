import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripTimestamp } from './strip-timestamp.ts';

const settled = (list: string): string => Buffer.from(stripTimestamp(Buffer.from(list))).toString();

test('the date of the header is removed, its line is kept', () => {
  const list = '!\n! Title: T\n! Last modified: 2026-11-15T08:00:00.000Z\n!\n||a.example.com^\n';
  assert.equal(settled(list), '!\n! Title: T\n! Last modified: \n!\n||a.example.com^\n');
});

test('the date is removed from the header of any format', () => {
  for (const mark of ['#', ';']) {
    assert.equal(settled(`${mark} Last modified: 2026\n${mark}\n`), `${mark} Last modified: \n${mark}\n`);
  }
});

test('the serial of a policy zone is removed', () => {
  const zone =
    '; Last modified: 2026\n$TTL 300\n@ SOA localhost. root.localhost. 1794729600 3600 600\n@ NS localhost.\n';
  assert.equal(settled(zone), '; Last modified: \n$TTL 300\n@ SOA \n@ NS localhost.\n');
});

test('lists that differ only in their date are equal without it', () => {
  const list = (date: string): string => `! Last modified: ${date}\n||a.example.com^`;
  assert.equal(settled(list('2025-01-01')), settled(list('2026-11-15T08:00:00Z')));
  assert.notEqual(settled(list('2025-01-01')), settled(`${list('2025-01-01')}\n||b.example.com^`));
});

test('a date at the end of a list is removed, too', () => {
  assert.equal(settled('! Last modified: 2026'), '! Last modified: ');
});

test('a list without a date is unchanged', () => {
  for (const list of ['', '\n', '||a.example.com^\n||b.example.com^']) assert.equal(settled(list), list);
});

test('the date of a source below the header is kept', () => {
  const list = (date: string): string => `! Last modified: x\n!\n! Source: a.txt\n! Last modified: ${date}\n`;
  assert.notEqual(settled(list('monday')), settled(list('tuesday')));
});

test('a line far below the header that resembles a date is kept', () => {
  const rules = '||a.example.com^\n'.repeat(5000);
  assert.equal(settled(`${rules}! Last modified: 2026`), `${rules}! Last modified: 2026`);
});

test('a title that contains a date line does not hide the real one', () => {
  const list = (date: string): string => `!\n! Title: Last modified: by me\n! Last modified: ${date}\n!\n`;
  assert.equal(settled(list('2025')), settled(list('2026')));
});

test('a rule that looks like the serial of a zone is a rule', () => {
  const list = (serial: number): string => `!\n! Last modified: x\n!\n@ SOA localhost. ${serial}\n`;
  assert.notEqual(settled(list(1)), settled(list(2)));
});

test('the passed list is not modified', () => {
  const list = Buffer.from('! Last modified: 2026\n||a.example.com^');
  stripTimestamp(list);
  assert.equal(list.toString(), '! Last modified: 2026\n||a.example.com^');
});
