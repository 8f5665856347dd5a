/** Major, minor and patch; a pre-release (after a hyphen) is older than its version. */
const pattern = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** The version in the answer of a release API: JSON with `version` or `tag_name`, or text. */
export function versionIn(text: string): string | undefined {
  const found = pattern.exec(versionText(text.trim()));
  return found ? `${found.slice(1, 4).join('.')}${found[4] ?? ''}` : undefined;
}

function versionText(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const { version, tag_name: tag } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return [version, tag].find((value) => typeof value === 'string') ?? '';
  } catch {
    return '';
  }
}

/** Returns false if one of them is not a version. */
export function isNewerVersion(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => pattern.exec(text));
  if (!one || !other) return false;
  for (const part of [1, 2, 3]) if (one[part] !== other[part]) return Number(one[part]) > Number(other[part]);
  return one[4] === undefined && other[4] !== undefined;
}
