// The software bill of materials in CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { BundledPackage } from '../build-notices.ts';
import { lockedVersion, root, type Target, version } from './target.ts';

export function writeSbom({ arch, libc, node }: Target, file: string): void {
  const bundled = JSON.parse(readFileSync(`${root}dist/packages.json`, 'utf8')) as readonly BundledPackage[];
  const native = ['koffi', `@koromix/koffi-linux-${arch}`].map((name) => ({
    name,
    version: lockedVersion(name),
    license: 'MIT',
  }));
  const runtime = node ? [nodeComponent(lockedVersion(`node-linux-${arch}`))] : [];
  const components = [...[...bundled, ...native].map(npmComponent), ...runtime];
  const purl = `pkg:npm/weir-dns@${version}`;
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${version} ${arch} ${libc} ${JSON.stringify(components)}`)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name: 'weir',
        version,
        purl,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        properties: [{ name: 'platform', value: `linux-${arch}-${libc}` }],
      },
    },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
}

function npmComponent({ name, version: itsVersion, license }: BundledPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${itsVersion}`;
  const isExpression = /\s/.test(license);
  const licenses = isExpression ? [{ expression: license }] : [{ license: { id: license } }];
  return { type: 'library', 'bom-ref': purl, name, version: itsVersion, purl, licenses };
}

function nodeComponent(itsVersion: string) {
  const purl = `pkg:generic/node@${itsVersion}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: itsVersion,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
  };
}

/** UUID version 8 (RFC 9562), a hash of the content, so that builds are reproducible. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
