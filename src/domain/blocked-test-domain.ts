/** A domain that nearly every filter list blocks: the page "Network" looks up a subdomain to show that blocking works. */
export const BLOCKED_TEST_DOMAIN = 'doubleclick.net';
