import { BLOCKED_TEST_DOMAIN } from '../../../src/domain/blocked-test-domain.ts';

/** A subdomain that was never looked up before, so that neither a cache nor the log has it. */
export const newTestDomain = (): string =>
  `weir-test-${crypto.getRandomValues(new Uint32Array(2)).join('-')}.${BLOCKED_TEST_DOMAIN}`;

/** Makes this browser look the domain up. The request fails if the domain is blocked, as it should be. */
export const openTestDomain = (domain: string): void =>
  void fetch(`${location.protocol}//${domain}/`, { mode: 'no-cors', cache: 'no-store' }).catch(() => undefined);
