import fc from 'fast-check';

const oneOf = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const oneWordOf = (text: string): fc.Arbitrary<string> => oneOf(...text.split(' '));
const joined = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''));

const name = fc.oneof(
  oneWordOf('example.com ads.example.com a.b.example.co.uk EXAMPLE.com example.com. _sip.example.com localhost'),
  oneWordOf('пример.рф реклама.example faß.example é é. .é xn--e1afmkfd.xn--p1ai \u00AD.example а.б\0 a/b.é é:1.x'),
  oneWordOf('constructor __proto__ com co.uk github.io a..b -a.example *.example.com *.com'),
  oneWordOf('1.2.3.4 1.2.3. 1.2.3.* 999.1.1.1 ::1 [::1] fe80::1%lo0 0.0.0.0 1.2.3.4^|'),
  fc.constant(`${'a'.repeat(64)}.com`),
);
const modifier = fc.oneof(
  oneWordOf('third-party popup all document=1 ~third-party important badfilter x= dnstype=A $ \\$'),
  oneWordOf('dnsrewrite=NOERROR;TXT;a=b=c denyallow=а.рф|b.com client=a\\,b domain=пример.рф'),
  oneOf('', ' 3p'),
);
const modifiers = fc.array(modifier, { maxLength: 4 }).map((all) => all.join(','));
const blanks = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, oneOf(' ', '\t', '  ', '\u00A0', '\uFEFF', '\v'));
// Half of a surrogate pair stands for nothing, and yet a string can hold it.
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes).replace(/[\r\n]/g, ''));

const rule = fc.oneof(
  joined(oneOf('||', '@@||', '|', '', '@@', '://', '/', '.'), name, oneOf('^', '', '^|', '/', '^x')),
  joined(oneOf('||', '@@||', '|', ''), name, oneOf('^$', '$', '\\$'), modifiers),
  joined(name, oneOf(' ', '\t', '  '), name, oneOf('', ' b.example.com', ' # c $3p', '#x')),
  joined(name, oneWordOf('## #@# #$# #?# $$ #%#'), name),
  oneOf('', '!', '! a comment', '# a comment', '#', '####', '###', '##', '@@', '0.0.0.0  # x', '||^', '/', '//', '$'),
  units,
);
const line = joined(blanks, rule, blanks, fc.oneof({ weight: 4, arbitrary: fc.constant('') }, rule), blanks);

/** Lines of lists as they are and as they should not be; without directives, which are another matter. */
export const lines = fc.array(line, { maxLength: 30 }).map((all) => all.filter((one) => !one.startsWith('!#')));

const piece = fc.oneof(
  fc
    .oneof(
      oneWordOf('|| ^ @@ 0.0.0.0 ads.example.com A.example пример.рф $third-party ## !'),
      oneOf('\n', '\r\n', '\r', ' '),
    )
    .map((text) => Buffer.from(text)),
  // NUL, no UTF-8 at all, byte order marks, characters cut short, a surrogate, and separators that part no lines.
  oneWordOf('00 ff fe efbbbf fffe feff c3 f09f eda080 e280a8 c285').map((hex) => Buffer.from(hex, 'hex')),
);

/** Bytes of a list that may be anything, but has no directives. */
export const content = fc
  .oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.array(piece, { maxLength: 200 }).map((all) => Buffer.concat(all)),
  )
  .filter((bytes) => !linesIn(bytes).some((one) => one.startsWith('!#')));

/** Lines of a list by its documented definition: trimmed as a whole and split at line breaks. */
export function linesIn(bytes: Uint8Array): string[] {
  const marked =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(marked)
    .decode(bytes)
    .trim()
    .split(/[\r\n]+/);
}

export const directives = fc.array(
  fc.oneof(
    oneOf('!#if true', '!#if x', '!#if', '!#if (', '!#if )(', '!#if !', '!#if a && || b', '!#if true&&true'),
    oneOf('!#else', '!#else x', '!#endif', '!#endif', '!#endif x', '!#include', '!#include none.txt', '!#include ://'),
    oneOf('!#safari', '!#', 'a', 'b', '||c.example.com^'),
  ),
  { maxLength: 15 },
);
