import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryRecord } from '../../domain/query-record.ts';
import { logPageText } from './log-page.ts';

const record: QueryRecord = {
  time: Date.UTC(2025, 10, 5, 12, 0, 0, 7),
  account: 'a',
  dnsServer: '0badcafe',
  device: '1a2b3c4d',
  domain: 'ads.example',
  type: 65,
  rcode: 3,
  protocol: 'DOT',
  status: 'REQUEST_BLOCKED',
  source: 'PARENTAL_BLOCKED_SERVICE',
  serviceId: 'tiktok',
  clientCountry: 'DE',
  responseCountry: 'QN',
  asn: 64500,
  network: 'Example Net',
  dnssec: true,
  companyId: 'bytedance',
  category: 'SOCIAL_MEDIA',
  clientSubnet: '203.0.113.0/24',
  latencyMs: 23,
};

test('a query is shown by the names of the wire, its time with an offset', () => {
  const pages = [{ number: 1, cursor: '1:1:20:9', isCurrent: true }];
  assert.deepEqual(JSON.parse(logPageText({ items: [record], pages })), {
    items: [
      {
        asn: 64500,
        category_type: 'SOCIAL_MEDIA',
        client_address: '203.0.113.0/24',
        client_country: 'DE',
        company_id: 'bytedance',
        device_id: '1a2b3c4d',
        dns_proto_type: 'DOT',
        dns_request_type: 'TypeHTTPS',
        dns_response_type: 'RcodeNameError',
        dns_server_id: '0badcafe',
        dnssec: true,
        domain: 'ads.example',
        filtering_info: {
          blocked_service_id: 'tiktok',
          filtering_status: 'REQUEST_BLOCKED',
          filtering_type: 'PARENTAL_BLOCKED_SERVICE',
        },
        latency_millis: 23,
        network: 'Example Net',
        response_country: 'QN',
        time_iso: '2025-11-05T12:00:00.007+00:00',
        time_millis: record.time,
      },
    ],
    pages: [{ current: true, page_cursor: '1:1:20:9', page_number: 1 }],
  });
});

test('unknown values are absent, never null', () => {
  const { device: _, source: __, serviceId: ___, asn: ____, clientCountry: _____, ...bare } = record;
  const [item] = JSON.parse(logPageText({ items: [bare], pages: [] })).items;
  assert.deepEqual(
    ['asn', 'client_country'].filter((name) => name in item),
    [],
  );
  // Required by clients of version 1.15.
  assert.equal(item.device_id, '');
  assert.deepEqual(item.filtering_info, { filtering_status: 'REQUEST_BLOCKED' });
});
