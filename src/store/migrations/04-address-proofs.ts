/** Addresses that were linked before stay linked. Older devices have no suffix: their ids are the last 32 bits of their addresses. */
export const addressProofs = [
  'alter table devices add column pending_ip text',
  'alter table devices add column address_suffix text',
];
