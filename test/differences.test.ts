import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  checkConfiguration,
  compile,
  compileList,
  readAnywhere,
  readRemote,
  type Source,
  type TransformationName,
  transform,
} from '../src/compiler/index.ts';
import { downloader } from '../src/net/download.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { httpOrigin, inTurn, noWaiting, says } from './support/net/origin.ts';
import { compile as compileCommand, rulesOf } from './support/weir.ts';

// A proxy in the environment would intercept requests to the test servers.
for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];

// One suite for each row of the table in docs/compiler.md, named after the behaviour of the original; the tests describe ours.
const rows: string[] = [];

function theOriginal(does: string, tests: () => void): void {
  rows.push(does);
  suite(does, tests);
}

/** The lines of one source in the list, without the headers. */
async function linesOf(source: string, more: Partial<Source> = {}): Promise<string[]> {
  return (await compile({ name: 'T', sources: [{ source, ...more }] })).slice(9);
}

/** The lines of a list in a folder of its own. */
async function linesIn(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  const folder = await temporaryFolder(t, files);
  return linesOf(join(folder, Object.keys(files)[0]!));
}

const inlined = (...lines: string[]): string => ['||first.example.com^', ...lines].join('\n');

theOriginal('the compilation fails at a line `@@`, or `0.0.0.0  # x` without a name', () => {
  const lines = ['||a.example.com^', '@@', '0.0.0.0  # x', '0.0.0.0 \t#', '||b.example.com^'];

  test('steps that rewrite rules leave such a line as it is', () => {
    for (const step of ['ConvertToAscii', 'TrimLines', 'Compress', 'RemoveModifiers'] as const) {
      assert.deepEqual(transform(lines, [step]), lines, step);
    }
  });

  test('such a line does not become an exception when rules are inverted', () => {
    assert.deepEqual(transform(lines, ['InvertAllow']), [
      '@@||a.example.com^',
      ...lines.slice(1, 4),
      '@@||b.example.com^',
    ]);
  });

  test('validators drop it and keep the rules around it', () => {
    for (const validator of [
      'Validate',
      'ValidateAllowIp',
      'ValidateAllowPublicSuffix',
      'ValidateAllowIpAndPublicSuffix',
    ] as const) {
      assert.deepEqual(transform(lines, [validator]), ['||a.example.com^', '||b.example.com^'], validator);
    }
  });

  test('a line of blanks makes none fail either', () => {
    const blank = ['a.example.com', '   ', '\t', 'b.example.com'];
    for (const validator of ['ValidateAllowIp', 'ValidateAllowIpAndPublicSuffix'] as const) {
      const kept = transform(blank, ['InvertAllow', validator]);
      assert.deepEqual(
        kept.filter((line) => line.endsWith('.com')),
        ['@@a.example.com', '@@b.example.com'],
      );
    }
  });
});

theOriginal('lists that include each other never end', () => {
  test('an error names the chain', async (t) => {
    const files = {
      'a.txt': '||a.example.com^\n!#include b.txt',
      'b.txt': '!#include c.txt',
      'c.txt': '!#include b.txt',
    };
    await assert.rejects(linesIn(t, files), /a\.txt -> \S*\/b\.txt -> \S*\/c\.txt -> \S*\/b\.txt/);
    await assert.rejects(linesIn(t, { 'self.txt': '!#include self.txt' }), /self\.txt -> \S*self\.txt/);
  });

  test('so it does when each turn of the circle spells the name in another way', async (t) => {
    await assert.rejects(linesIn(t, { 'a.txt': '!#include ./a.txt' }), /nested more than 10 deep: \S*a\.txt -> /);
  });

  test('so it does for lists on a server', async (t) => {
    const { url } = await httpOrigin(t, says(200, {}, '||a.example.com^\n!#include list.txt'));
    await assert.rejects(linesOf(`${url}list.txt`), /include each other: \S*list\.txt -> \S*list\.txt/);
  });

  const ladder = (depth: number) =>
    Object.fromEntries(
      Array.from({ length: depth + 1 }, (_, at) => [
        `${at}.txt`,
        at < depth ? `||${at}.example.com^\n!#include ${at + 1}.txt` : `||${at}.example.com^`,
      ]).toSorted(([a], [b]) => Number.parseInt(a!, 10) - Number.parseInt(b!, 10)),
    );

  test('includes may be nested 10 deep and no deeper', async (t) => {
    assert.equal((await linesIn(t, ladder(10))).length, 11);
    await assert.rejects(linesIn(t, ladder(11)), /nested more than 10 deep: \S*0\.txt -> \S*1\.txt -> .*11\.txt/);
  });

  test('a list may be included twice, which is not a loop', async (t) => {
    const files = { 'a.txt': '!#include b.txt\n!#include b.txt', 'b.txt': '||b.example.com^' };
    assert.deepEqual(await linesIn(t, files), ['||b.example.com^', '||b.example.com^']);
  });
});

