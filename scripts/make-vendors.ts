// Makes src/network-clients/vendors.br, the vendors of MAC address prefixes, from the public registries of the IEEE. Run it by hand:
//   apt-get install ieee-data && node scripts/make-vendors.ts [FOLDER]
// FOLDER has oui.csv, mam.csv and oui36.csv as published at https://standards-oui.ieee.org.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Assignment, packVendors } from './pack-vendors.ts';

const registries = [
  { file: 'oui.csv', bits: 24 },
  { file: 'mam.csv', bits: 28 },
  { file: 'oui36.csv', bits: 36 },
] as const;

const folder = process.argv[2] ?? '/usr/share/ieee-data';
const assignments = registries.flatMap(({ file, bits }) =>
  [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^MA-[LMS],([0-9A-F]+),("(?:[^"]|"")*"|[^,\n]*),/gm)].flatMap(
    ([, prefix = '', name = '']): Assignment[] => {
      const vendor = shortName(name);
      return vendor === '' ? [] : [{ prefix: Number.parseInt(prefix, 16), bits, vendor }];
    },
  ),
);
// A prefix may be in a registry twice.
const unique = new Map(assignments.map((assignment) => [`${assignment.bits} ${assignment.prefix}`, assignment]));
const packed = packVendors([...unique.values()]);
const compressed = brotliCompressSync(packed, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
});
writeFileSync(fileURLToPath(new URL('../src/network-clients/vendors.br', import.meta.url)), compressed);
console.log(`${unique.size} prefixes, ${packed.length} bytes, compressed ${compressed.length}`);

/** Strips the legal form: `Apple, Inc.` becomes `Apple`. Empty for private registrations. */
function shortName(quoted: string): string {
  const name = quoted
    .replace(/^"|"$/g, '')
    .replaceAll('""', '"')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (/^(?:private|ieee registration authority)$/i.test(name)) return '';
  const form =
    /[\s,.]+(?:(?:co|corp|corporation|company|inc|incorporated|ltd|limited|llc|l\.l\.c|gmbh(?: & co\.? kg)?|ag|kg|s\.?a\.?s?|s\.?p\.?a|s\.?r\.?l|b\.?v|n\.?v|oy|ab|a\/s|as|pty|pte|plc|kk|k\.k|sdn bhd|technologies co)\.?)$/i;
  let short = name;
  for (let before = ''; short !== before; ) {
    before = short;
    short = short.replace(form, '').replace(/[\s,.]+$/, '');
  }
  return short === '' ? name : short;
}
