const MAX_NAME_LENGTH = 64;

/** Normalises a name: trimmed, NFC, 1 to 64 characters, without control characters. */
export function parseName(text: string): string | undefined {
  const name = text.trim().normalize('NFC');
  const length = Array.from(name).length;
  const isPlain = name.isWellFormed() && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(name);
  return isPlain && length >= 1 && length <= MAX_NAME_LENGTH ? name : undefined;
}

export const nameRequirements = `1 to ${MAX_NAME_LENGTH} characters, without line breaks or other control characters`;