theOriginal('`!#if a&&b` without spaces is always false', () => {
  const holds = async (condition: string): Promise<boolean> =>
    (await linesOf(inlined(`!#if ${condition}`, 'taken', '!#endif'))).includes('taken');

  test('operators work without blanks', async () => {
    for (const condition of ['true&&true', 'true||false', 'false||true', '!false&&true', '(true)&&(true)', 'x||!y']) {
      assert.equal(await holds(condition), true, condition);
    }
    for (const condition of ['true&&false', 'false&&true', 'x||y', '!true||false', '!(true||x)']) {
      assert.equal(await holds(condition), false, condition);
    }
  });

  test('and bind as they do with blanks', async () => {
    for (const [close, wide] of [
      ['true||x&&y', 'true || x && y'],
      ['x&&y||true', 'x && y || true'],
      ['(true||x)&&y', '(true || x) && y'],
      ['!x&&!y', '! x && ! y'],
    ]) {
      assert.equal(await holds(close!), await holds(wide!), close);
    }
  });
});

theOriginal('an `!#if` without `!#else` inside one with `!#else` is an error', () => {
  test('they pair correctly', async () => {
    const outer = ['!#if true', 'a', '!#if true', 'b', '!#endif', 'c', '!#else', 'd', '!#endif', 'e'];
    assert.deepEqual((await linesOf(inlined(...outer))).slice(1), ['a', 'b', 'c', 'e']);
    const unmet = outer.with(2, '!#if windows');
    assert.deepEqual((await linesOf(inlined(...unmet))).slice(1), ['a', 'c', 'e']);
  });

  test('however deep they lie', async () => {
    const text = [
      '!#if true',
      '!#if true',
      '!#if x',
      'a',
      '!#endif',
      'b',
      '!#else',
      'c',
      '!#endif',
      '!#else',
      'd',
      '!#endif',
    ];
    assert.deepEqual((await linesOf(inlined(...text))).slice(1), ['b']);
  });
});

theOriginal(
  'RemoveModifiers cuts values at their second `=`, unescapes `\\,` and drops empty parts, even of rules without these modifiers',
  () => {
    test('rules without a modifier to take keep every byte', () => {
      const rules = [
        '||a.example.com^$dnsrewrite=NOERROR;TXT;key=value=more',
        '||b.example.com^$client=one\\, two\\,three',
        '||c.example.com^$replace=/a=b/c=d/',
        '||d.example.com^$',
        '||e.example.com^$important,',
        '||f.example.com^$,,ctag=x,,',
        '||g.example.com^$domain=',
        '||h.example.com^$ third-party',
        '||i.example.com^$~third-party,Popup,all-of-it',
      ];
      assert.deepEqual(transform(rules, ['RemoveModifiers']), rules);
    });

    test('a rule loses the named modifiers, with their values, and nothing else', () => {
      const rewritten: Record<string, string> = {
        '||a.example.com^$third-party': '||a.example.com^',
        '||b.example.com^$third-party,dnsrewrite=NOERROR;TXT;k=v=w': '||b.example.com^$dnsrewrite=NOERROR;TXT;k=v=w',
        '||c.example.com^$client=one\\,two,popup,ctag=x': '||c.example.com^$client=one\\,two,ctag=x',
        '@@||d.example.com^$document,important': '@@||d.example.com^$important',
        '||e.example.com^$3p,all,doc,network=1,popup': '||e.example.com^',
        '||f.example.com^$,third-party': '||f.example.com^',
      };
      assert.deepEqual(transform(Object.keys(rewritten), ['RemoveModifiers']), Object.values(rewritten));
    });
  },
);

