/** The browser or program and the operating system in a `User-Agent`, if known. */
export type DescribedUserAgent = { readonly program?: string; readonly system?: string };

// The first match is used: Edge and Opera also contain Chrome, and Chrome contains Safari.
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|Chromium|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

// Android also contains Linux, and browsers on iPhones contain Mac OS X.
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iOS', /\biPhone\b/],
  ['iPadOS', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac ?OS ?X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
  ['FreeBSD', /\bFreeBSD\b/],
];

export function describeUserAgent(text: string): DescribedUserAgent {
  const program = browserOf(text) ?? programOf(text);
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0];
  return { ...(program !== undefined && { program }), ...(system !== undefined && { system }) };
}

function browserOf(text: string): string | undefined {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(text)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return undefined;
}

/** The first product of a program: `curl/8.5.0` is `curl 8.5`. */
function programOf(text: string): string | undefined {
  const [, name, version] = /^([A-Za-z][\w.-]{0,40})(?:\/v?(\d+(?:\.\d+)?))?/.exec(text) ?? [];
  if (name === undefined || name === 'Mozilla') return undefined;
  return version === undefined ? name : `${name} ${version}`;
}
