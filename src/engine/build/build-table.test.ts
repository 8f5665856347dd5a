import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, profileFromText, readLine, secret } from '../../../test/support/engine/lists.ts';
import { slow } from '../../../test/support/kit/slow.ts';
import { createDecider } from '../match/decide.ts';
import { ruleText } from '../rule-text.ts';
import { buildTable } from './build-table.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const build = (text: string, answering = false) => buildTable(bytesOf(text), { secret, answering });
const decider = createDecider(secret);

/** The text of the list's rule that decides a name. */
function ruleFor(text: string, name: string): string | undefined {
  const profile = profileFromText([{ source: 'user rules', lists: [{ id: 'list', text }] }]);
  return ruleText(decider.decide({ name: nameOf(name), at: 0, type: 1 }, profile), readLine);
}

test('every line of a list is accounted for', () => {
  const { report } = build(`! title
# a comment

||a.com^
||a.com^
b.com
0.0.0.0 b.com c.com
127.0.0.1 localhost
||d.com^$third-party
||e.com^$popup,third-party
f.com##.ad
||g.com/path^
||h.com^$dnstype=A
||h.com^$dnstype=a
/[/
`);
  assert.deepEqual(report, {
    rules: 4,
    repeated: 3,
    comments: 2,
    disabledByBadfilter: 0,
    ignored: { 'third-party': 1, popup: 1, 'not for DNS': 1 },
    invalid: { count: 2, first: report.invalid.first },
  });
  assert.deepEqual(
    report.invalid.first.map(({ line, text }) => [line, text]),
    [
      [12, '||g.com/path^'],
      [15, '/[/'],
    ],
  );
});

test('the first hundred invalid lines are shown, and all are counted', () => {
  const { invalid } = build('||a/b^\n'.repeat(250)).report;
  assert.equal(invalid.count, 250);
  assert.equal(invalid.first.length, 100);
  assert.match(invalid.first[0]!.fault.reason, /host name/);
});

test('a list of invented modifiers does not grow the report without bound', () => {
  const text = Array.from({ length: 500 }, (_, nth) => `||a.com^$m${nth}`).join('\n');
  const { ignored } = build(text).report;
  assert.ok(Object.keys(ignored).length <= 101);
  assert.equal(
    Object.values(ignored).reduce((sum, count) => sum + count, 0),
    500,
  );
});

test('lines may end in LF, CRLF or CR, and a byte order mark is not part of the first line', () => {
  for (const text of [
    '||a.com^\n||b.com^\n',
    '||a.com^\r\n||b.com^',
    '\ufeff||a.com^\n||b.com^\r\n',
    '\n\n||a.com^\n\r\n||b.com^',
  ])
    assert.deepEqual(
      [ruleFor(text, 'a.com'), ruleFor(text, 'b.com'), build(text).report.rules],
      ['||a.com^', '||b.com^', 2],
    );
  assert.equal(build('').report.rules, 0);
  assert.equal(build('\ufeff').report.rules, 0);
});

test('invalid UTF-8 invalidates only its own line', () => {
  const { report } = buildTable(Uint8Array.from([...bytesOf('||a.com^\n||'), 0xff, ...bytesOf('.com^\n||b.com^')]), {
    secret,
  });
  assert.equal(report.rules + report.invalid.count, 3);
  assert.ok(report.rules >= 2);
});

test('the deciding rule is reported as written', () => {
  const text = `||a.com^
||B.com^
|c.com^
d.com
0.0.0.0\te.com # comment
10.0.0.1 f.com g.com
@@||h.com^|
*.i.com^
||bücher.de^
j.com # comment
||k.com^$important`;
  const expected = {
    'x.a.com': '||a.com^',
    'b.com': '||B.com^',
    'c.com': '|c.com^',
    'd.com': 'd.com',
    'e.com': '0.0.0.0\te.com # comment',
    'g.com': '10.0.0.1 f.com g.com',
    'h.com': '@@||h.com^|',
    'x.i.com': '*.i.com^',
    'i.com': undefined,
    'xn--bcher-kva.de': '||bücher.de^',
    'j.com': 'j.com # comment',
    'k.com': '||k.com^$important',
  };
  for (const [name, rule] of Object.entries(expected)) assert.equal(ruleFor(text, name), rule, name);
});