theOriginal(
  'RemoveModifiers and ConvertToAscii damage cosmetic rules (`##`, `#@#`, `#$#`, `#?#`, `$$`) and `$` in comments of hosts lines (`0.0.0.0 a.com # $document`)',
  () => {
    const cosmetic = [
      'пример.example##.реклама.блок',
      '##.баннер.блок',
      'пример.example#@#.реклама.блок',
      'пример.example#$#body { background: url(х.у) }',
      'пример.example#?#div:has(> .а.б)',
      'пример.example#@?#div:has(> .а.б)',
      'пример.example#@$#body { a: б.в }',
      'пример.example$$script[data="а.б"]',
      'example.com##a[href$="x,third-party,y=z=w"]',
      'example.com##a[href$=third-party]',
      'example.com#$#body { color: red }$popup',
      'example.com$$div[id="x$all"]',
      'example.com$@$script[x="a$document"]',
    ];
    for (const step of ['RemoveModifiers', 'ConvertToAscii'] as const) {
      test(`${step} leaves cosmetic rules alone`, () => {
        assert.deepEqual(transform(cosmetic, [step]), cosmetic);
      });
    }

    test('a $ behind the names of a hosts line is not a modifier', () => {
      const lines = ['0.0.0.0 a.example.com # costs $5,third-party', '127.0.0.1 b.example.com #$popup'];
      assert.deepEqual(transform(lines, ['RemoveModifiers']), lines);
    });

    test('comments keep what looks like modifiers', () => {
      const lines = ['! ||a.example.com^$third-party', '# ||a.example.com^$popup'];
      assert.deepEqual(transform(lines, ['RemoveModifiers', 'ConvertToAscii']), lines);
    });
  },
);

theOriginal('ConvertToAscii cuts off paths and ports, and deletes words that are not host names', () => {
  test('words other than host names are not changed', () => {
    const rules = [
      '||пример.example/путь/файл.html',
      '://пример.example/путь',
      '||пример.example:8080^',
      '||пример.example?запрос.ы',
      '||пример.example@тест.example^',
      '||a%.пример.example^',
      '/реклама\\.example/',
      '||пример.example\\путь.х',
    ];
    assert.deepEqual(transform(rules, ['ConvertToAscii']), rules);
  });

  test('a host name becomes ASCII wherever it is', () => {
    const rewritten: Record<string, string> = {
      '||пример.example^': '||xn--e1afmkfd.example^',
      '*.пример.example': '*.xn--e1afmkfd.example',
      '@@||ПРИМЕР.example^$denyallow=тест.example|faß.example':
        '@@||xn--e1afmkfd.example^$denyallow=xn--e1aybc.example|xn--fa-hia.example',
      '0.0.0.0 пример.example тест.example': '0.0.0.0 xn--e1afmkfd.example xn--e1aybc.example',
    };
    assert.deepEqual(transform(Object.keys(rewritten), ['ConvertToAscii']), Object.values(rewritten));
  });

  test('no rule is emptied', () => {
    const odd = [
      '||..é..^',
      'é.',
      '.é',
      'é..é',
      '\u00AD.\u00AD',
      'xn--é.é',
      '||é\u200D.x^',
      '\uFFFD.\uFFFD',
      'é.1.2.3.4',
    ];
    for (const line of transform(odd, ['ConvertToAscii'])) assert.notEqual(line.replace(/[|^]/g, ''), '');
  });
});

