const MAC_BYTES = 6;
const forms = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/,
  /^[0-9a-f]{12}$/,
];

/** Canonical text of a MAC address, `aa:bb:cc:dd:ee:ff`. Reads colons, hyphens, dots (`aabb.ccdd.eeff`) or no separators. */
export function parseMac(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  return forms.some((form) => form.test(lower)) ? withColons(lower.replace(/[:.-]/g, '')) : undefined;
}

/** Canonical text of a MAC address in the six bytes at this offset. */
export const formatMac = (bytes: Uint8Array, at = 0): string =>
  Array.from(bytes.subarray(at, at + MAC_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(':');

const withColons = (digits: string): string => digits.replace(/..(?!$)/g, '$&:');