test('the text of rules in the usual form is known without reading lines', () => {
  const { buffer } = build('0.0.0.0 a.com\n0.0.0.0\tb.com c.com # two\n');
  const hosts = profileFromText([
    { source: 'user rules', lists: [{ id: 'hosts', text: '0.0.0.0 a.com\n0.0.0.0\tb.com' }] },
  ]);
  const verdict = decider.decide({ name: nameOf('b.com'), at: 0, type: 1 }, hosts);
  const neverRead = (): string => assert.fail('no line is read');
  assert.equal(ruleText(verdict, neverRead), '0.0.0.0 b.com');
  assert.ok(buffer.byteLength > 0);
});

test('a name can have several rules', () => {
  const text = '||a.com^\na.com\n@@||*.a.com^\n||a.com^$dnstype=A\na.com';
  assert.equal(build(text).report.rules, 4);
  assert.equal(build(text).report.repeated, 1);
  assert.equal(ruleFor(text, 'a.com'), 'a.com');
  assert.equal(ruleFor(text, 'x.a.com'), '@@||*.a.com^');
});

test('of equivalent rules, the first is kept', () => {
  assert.equal(ruleFor('|a.com^\n0.0.0.0 a.com\na.com', 'a.com'), '|a.com^');
  assert.equal(
    ruleFor('||a.com^$important,dnstype=A\n||A.com^$dnstype=A,important', 'a.com'),
    '||a.com^$important,dnstype=A',
  );
});

test('$badfilter disables equivalent rules before and after it', () => {
  const text = `||a.com^$badfilter
||a.com^
||A.com^
||a.com^$important
||b.com^$dnstype=A|AAAA
||b.com^$dnstype=AAAA|A,badfilter
@@||c.com^$badfilter
||c.com^`;
  const { report } = build(text);
  assert.equal(report.disabledByBadfilter, 2);
  assert.equal(report.repeated, 1);
  assert.equal(report.rules, 2);
  assert.equal(ruleFor(text, 'a.com'), '||a.com^$important');
  assert.equal(ruleFor(text, 'b.com'), undefined);
  assert.equal(ruleFor(text, 'c.com'), '||c.com^');
});

test('the same text and secret give the same bytes', () => {
  const text = '||a.com^\n||b*.com^\n||c.com^$important\n@@d.com\n/e+/\n';
  assert.deepEqual(new Uint8Array(build(text).buffer), new Uint8Array(build(text).buffer));
  const other = buildTable(bytesOf(text), { secret: new Uint8Array(8) });
  assert.notDeepEqual(new Uint8Array(build(text).buffer), new Uint8Array(other.buffer));
});

test('every name of a large list is found', slow, () => {
  const names = Array.from({ length: 100_000 }, (_, nth) => `n${nth}.a${nth % 97}.com`);
  const profile = profileFromText([{ source: 'adult', lists: [{ id: 'large', text: names.join('\n') }] }]);
  const lost = names.filter((name) => decider.decide({ name: nameOf(name), at: 0, type: 1 }, profile).kind !== 'block');
  assert.deepEqual(lost, []);
});

test('a table takes at most twelve bytes per rule, even with many duplicates, and a small one less than a kilobyte', () => {
  for (const count of [5000, 8191, 8193, 20_000]) {
    const names = Array.from({ length: count }, (_, nth) => `||name-${nth}.example${nth % 7}.com^`);
    for (const text of [names, [...names, ...names, ...names]].map((lines) => lines.join('\n'))) {
      const { buffer, report } = build(text);
      assert.equal(report.rules, count);
      assert.ok(buffer.byteLength / count <= 12, `${buffer.byteLength / count} bytes a rule`);
    }
  }
  const ten = Array.from({ length: 10 }, (_, nth) => `||name${nth}.com^$client=phone${nth}`).join('\n');
  assert.ok(build(ten).buffer.byteLength < 1024);
});