theOriginal('`constructor`, `__proto__` and similar names disappear', () => {
  const names = [
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'isPrototypeOf',
  ];

  test('they are rules like others when duplicates are dropped', () => {
    const lines = ['! one', ...names, 'ok', ...names];
    assert.deepEqual(transform(lines, ['Deduplicate']), ['ok', ...names]);
    assert.deepEqual(transform(['! above', '__proto__'], ['Deduplicate']), ['! above', '__proto__']);
  });

  test('they are names like others when names are compressed', () => {
    const hosts = names.map((name) => `0.0.0.0 ${name}`);
    const below = names.map((name) => `0.0.0.0 sub.${name}`);
    const expected = names.map((name) => `||${name}^`);
    assert.deepEqual(transform(hosts, ['Compress']), expected);
    assert.deepEqual(transform([...below, ...hosts, ...hosts], ['Compress']), expected);
    assert.deepEqual(transform(['||valueof^', '||constructor^', 'a.constructor'], ['Compress']), [
      '||valueof^',
      '||constructor^',
    ]);
  });

  test('they name sources and patterns like others', async () => {
    assert.deepEqual(await linesOf(inlined(...names), { name: '__proto__', exclusions: ['constructor'] }), [
      '!',
      '||first.example.com^',
      ...names.filter((name) => name !== 'constructor'),
    ]);
  });
});

theOriginal('a line break in a name or description ends the header comment', () => {
  test('it becomes a space', async () => {
    const timestamp = new Date('2026-11-15T08:00:00Z');
    const lines = await compile(
      {
        name: 'Mine\n||evil.example.com^',
        description: 'a\r\nb',
        version: '1\r2',
        homepage: 'x\n\n\ny',
        license: '\n||evil.example.com^\n',
        sources: [
          { source: inlined(), name: 'Own\n||evil.example.com^' },
          { source: inlined('||second.example.com^') },
        ],
      },
      { timestamp, compiledBy: 'us' },
    );
    assert.deepEqual(lines, [
      '!',
      '! Title: Mine ||evil.example.com^',
      '! Description: a b',
      '! Version: 1 2',
      '! Homepage: x y',
      '! License:  ||evil.example.com^ ',
      '! Last modified: 2026-11-15T08:00:00.000Z',
      '!',
      '! Compiled by us',
      '!',
      '!',
      '! Source name: Own ||evil.example.com^',
      '! Source: inline rules',
      '!',
      '||first.example.com^',
      '!',
      '! Source: inline rules',
      '!',
      '||first.example.com^',
      '||second.example.com^',
    ]);
  });

  test('also in the header line of a skipped source', async () => {
    const source = 'none.txt\u2028\n!#include ||evil.example.com^';
    const lines = await compile({ name: 'T', sources: [{ source }] }, { onSourceError: 'skip' });
    assert.ok(
      lines.every((line) => line.startsWith('!')),
      lines.join('\n'),
    );
  });
});

theOriginal('a body that looks like JSON fails or loses its quotes', () => {
  test('it is text', async (t) => {
    for (const type of ['text/plain', 'application/json']) {
      for (const body of ['{"a": 1}', '["||a.example.com^"]', '"||a.example.com^"', '123', 'true', 'null', '""']) {
        const { url } = await httpOrigin(t, says(200, { 'content-type': type }, body));
        assert.deepEqual(await linesOf(url), [body], `${type}: ${body}`);
      }
    }
  });
});

