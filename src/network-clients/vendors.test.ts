import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packVendors } from '../../scripts/pack-vendors.ts';
import { openVendors, readVendors } from './vendors.ts';

test('the vendor with the longest prefix is found', () => {
  const table = readVendors(
    packVendors([
      { prefix: 0xb827eb, bits: 24, vendor: 'Himbeere' },
      { prefix: 0x70b3d5, bits: 24, vendor: 'Registry' },
      { prefix: 0x70b3d5a, bits: 28, vendor: 'Mitte' },
      { prefix: 0x70b3d5abc, bits: 36, vendor: 'Klein, Größe' },
      { prefix: 0x000000, bits: 24, vendor: 'Xerox' },
      { prefix: 0xfffffffff, bits: 36, vendor: 'Last' },
    ]),
  );
  assert.equal(table.of('b8:27:eb:12:34:56'), 'Himbeere');
  assert.equal(table.of('70:b3:d5:00:00:00'), 'Registry');
  assert.equal(table.of('70:b3:d5:a0:00:00'), 'Mitte');
  assert.equal(table.of('70:b3:d5:ab:cf:ff'), 'Klein, Größe');
  assert.equal(table.of('00:00:00:00:00:01'), 'Xerox');
  assert.equal(table.of('ff:ff:ff:ff:f0:00'), 'Last');
  assert.equal(table.of('b8:27:ec:12:34:56'), undefined);
});

test('the file has the registries of the IEEE', () => {
  const vendorOf = openVendors();
  assert.match(vendorOf('b8:27:eb:00:00:01') ?? '', /^Raspberry Pi/);
  assert.equal(vendorOf('00:03:93:00:00:01'), 'Apple');
  assert.equal(vendorOf('02:00:00:00:00:01'), undefined);
});