theOriginal('UTF-8 only', () => {
  const rule = '||é-и.example^';
  const read = async (t: TestContext, type: string, body: Buffer): Promise<string[]> =>
    linesOf((await httpOrigin(t, says(200, { 'content-type': type }, body))).url);

  test('the charset of the answer is honoured', async (t) => {
    const latin1 = Buffer.from('||é.example^', 'latin1');
    assert.deepEqual(await read(t, 'text/plain; charset=iso-8859-1', latin1), ['||é.example^']);
    assert.deepEqual(await read(t, 'text/plain;format=flowed; Charset="Latin1"', latin1), ['||é.example^']);
    assert.deepEqual(await read(t, 'text/plain; charset=windows-1251', Buffer.from([0xe8, 0x0a, 0x78])), ['и', 'x']);
    assert.deepEqual(await read(t, 'text/plain; charset=utf-8', Buffer.from(rule)), [rule]);
  });

  test('without one, or with an unknown one, text is UTF-8', async (t) => {
    for (const type of ['text/plain', 'text/plain; charset=', 'text/plain; charset=klingon']) {
      assert.deepEqual(await read(t, type, Buffer.from(rule)), [rule], type);
    }
  });

  test('UTF-16 with a byte order mark is read in both orders, from servers and files', async (t) => {
    const little = Buffer.from(`\uFEFF${rule}\r\n||b.example.com^\n`, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      const expected = [rule, '||b.example.com^'];
      assert.deepEqual(await read(t, 'text/plain', bytes), expected);
      assert.deepEqual(await read(t, 'text/plain; charset=utf-8', bytes), expected);
      assert.deepEqual(await linesIn(t, { 'a.txt': bytes }), expected);
    }
  });
});

theOriginal('content types `text/plain`, `text/html`, `application/octet-stream`', () => {
  const answers = async (t: TestContext, type: string | undefined, body = '||a.example.com^'): Promise<string[]> =>
    linesOf((await httpOrigin(t, says(200, type === undefined ? {} : { 'content-type': type }, body))).url);

  test('any text, bytes of any kind, JSON or none are taken', async (t) => {
    for (const type of [
      undefined,
      'text/plain',
      'text/css',
      'text/html; charset=utf-8',
      'TEXT/X-anything',
      'application/octet-stream',
      'application/json',
    ]) {
      assert.deepEqual(await answers(t, type), ['||a.example.com^'], type);
    }
  });

  test('anything else is rejected, and the error names it', async (t) => {
    for (const type of ['image/png', 'application/pdf', 'application/zip', 'video/text']) {
      await assert.rejects(answers(t, type), new RegExp(`Response content type should be one of.* is ${type}`));
    }
  });

  test('an HTML page is rejected with any name', async (t) => {
    for (const page of [
      '<!DOCTYPE html>\n<title>Not found</title>',
      '<html>',
      '\n \t<!doctype HTML>',
      '<HTML lang="en">',
    ]) {
      for (const type of ['text/html', 'text/plain', undefined]) {
        await assert.rejects(answers(t, type, page), /answered an HTML page, not a list/);
      }
    }
  });

  test('a list that speaks of HTML is a list', async (t) => {
    const body = '! <!doctype html>\n||a.example.com^';
    assert.deepEqual(await answers(t, 'text/html', body), body.split('\n'));
  });
});

theOriginal('a compressed file, a binary file or an HTML page is read as rules', () => {
  test('a gzip file is decompressed; binary files and HTML pages are refused by name', async (t) => {
    assert.deepEqual(await linesIn(t, { 'a.gz': gzipSync('||a.example.com^') }), ['||a.example.com^']);
    await assert.rejects(linesIn(t, { 'a.bin': 'a\0b.example.com' }), /a\.bin is binary, not text/);
    await assert.rejects(linesIn(t, { 'a.html': '<!doctype html>\n<p>' }), /a\.html/);
  });
});

theOriginal('`$schema` is an error', () => {
  const base = { name: 'T', sources: [{ source: inlined() }] };

  test('it is ignored, whatever it holds', () => {
    for (const $schema of ['https://example.org/schema.json', 7, null, {}]) {
      assert.equal(checkConfiguration({ $schema, ...base }).ok, true);
    }
  });

  test('every other unknown member is an error that names the nearest known one', () => {
    const faultsOf = (value: unknown) => {
      const checked = checkConfiguration(value);
      return checked.ok ? [] : checked.error.map(({ path, message }) => `${path} ${message}`);
    };
    assert.deepEqual(faultsOf({ ...base, tranformations: [] }), [
      'tranformations is not known; did you mean "transformations"?',
    ]);
    assert.deepEqual(faultsOf({ ...base, sources: [{ source: 'a', exclusion_sources: [] }] }), [
      'sources[0].exclusion_sources is not known; did you mean "exclusions_sources"?',
    ]);
    assert.match(faultsOf({ ...base, colour: 'blue' })[0]!, /^colour is not known; known are .*"name"/);
    assert.match(faultsOf({ ...base, sources: [{ source: 'a', $schema: 'x' }] })[0]!, /^sources\[0\]\.\$schema /);
    assert.match(faultsOf(JSON.parse('{"name":"T","sources":[{"source":"a"}],"__proto__":{}}'))[0]!, /^__proto__ /);
  });
});

theOriginal('JSON', () => {
  test('both JSON and YAML are compiled, to the same list', async (t) => {
    const cwd = await temporaryFolder(t, {
      'a.json': '{"name": "T", "sources": [{"source": "||a.example.com^\\n||b.example.com^"}]}',
      'a.yaml': '# mine\nname: T\nsources:\n  - source: |\n      ||a.example.com^\n      ||b.example.com^\n',
    });
    const lists = await Promise.all(
      ['a.json', 'a.yaml'].map((file) =>
        compileCommand(['-c', file, '-o', '-', '-q', '--timestamp', '2026-11-15T08:00:00Z'], { cwd }),
      ),
    );
    assert.deepEqual(rulesOf(lists[0]!.stdout), ['||a.example.com^', '||b.example.com^']);
    assert.deepEqual(lists[1], lists[0]);
  });
});

theOriginal('paths and URLs only; `file://` is a path', () => {
  test('a file URL is read, with blanks and all', async (t) => {
    const folder = await temporaryFolder(t, { 'my lists/a%20.txt': '||a.example.com^' });
    const { href } = pathToFileURL(join(folder, 'my lists/a%20.txt'));
    assert.deepEqual(await linesOf(href), ['||a.example.com^']);
  });

  test('rules can be inline in the configuration', async () => {
    assert.deepEqual(await linesOf('||a.example.com^'), ['||a.example.com^']);
    assert.deepEqual(await linesOf('@@||a.example.com^$important'), ['@@||a.example.com^$important']);
    assert.deepEqual(await linesOf('0.0.0.0 a.example.com'), ['0.0.0.0 a.example.com']);
    assert.deepEqual(await linesOf('a.example.com\r\n\r\n# b\n'), ['a.example.com', '# b']);
  });

  test('anything else is a missing file', async () => {
    await assert.rejects(linesOf('a.example.com'), /ENOENT/);
  });

  test('a service that reads only URLs and rules can never be talked into a file', async () => {
    const read = readRemote(downloader());
    for (const source of ['/etc/hosts', 'file:///etc/hosts', 'package.json', '../package.json']) {
      const wanted = compile({ name: 'T', sources: [{ source }] }, { read });
      await assert.rejects(wanted, /not an http\(s\) URL and not rules/, source);
    }
    const included = compile({ name: 'T', sources: [{ source: '||a.example.com^\n!#include /etc/hosts' }] }, { read });
    await assert.rejects(included, /not an http\(s\) URL/);
  });
});

theOriginal('sources are read one after the other, without timeout or retry', () => {
  const nothing = { read: () => Promise.resolve(undefined), missing: (path: string) => new Error(path) };

  test('sources are read in parallel', async (t) => {
    let asked = 0;
    const { url } = await httpOrigin(t, (request, response) => {
      const all = ++asked === 4;
      // Each response waits for the last request, so sequential requests would never be answered.
      void (async () => {
        while (!all && asked < 4) await setTimeout(5);
        says(200, {}, `||${request.url?.slice(1)}.example.com^`)(request, response);
      })();
    });
    const names = ['d', 'c', 'b', 'a'];
    const list = await compile({ name: 'T', sources: names.map((name) => ({ source: `${url}${name}` })) });
    assert.deepEqual(
      rulesOf(list.join('\n')),
      names.map((name) => `||${name}.example.com^`),
    );
  });

  test('a source that does not answer in time is given up', async (t) => {
    const { url } = await httpOrigin(t, () => {});
    const download = downloader({ timeoutMs: 50, ...noWaiting().settings });
    const wanted = compile({ name: 'T', sources: [{ source: url }] }, { read: readAnywhere(download, nothing) });
    await assert.rejects(wanted, /it took too long/);
  });

  test('a source that fails for a moment is requested again, at most three times', async (t) => {
    const { settings, waits } = noWaiting();
    const read = readAnywhere(downloader(settings), nothing);
    const mended = inTurn(says(503), says(429), says(500), says(200, {}, '||a.example.com^'));
    const source = (await httpOrigin(t, mended)).url;
    assert.equal((await compile({ name: 'T', sources: [{ source }] }, { read })).at(-1), '||a.example.com^');
    assert.deepEqual(waits, [1000, 2000, 4000]);

    const broken = inTurn(says(503));
    const other = (await httpOrigin(t, broken)).url;
    await assert.rejects(compile({ name: 'T', sources: [{ source: other }] }, { read }), /is invalid: 503/);
    assert.equal(broken.asked.length, 4);
  });

  test('a missing source is not requested again', async (t) => {
    const answer = inTurn(says(404));
    const { url } = await httpOrigin(t, answer);
    await assert.rejects(linesOf(url), /is invalid: 404/);
    assert.equal(answer.asked.length, 1);
  });
});

theOriginal('reports the first error of a configuration', () => {
  test('all of them are reported, each with its path', async () => {
    const configuration = {
      description: null,
      sources: [{ name: '' }, { source: 'a', type: 'Hosts', transformations: ['compress'] }],
      transformations: ['Validate', 'ValidateAllowIp'],
      exclusions: 'x',
      inclusions: ['/(/'],
    };
    await assert.rejects(compileList(configuration), (error: Error) => {
      const paths = error.message
        .split('\n  ')
        .slice(1)
        .map((line) => line.split(':')[0]);
      assert.match(error.message, /^Failed to validate configuration:/);
      assert.deepEqual(
        new Set(paths),
        new Set([
          'description',
          'exclusions',
          'inclusions[0]',
          'name',
          'sources[0].name',
          'sources[0].source',
          'sources[1].transformations[0]',
          'sources[1].type',
          'transformations',
        ]),
      );
      return true;
    });
  });

  test('a validator on both levels is reported for each source that has one', () => {
    const transformations: TransformationName[] = ['ValidateAllowIp'];
    const checked = checkConfiguration({
      name: 'T',
      sources: [{ source: 'a', transformations }, { source: 'b' }, { source: 'c', transformations }],
      transformations: ['Validate'],
    });
    assert.ok(!checked.ok);
    assert.deepEqual(
      checked.error.map(({ path }) => path),
      ['sources[0].transformations', 'sources[2].transformations'],
    );
  });
});

theOriginal('—', () => {
  const warningsOf = async (source: string) =>
    (await compileList({ name: 'T', sources: [{ source }] })).report.warnings.join('\n');

  test('a warning counts rules that differ only in case, and all of them stay', async () => {
    const source = inlined(
      '||a.Example.com^',
      '||a.example.com^',
      '||b.Example.com^',
      '||b.example.com^',
      '||c.Example.com^',
    );
    assert.match(await warningsOf(source), /^2 rules differ from another only in upper and lower case/);
    assert.equal((await linesOf(source)).length, 6);
  });

  test('without such rules there is none', async () => {
    assert.equal(await warningsOf(inlined('||A.example.com^', '||b.example.com^', '! First.example.com')), '');
  });
});

suite('kept although it may surprise', () => {
  test('a first word of hexadecimal digits makes a hosts line', () => {
    const lines = ['add a.example.com', 'dead.beef: b c', 'Add d.example.com', 'good e.example.com'];
    assert.deepEqual(transform(lines, ['Compress']), ['||a.example.com^', '||b^', '||c^', ...lines.slice(2)]);
    assert.deepEqual(transform(lines, ['InvertAllow']), [...lines.slice(0, 2), ...lines.slice(2).map((x) => `@@${x}`)]);
  });

  test('upper-case names stay and are compared as they are', () => {
    const lines = ['||Example.com^', '||example.com^', '||a.Example.com^', '0.0.0.0 EXAMPLE.COM', 'Example.Com'];
    assert.deepEqual(transform(lines, ['Compress', 'Deduplicate']), [
      '||Example.com^',
      '||example.com^',
      '||a.Example.com^',
      '||EXAMPLE.COM^',
      '||Example.Com^',
    ]);
  });

  test('exclusions are applied to the line as it was read', async () => {
    const source = '0.0.0.0 a.example.com\n||a.example.com^\n  ||b.example.com^';
    const transformations: TransformationName[] = ['Compress', 'TrimLines'];
    const lines = await linesOf(source, { transformations, exclusions: ['||a.example.com^', '/^\\|\\|b/'] });
    assert.deepEqual(lines, ['||a.example.com^', '||b.example.com^']);
  });

  test('an empty source is one empty line', async (t) => {
    for (const content of ['', ' \n\t\r\n', '\uFEFF']) assert.deepEqual(await linesIn(t, { 'a.txt': content }), ['']);
  });

  test('ValidateAllowIp rewrites a rule with an address and cuts values at the second "="', () => {
    const lines = ['1.2.3.4', '|1.2.3.4^$dnsrewrite=a=b,client=x=y', '||1.2.3.4^$dnsrewrite=a=b', '1.2.3.*'];
    assert.deepEqual(transform(lines, ['ValidateAllowIp']), [
      '||1.2.3.4^',
      '||1.2.3.4^$dnsrewrite=a,client=x',
      '||1.2.3.4^$dnsrewrite=a=b',
      '||1.2.3.*',
    ]);
  });

  test('a root-relative include of a remote list is looked for in the folder of the list', async (t) => {
    const { url } = await httpOrigin(t, (request, response) => {
      const body = request.url === '/lists/a.txt' ? '!#include /b.txt' : `from ${request.url}`;
      says(200, {}, body)(request, response);
    });
    assert.deepEqual(await linesOf(`${url}lists/a.txt`), ['from /lists//b.txt']);
  });

  test('so is an absolute include of a file in a folder, and a URL there is an error', async (t) => {
    const files = { 'lists/a.txt': '!#include /b.txt', 'lists/b.txt': '||b.example.com^' };
    assert.deepEqual(await linesIn(t, files), ['||b.example.com^']);
    await assert.rejects(linesIn(t, { 'a.txt': '!#include https://example.org/b.txt' }), /Invalid url/);
  });

  test('every line that begins with !#include is an include, and other directives are comments', async () => {
    await assert.rejects(linesOf(inlined('!#included')), /'!#included'/);
    const comments = ['!#safari_cb_affinity(general)', '!+ PLATFORM(x)', ' !#if true', '!#IF true'];
    assert.deepEqual((await linesOf(inlined(...comments))).slice(1), comments);
  });

  test('in a branch that is not taken, an !#else goes to the last !#if that has none', async () => {
    const own = ['!#if x', '!#if true', 'a', '!#else', 'b', '!#endif', '!#else', 'c', '!#endif', 'd'];
    assert.deepEqual((await linesOf(inlined(...own))).slice(1), ['c', 'd']);
    const lost = ['!#if x', '!#if true', 'a', '!#endif', '!#else', 'c', '!#endif', 'd'];
    assert.deepEqual((await linesOf(inlined(...lost))).slice(1), ['d']);
  });
});

test('every row of the table in docs/compiler.md has its tests here', () => {
  const document = readFileSync(new URL('../docs/compiler.md', import.meta.url), 'utf8');
  const table = document.split('| the original | Weir |\n|---|---|\n')[1]!.split('\n\n')[0]!;
  assert.deepEqual(
    rows,
    table.split('\n').map((row) => row.split(' | ')[0]!.slice(2)),
  );
});
